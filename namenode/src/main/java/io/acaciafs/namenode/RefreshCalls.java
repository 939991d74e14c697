package io.acaciafs.namenode;

import io.acaciafs.blocks.ClusterIdentity;
import io.acaciafs.rpc.protocol.RpcCall;
import io.acaciafs.rpc.protocol.RpcProtocol;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
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
final class RefreshCalls {
  /** The identifier. */
  static final String BACKUP = "acacia.backup";

  private static final Logger LOG = LoggerFactory.getLogger(RefreshCalls.class);

  private final Callers callers;
  private final ClusterIdentity identity;
  private final String engine;
  private final Supplier<BackupFolder.Copier> copier;
  private final Path nameFolder;
  private final Clock clock;
  private final Semaphore one = new Semaphore(1);

  /**
   * @param copier makes one for each backup
   * @param nameFolder dfs.namenode.name.dir
   */
  RefreshCalls(
      Callers callers,
      ClusterIdentity identity,
      String engine,
      Supplier<BackupFolder.Copier> copier,
      Path nameFolder,
      Clock clock) {
    this.callers = callers;
    this.identity = identity;
    this.engine = engine;
    this.copier = copier;
    this.nameFolder = nameFolder;
    this.clock = clock;
  }

  RpcProtocol protocol() {
    return RpcProtocol.builder(
            "org.apache.hadoop.ipc.GenericRefreshProtocol",
            1,
            GenericRefreshProtocolService.newReflectiveBlockingService(null))
        .blockingMethod("refresh", GenericRefreshRequestProto.class, this::refresh)
        .build();
  }

  private GenericRefreshResponseCollectionProto refresh(
      RpcCall call, GenericRefreshRequestProto request) throws IOException {
    if (!request.getIdentifier().equals(BACKUP)) {
      throw new IllegalArgumentException(
          "Identifier '"
              + request.getIdentifier()
              + "' does not exist in RefreshRegistry. Valid options are: "
              + BACKUP);
    }
    callers.checkSuperuser(call);
    if (request.getArgsCount() != 1) {
      throw new IllegalArgumentException(BACKUP + " wants one argument, the folder to make");
    }
    return GenericRefreshResponseCollectionProto.newBuilder()
        .addResponses(
            GenericRefreshResponseProto.newBuilder()
                .setExitStatus(0)
                .setSenderName(BACKUP)
                .setUserMessage(backup(Path.of(request.getArgs(0)))))
        .build();
  }

  private String backup(Path folder) throws IOException {
    if (!one.tryAcquire()) {
      throw new IOException("Another backup is being made, try again later");
    }
    try {
      long startNs = System.nanoTime();
      BackupFolder backup = new BackupFolder(folder);
      backup.make(identity, engine, copier.get(), nameFolder, clock.instant());
      LOG.info("Backup made folder={} ms={}", folder, (System.nanoTime() - startNs) / 1_000_000);
      return Backup.sentence(folder, backup);
    } finally {
      one.release();
    }
  }
}
