package io.acaciafs.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.systemtests.harness.Await;
import io.acaciafs.systemtests.harness.Cluster;
import io.acaciafs.systemtests.harness.HadoopTool;
import io.acaciafs.systemtests.harness.NameNodeProcess.Exit;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.server.balancer.Balancer;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.SimulatedFSDataset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Hadoop's own balancer, with DataNodes that pretend to have small disks. */
class BalancerTest {
  private static final long DISK_BYTES = 2_000_000;
  private static final int FILE_BYTES = 102_400;
  private static final int FILES = 10;
  private static final Duration LIMIT = Duration.ofSeconds(90);

  @ParameterizedTest
  @CsvSource({"false, false", "true, false", "true, true"})
  void fillsAnEmptyDataNode(boolean hasTokens, boolean isEncrypted) throws Exception {
    try (Cluster cluster =
        Cluster.builder("balancer")
            .set("dfs.block.access.token.enable", hasTokens)
            .set("dfs.encrypt.data.transfer", isEncrypted)
            .set("dfs.datanode.fsdataset.factory", SimulatedFSDataset.class.getName() + "$Factory")
            .set(SimulatedFSDataset.CONFIG_PROPERTY_CAPACITY, DISK_BYTES)
            .set("dfs.replication", 1)
            .set("dfs.blocksize", FILE_BYTES)
            .set("dfs.namenode.fs-limits.min-block-size", 0)
            .set("dfs.heartbeat.interval", 1)
            .set("dfs.namenode.redundancy.interval.seconds", 1)
            .set("dfs.balancer.getBlocks.min-block-size", 1)
            .start()) {
      DistributedFileSystem fileSystem = cluster.fileSystem();
      for (int i = 0; i < FILES; i++) {
        write(fileSystem, new Path("/f" + i));
      }
      cluster.addDataNodes(1);
      cluster.awaitDataNodes();

      Exit balancer = HadoopTool.run(cluster, LIMIT, Balancer.class, "-threshold", "10");

      assertThat(balancer.code()).as(balancer.output()).isZero();
      Await.until("both are used alike", LIMIT, () -> spread(fileSystem) <= 20);
      for (int i = 0; i < FILES; i++) {
        assertThat(
                fileSystem.getFileBlockLocations(new Path("/f" + i), 0, FILE_BYTES)[0].getHosts())
            .hasSize(1);
      }
    }
  }

  @Test
  void bandwidthReachesTheDataNodes() throws Exception {
    try (Cluster cluster = Cluster.builder("bandwidth").set("dfs.heartbeat.interval", 1).start()) {
      cluster.fileSystem().setBalancerBandwidth(123_456);
      DataNode dataNode = cluster.dataNodes().get(0);
      Await.until("it is told", LIMIT, () -> dataNode.getBalancerBandwidth() == 123_456);
    }
  }

  /** Between the fullest and the emptiest, in percent. */
  private static double spread(DistributedFileSystem fileSystem) throws IOException {
    double[] used =
        Arrays.stream(fileSystem.getDataNodeStats())
            .mapToDouble(DatanodeInfo::getDfsUsedPercent)
            .sorted()
            .toArray();
    return used[used.length - 1] - used[0];
  }

  private static void write(DistributedFileSystem fileSystem, Path path) throws IOException {
    try (FSDataOutputStream out = fileSystem.create(path)) {
      out.write(new byte[FILE_BYTES]);
    }
  }
}
