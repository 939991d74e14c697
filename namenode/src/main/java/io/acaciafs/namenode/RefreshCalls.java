package io.acaciafs.namenode;

import io.acaciafs.blocks.ClusterIdentity;
import io.acaciafs.kv.Store;
import io.acaciafs.kv.rocksdb.RocksDbStore;
import io.acaciafs.rpc.RpcCall;
import io.acaciafs.rpc.RpcProtocol;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.concurrent.Semaphore;
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
  private final Store store;
  private final Path nameFolder;
  private final Clock clock;
  private final Semaphore one = new Semaphore(1);

  /**
   * @param nameFolder dfs.namenode.name.dir
   */
  RefreshCalls(
      Callers callers, ClusterIdentity identity, Store store, Path nameFolder, Clock clock) {
    this.callers = callers;
    this.identity = identity;
    this.store = store;
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
    if (!(store instanceof RocksDbStore embedded)) {
      throw new IOException("Backups are made of the rocksdb engine alone");
    }
    if (!one.tryAcquire()) {
      throw new IOException("Another backup is being made, try again later");
    }
    try {
      long startNs = System.nanoTime();
      BackupFolder backup = new BackupFolder(folder);
      backup.make(identity, embedded, nameFolder, clock.instant());
      LOG.info("Backup made folder={} ms={}", folder, (System.nanoTime() - startNs) / 1_000_000);
      return Backup.sentence(folder, backup);
    } finally {
      one.release();
    }
  }
}
