package io.acaciafs.bench.datanode;

import io.acaciafs.namenode.process.Threads;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.BlockListAsLongs;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocolPB.DatanodeProtocolClientSideTranslatorPB;
import org.apache.hadoop.hdfs.security.token.block.ExportedBlockKeys;
import org.apache.hadoop.hdfs.server.datanode.DataStorage;
import org.apache.hadoop.hdfs.server.protocol.BlockReportContext;
import org.apache.hadoop.hdfs.server.protocol.DatanodeRegistration;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.apache.hadoop.hdfs.server.protocol.HeartbeatResponse;
import org.apache.hadoop.hdfs.server.protocol.NamespaceInfo;
import org.apache.hadoop.hdfs.server.protocol.ReceivedDeletedBlockInfo;
import org.apache.hadoop.hdfs.server.protocol.ReceivedDeletedBlockInfo.BlockStatus;
import org.apache.hadoop.hdfs.server.protocol.SlowDiskReports;
import org.apache.hadoop.hdfs.server.protocol.SlowPeerReports;
import org.apache.hadoop.hdfs.server.protocol.StorageBlockReport;
import org.apache.hadoop.hdfs.server.protocol.StorageReceivedDeletedBlocks;
import org.apache.hadoop.hdfs.server.protocol.StorageReport;
import org.apache.hadoop.util.VersionInfo;

/**
 * One DataNode: registers, sends heartbeats, and reports blocks that it was told to have. Its
 * thread {@code pretended-datanode-N} does all of it, from {@link #start} to {@link #close}.
 *
 * <p>Source: {@code BPServiceActor}.
 */
final class PretendedDatanode implements AutoCloseable {
  private static final long CAPACITY_BYTES = 1L << 50;

  /**
   * Of the first one. None of a loaded DataNode ({@code LoadedBlocks.storages}): who registers with
   * another one's address takes its place, and all that the other one had is lost.
   */
  private static final int FIRST_PORT = 40_000;

  private static final long HEARTBEAT_MS = 1000;
  private static final int QUEUE_LIMIT = 10_000;
  private static final int REPORT_LIMIT = 500;
  private static final long END_LIMIT_MS = 5000;

  private record Received(Block block, CompletableFuture<Void> reported) {}

  private final BlockingQueue<Received> received = new ArrayBlockingQueue<>(QUEUE_LIMIT);
  private final DatanodeProtocolClientSideTranslatorPB nameNode;
  private final DatanodeStorage storage = new DatanodeStorage("DS-" + UUID.randomUUID());
  private final DatanodeRegistration registration;
  private final String blockPool;
  private final Thread thread;

  private PretendedDatanode(
      DatanodeProtocolClientSideTranslatorPB nameNode,
      DatanodeRegistration registration,
      String blockPool,
      int number) {
    this.nameNode = nameNode;
    this.registration = registration;
    this.blockPool = blockPool;
    thread = new Thread(this::serve, "pretended-datanode-" + number);
    thread.setDaemon(true);
  }

  /** Registers and reports that it has nothing. */
  static PretendedDatanode start(InetSocketAddress address, Configuration conf, int number)
      throws IOException {
    DatanodeProtocolClientSideTranslatorPB nameNode =
        new DatanodeProtocolClientSideTranslatorPB(address, conf);
    NamespaceInfo namespace = nameNode.versionRequest();
    int port = FIRST_PORT + 10 * number;
    DatanodeRegistration registration =
        nameNode.registerDatanode(
            new DatanodeRegistration(
                new DatanodeID(
                    "127.0.0.1",
                    "localhost",
                    UUID.randomUUID().toString(),
                    port,
                    port + 1,
                    port + 2,
                    port + 3),
                new DataStorage(namespace),
                new ExportedBlockKeys(),
                VersionInfo.getVersion()));
    registration.setNamespaceInfo(namespace);
    PretendedDatanode datanode =
        new PretendedDatanode(nameNode, registration, namespace.getBlockPoolID(), number);
    datanode.introduce();
    datanode.thread.start();
    return datanode;
  }

  String uuid() {
    return registration.getDatanodeUuid();
  }

  /** Says that it has a block; completed when the NameNode has been told. */
  CompletableFuture<Void> receive(Block block) {
    CompletableFuture<Void> reported = new CompletableFuture<>();
    if (!received.offer(new Received(block, reported))) {
      reported.completeExceptionally(new IOException("too many blocks at a time"));
    }
    return reported;
  }

  private void introduce() throws IOException {
    HeartbeatResponse response = heartbeat(true);
    StorageBlockReport[] empty = {new StorageBlockReport(storage, BlockListAsLongs.EMPTY)};
    nameNode.blockReport(
        registration,
        blockPool,
        empty,
        new BlockReportContext(1, 0, System.nanoTime(), response.getFullBlockReportLeaseId()));
  }

  private HeartbeatResponse heartbeat(boolean wantsLease) throws IOException {
    StorageReport[] reports = {
      new StorageReport(storage, false, CAPACITY_BYTES, 0, CAPACITY_BYTES, 0, 0)
    };
    return nameNode.sendHeartbeat(
        registration,
        reports,
        0,
        0,
        0,
        0,
        0,
        null,
        wantsLease,
        SlowPeerReports.EMPTY_REPORT,
        SlowDiskReports.EMPTY_REPORT);
  }

  private void serve() {
    long lastNanos = System.nanoTime();
    List<Received> batch = new ArrayList<>();
    try {
      while (true) {
        Received first = received.poll(HEARTBEAT_MS, TimeUnit.MILLISECONDS);
        if (first != null) {
          batch.add(first);
          received.drainTo(batch, REPORT_LIMIT);
          report(batch);
          batch.clear();
        }
        if (System.nanoTime() - lastNanos > TimeUnit.MILLISECONDS.toNanos(HEARTBEAT_MS)) {
          lastNanos = System.nanoTime();
          heartbeat(false);
        }
      }
    } catch (InterruptedException | IOException e) {
      received.forEach(each -> each.reported().completeExceptionally(e));
      batch.forEach(each -> each.reported().completeExceptionally(e));
    }
  }

  private void report(List<Received> batch) throws IOException {
    ReceivedDeletedBlockInfo[] blocks =
        batch.stream()
            .map(
                each ->
                    new ReceivedDeletedBlockInfo(each.block(), BlockStatus.RECEIVED_BLOCK, null))
            .toArray(ReceivedDeletedBlockInfo[]::new);
    StorageReceivedDeletedBlocks[] all = {new StorageReceivedDeletedBlocks(storage, blocks)};
    nameNode.blockReceivedAndDeleted(registration, blockPool, all);
    batch.forEach(each -> each.reported().complete(null));
  }

  @Override
  public void close() throws IOException {
    thread.interrupt();
    Threads.join(thread, END_LIMIT_MS);
    nameNode.close();
  }
}
