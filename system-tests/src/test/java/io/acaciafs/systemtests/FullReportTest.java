package io.acaciafs.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.systemtests.harness.Cluster;
import io.acaciafs.systemtests.harness.Content;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.BlockListAsLongs;
import org.apache.hadoop.hdfs.protocol.BlockListAsLongs.BlockReportReplica;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocolPB.DatanodeProtocolClientSideTranslatorPB;
import org.apache.hadoop.hdfs.security.token.block.ExportedBlockKeys;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.NodeType;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.ReplicaState;
import org.apache.hadoop.hdfs.server.common.StorageInfo;
import org.apache.hadoop.hdfs.server.protocol.BlockCommand;
import org.apache.hadoop.hdfs.server.protocol.BlockReportContext;
import org.apache.hadoop.hdfs.server.protocol.DatanodeCommand;
import org.apache.hadoop.hdfs.server.protocol.DatanodeRegistration;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.apache.hadoop.hdfs.server.protocol.HeartbeatResponse;
import org.apache.hadoop.hdfs.server.protocol.NamespaceInfo;
import org.apache.hadoop.hdfs.server.protocol.SlowDiskReports;
import org.apache.hadoop.hdfs.server.protocol.SlowPeerReports;
import org.apache.hadoop.hdfs.server.protocol.StorageBlockReport;
import org.apache.hadoop.hdfs.server.protocol.StorageReport;
import org.apache.hadoop.util.VersionInfo;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A DataNode reports a million replicas of which the NameNode knows none: it takes the report while
 * it goes on answering others, in its 768 MiB, and orders deleted what belongs to no block.
 */
class FullReportTest {
  private static final Logger LOG = LoggerFactory.getLogger(FullReportTest.class);
  private static final int REPLICAS = Integer.getInteger("acacia.report-replicas", 1_000_000);
  private static final long FIRST_ID = 1L << 40;
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

  /** A DataNode gives up waiting then: ipc.client.rpc-timeout.ms. */
  private static final Duration LONGEST_REPORT = Duration.ofSeconds(120);

  @Test
  void aMillionUnknownReplicasDisturbNobody() throws Exception {
    try (Cluster cluster = Cluster.builder("full-report").start()) {
      FileSystem fs = cluster.fileSystem();
      Path file = new Path("/file");
      Content content = new Content(1, 1000);
      content.write(fs, file);
      Reporter reporter = new Reporter(cluster);
      reporter.register();
      BlockListAsLongs report = report();

      Pauses pauses = new Pauses(fs, file);
      long beganNs = System.nanoTime();
      reporter.report(report);
      Duration took = Duration.ofNanos(System.nanoTime() - beganNs);
      Duration longest = pauses.end();
      LOG.info(
          "Full report taken replicas={} tookMs={} longestPauseMs={} stats={}",
          REPLICAS,
          took.toMillis(),
          longest.toMillis(),
          pauses.count());

      assertThat(took).isLessThan(LONGEST_REPORT);
      assertThat(longest).isLessThan(LONGEST_PAUSE);
      List<Block> asked = reporter.toDelete();
      assertThat(asked).isNotEmpty().allMatch(block -> block.getBlockId() >= FIRST_ID);
      assertThat(Content.read(fs, file)).isEqualTo(content.bytes());
      assertThat(cluster.nameNode().isAlive()).isTrue();
    }
  }

  /** In no order, as DataNodes report. */
  private static BlockListAsLongs report() {
    List<Long> ids = new ArrayList<>();
    for (long i = 0; i < REPLICAS; i++) {
      ids.add(FIRST_ID + i);
    }
    Collections.shuffle(ids, new Random(1));
    BlockListAsLongs.Builder list = BlockListAsLongs.builder();
    ids.forEach(id -> list.add(replica(new Block(id, 1000, 1001))));
    return list.build();
  }

  private static BlockReportReplica replica(Block block) {
    BlockReportReplica replica = new BlockReportReplica(block);
    replica.setState(ReplicaState.FINALIZED);
    return replica;
  }

  /** The longest time that a client waited for an answer. */
  private static final class Pauses {
    private final AtomicBoolean ended = new AtomicBoolean();
    private final ExecutorService thread =
        Executors.newSingleThreadExecutor(task -> new Thread(task, "stat"));
    private final Future<Long> longestNs;
    private long count;

    Pauses(FileSystem fs, Path file) {
      longestNs =
          thread.submit(
              () -> {
                long longest = 0;
                for (; !ended.get(); count++) {
                  long beganNs = System.nanoTime();
                  fs.getFileStatus(file);
                  longest = Math.max(longest, System.nanoTime() - beganNs);
                }
                return longest;
              });
    }

    Duration end() throws Exception {
      ended.set(true);
      thread.shutdown();
      return Duration.ofNanos(longestNs.get(60, TimeUnit.SECONDS));
    }

    long count() {
      return count;
    }
  }

  /** A DataNode that has nothing but its reports. */
  private static final class Reporter {
    private final DatanodeProtocolClientSideTranslatorPB nameNode;
    private final DatanodeStorage storage = new DatanodeStorage("DS-" + UUID.randomUUID());
    private DatanodeRegistration registration;

    Reporter(Cluster cluster) throws IOException {
      Configuration conf = cluster.clientConfiguration();
      nameNode =
          new DatanodeProtocolClientSideTranslatorPB(
              new InetSocketAddress("127.0.0.1", cluster.port()), conf);
    }

    void register() throws IOException {
      NamespaceInfo info = nameNode.versionRequest();
      registration =
          nameNode.registerDatanode(
              new DatanodeRegistration(
                  new DatanodeID(
                      "127.0.0.1", "127.0.0.1", UUID.randomUUID().toString(), 1, 2, 3, 4),
                  new StorageInfo(
                      -57,
                      info.getNamespaceID(),
                      info.getClusterID(),
                      info.getCTime(),
                      NodeType.DATA_NODE),
                  new ExportedBlockKeys(),
                  VersionInfo.getVersion()));
      registration.setNamespaceInfo(info);
      heartbeat(false);
    }

    HeartbeatResponse heartbeat(boolean wantsLease) throws IOException {
      return nameNode.sendHeartbeat(
          registration,
          new StorageReport[] {new StorageReport(storage, false, 1L << 40, 0, 0, 0, 0)},
          0,
          0,
          0,
          1,
          0,
          null,
          wantsLease,
          SlowPeerReports.EMPTY_REPORT,
          SlowDiskReports.EMPTY_REPORT);
    }

    void report(BlockListAsLongs blocks) throws IOException {
      long lease = heartbeat(true).getFullBlockReportLeaseId();
      nameNode.blockReport(
          registration,
          nameNode.versionRequest().getBlockPoolID(),
          new StorageBlockReport[] {new StorageBlockReport(storage, blocks)},
          new BlockReportContext(1, 0, 1, lease));
    }

    List<Block> toDelete() throws IOException {
      List<Block> blocks = new ArrayList<>();
      for (DatanodeCommand command : heartbeat(false).getCommands()) {
        if (command instanceof BlockCommand deletion) {
          blocks.addAll(Arrays.asList(deletion.getBlocks()));
        }
      }
      return blocks;
    }
  }
}
