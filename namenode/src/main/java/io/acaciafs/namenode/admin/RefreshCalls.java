package io.acaciafs.namenode.admin;

import io.acaciafs.namenode.backup.Backup;
import io.acaciafs.namenode.backup.BackupMaker;
import io.acaciafs.namenode.ha.GroupChange;
import io.acaciafs.namenode.ha.HaRole;
import io.acaciafs.namenode.image.ServedExport;
import io.acaciafs.namenode.reply.Callers;
import io.acaciafs.rpc.protocol.RpcCall;
import io.acaciafs.rpc.protocol.RpcProtocol;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.ipc.proto.GenericRefreshProtocolProtos.GenericRefreshProtocolService;
import org.apache.hadoop.ipc.proto.GenericRefreshProtocolProtos.GenericRefreshRequestProto;
import org.apache.hadoop.ipc.proto.GenericRefreshProtocolProtos.GenericRefreshResponseCollectionProto;
import org.apache.hadoop.ipc.proto.GenericRefreshProtocolProtos.GenericRefreshResponseProto;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * GenericRefreshProtocol, by which Hadoop's administrators tell a server what Hadoop has no call
 * for ({@code hdfs dfsadmin -refresh}): here to make a backup or an export, and to change the
 * members of the group.
 */
public final class RefreshCalls {
  private static final Logger LOG = LoggerFactory.getLogger(RefreshCalls.class);

  private final Callers callers;
  private final Map<String, Request> requests = new TreeMap<>();

  /** What can be asked for. */
  private record Request(List<String> arguments, Handler handler) {}

  /** Does what was asked for. */
  @FunctionalInterface
  private interface Handler {
    /** Returns a sentence for people. */
    String run(RpcCall call, List<String> arguments) throws IOException;
  }

  /** Makes a backup. */
  @FunctionalInterface
  public interface Backups {
    /** Returns a sentence for people. */
    String make(RpcCall call, Path folder) throws IOException;
  }

  private RefreshCalls(Callers callers, Backups backups, Handlers others) {
    this.callers = callers;
    List<String> folder = List.of("the folder to make");
    requests.put(
        Backup.REQUEST,
        new Request(folder, (call, names) -> backup(backups, call, Path.of(names.get(0)))));
    requests.put(ServedExport.REQUEST, new Request(folder, others.export()));
    requests.put(GroupChange.ADD, new Request(List.of("the name", "host:port"), others.add()));
    requests.put(GroupChange.REMOVE, new Request(List.of("the name"), others.remove()));
  }

  /** What is done by the NameNode that leads alone. */
  private record Handlers(Handler export, Handler add, Handler remove) {}

  /** Of a NameNode that serves. */
  public static RefreshCalls ofLeader(
      Callers callers, BackupMaker backups, ServedExport exports, HaRole role) {
    return new RefreshCalls(
        callers,
        (call, folder) -> backups.make(folder),
        new Handlers(
            (call, names) -> exports.make(Path.of(names.get(0))),
            (call, names) -> add(role, names.get(0), names.get(1)),
            (call, names) -> remove(role, names.get(0))));
  }

  /** Of one that stands by: makes backups, and leaves all else to the one that leads. */
  public static RefreshCalls ofStandby(Callers callers, Backups backups) {
    Handler refusal =
        (call, names) -> {
          throw new StandbyException("This NameNode stands by. Ask the one that leads");
        };
    return new RefreshCalls(callers, backups, new Handlers(refusal, refusal, refusal));
  }

  public RpcProtocol protocol() {
    return RpcProtocol.builder(
            "org.apache.hadoop.ipc.GenericRefreshProtocol",
            1,
            GenericRefreshProtocolService.newReflectiveBlockingService(null))
        .blockingMethod("refresh", GenericRefreshRequestProto.class, this::refresh)
        .build();
  }

  private GenericRefreshResponseCollectionProto refresh(
      RpcCall call, GenericRefreshRequestProto asked) throws IOException {
    Request request = requests.get(asked.getIdentifier());
    if (request == null) {
      throw new IllegalArgumentException(
          "Identifier '"
              + asked.getIdentifier()
              + "' does not exist in RefreshRegistry. Valid options are: "
              + String.join(", ", requests.keySet()));
    }
    callers.checkSuperuser(call);
    if (asked.getArgsCount() != request.arguments().size()) {
      throw new IllegalArgumentException(
          asked.getIdentifier() + " wants " + String.join(" and ", request.arguments()));
    }
    return GenericRefreshResponseCollectionProto.newBuilder()
        .addResponses(
            GenericRefreshResponseProto.newBuilder()
                .setExitStatus(0)
                .setSenderName(asked.getIdentifier())
                .setUserMessage(request.handler().run(call, asked.getArgsList())))
        .build();
  }

  private static String backup(Backups backups, RpcCall call, Path folder) throws IOException {
    long startNs = System.nanoTime();
    String sentence = backups.make(call, folder);
    LOG.info("Backup made folder={} ms={}", folder, (System.nanoTime() - startNs) / 1_000_000);
    return sentence;
  }

  private static String add(HaRole role, String name, String address) throws IOException {
    role.add(name, address);
    return name + " is a member of the group, and has caught up.";
  }

  private static String remove(HaRole role, String name) throws IOException {
    role.remove(name);
    return name + " is no member of the group any more.";
  }
}
