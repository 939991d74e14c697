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
  private final BackupMaker backups;
  private final ServedExport exports;
  private final HaRole role;
  private final Map<String, Request> requests = new TreeMap<>();

  /** What can be asked for. */
  private record Request(List<String> arguments, Handler handler) {}

  /** Does what was asked for. */
  @FunctionalInterface
  private interface Handler {
    /** Returns a sentence for people. */
    String run(List<String> arguments) throws IOException;
  }

  public RefreshCalls(Callers callers, BackupMaker backups, ServedExport exports, HaRole role) {
    this.callers = callers;
    this.backups = backups;
    this.exports = exports;
    this.role = role;
    requests.put(Backup.REQUEST, new Request(List.of("the folder to make"), this::backup));
    requests.put(ServedExport.REQUEST, new Request(List.of("the folder to make"), this::export));
    requests.put(GroupChange.ADD, new Request(List.of("the name", "host:port"), this::add));
    requests.put(GroupChange.REMOVE, new Request(List.of("the name"), this::remove));
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
                .setUserMessage(request.handler().run(asked.getArgsList())))
        .build();
  }

  private String backup(List<String> arguments) throws IOException {
    Path folder = Path.of(arguments.get(0));
    long startNs = System.nanoTime();
    String sentence = backups.make(folder);
    LOG.info("Backup made folder={} ms={}", folder, (System.nanoTime() - startNs) / 1_000_000);
    return sentence;
  }

  private String export(List<String> arguments) throws IOException {
    return exports.make(Path.of(arguments.get(0)));
  }

  private String add(List<String> arguments) throws IOException {
    role.add(arguments.get(0), arguments.get(1));
    return arguments.get(0) + " is a member of the group, and has caught up.";
  }

  private String remove(List<String> arguments) throws IOException {
    role.remove(arguments.get(0));
    return arguments.get(0) + " is no member of the group any more.";
  }
}
