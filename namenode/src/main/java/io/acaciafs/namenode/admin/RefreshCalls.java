package io.acaciafs.namenode.admin;

import io.acaciafs.namenode.backup.BackupClient;
import io.acaciafs.namenode.backup.BackupMaker;
import io.acaciafs.namenode.reply.Callers;
import io.acaciafs.rpc.protocol.RpcCall;
import io.acaciafs.rpc.protocol.RpcProtocol;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.hadoop.ipc.proto.GenericRefreshProtocolProtos.GenericRefreshProtocolService;
import org.apache.hadoop.ipc.proto.GenericRefreshProtocolProtos.GenericRefreshRequestProto;
import org.apache.hadoop.ipc.proto.GenericRefreshProtocolProtos.GenericRefreshResponseCollectionProto;
import org.apache.hadoop.ipc.proto.GenericRefreshProtocolProtos.GenericRefreshResponseProto;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * GenericRefreshProtocol, by which Hadoop's administrators tell a server what Hadoop has no call
 * for ({@code hdfs dfsadmin -refresh}): here to make a backup, with its folder as the argument.
 */
public final class RefreshCalls {
  private static final Logger LOG = LoggerFactory.getLogger(RefreshCalls.class);

  private final Callers callers;
  private final BackupMaker backups;

  public RefreshCalls(Callers callers, BackupMaker backups) {
    this.callers = callers;
    this.backups = backups;
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
      RpcCall call, GenericRefreshRequestProto request) throws IOException {
    if (!request.getIdentifier().equals(BackupClient.IDENTIFIER)) {
      throw new IllegalArgumentException(
          "Identifier '"
              + request.getIdentifier()
              + "' does not exist in RefreshRegistry. Valid options are: "
              + BackupClient.IDENTIFIER);
    }
    callers.checkSuperuser(call);
    if (request.getArgsCount() != 1) {
      throw new IllegalArgumentException(
          BackupClient.IDENTIFIER + " wants one argument, the folder to make");
    }
    return GenericRefreshResponseCollectionProto.newBuilder()
        .addResponses(
            GenericRefreshResponseProto.newBuilder()
                .setExitStatus(0)
                .setSenderName(BackupClient.IDENTIFIER)
                .setUserMessage(backup(Path.of(request.getArgs(0)))))
        .build();
  }

  private String backup(Path folder) throws IOException {
    long startNs = System.nanoTime();
    String sentence = backups.make(folder);
    LOG.info("Backup made folder={} ms={}", folder, (System.nanoTime() - startNs) / 1_000_000);
    return sentence;
  }
}
