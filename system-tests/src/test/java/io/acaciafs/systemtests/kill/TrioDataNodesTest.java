package io.acaciafs.systemtests.kill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.acaciafs.systemtests.harness.Await;
import io.acaciafs.systemtests.harness.BlocksAfterFailovers;
import io.acaciafs.systemtests.harness.HaCluster;
import io.acaciafs.systemtests.harness.HaOptions;
import io.acaciafs.systemtests.harness.MemberStores;
import io.acaciafs.systemtests.harness.NameNodeProgram;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sixteen writers of files of some blocks on three DataNodes, while the one of three NameNodes that
 * leads is killed again and again: all files are whole, each block has its replicas, and no
 * DataNode was asked for a full report.
 */
@Tag("long")
class TrioDataNodesTest {
  private static final Logger LOG = LoggerFactory.getLogger(TrioDataNodesTest.class);
  private static final int KILLS = Integer.getInteger("acacia.trio-kills", 10);
  private static final int DATA_NODES = 3;
  private static final int WRITERS = 16;
  private static final int BLOCK_SIZE = 1 << 20;
  private static final int MAX_LENGTH_BYTES = 3 * BLOCK_SIZE;
  private static final int OPERATIONS_BETWEEN = 3;

  /** After it a NameNode that was started knows all that a leader may leave behind. */
  private static final long HEARD_MS = 15_000;

  private final long seed = Long.getLong("acacia.seed", System.nanoTime());
  private final Random random = new Random(seed);
  private long operations;

  @Test
  void allBlocksAreWholeAfterFailovers() throws Exception {
    assumeTrue(NameNodeProgram.underTest() == NameNodeProgram.ACACIA, "Hadoop's has no engines");
    Map<String, String> settings =
        Map.of("dfs.replication", "" + DATA_NODES, "dfs.blocksize", "" + BLOCK_SIZE);
    try (HaCluster cluster =
            HaCluster.start("trio-data", new HaOptions(DATA_NODES, settings, false));
        DistributedFileSystem fs = cluster.newFileSystem()) {
      int first = cluster.awaitLeader();
      List<String> fullReports = new ArrayList<>();
      List<Long> outagesMs = new ArrayList<>();
      List<Ledger> ledgers;
      try (ManyWriters writers =
          new ManyWriters(
              cluster::newFileSystem, WRITERS, "/data", random.nextLong(), MAX_LENGTH_BYTES)) {
        writers.awaitProgressOfAll(OPERATIONS_BETWEEN);
        BlocksAfterFailovers.awaitDataNodesKnown();
        for (int kill = 0; kill < KILLS; kill++) {
          int leader = cluster.awaitLeader();
          if (leader != first || kill > 0) { // the first one has the first reports
            fullReports.addAll(BlocksAfterFailovers.fullReports(cluster, leader));
          }
          writers.takeLongestOutageMs();
          cluster.nameNode(leader).kill();
          writers.awaitProgressOfAll(OPERATIONS_BETWEEN);
          outagesMs.add(writers.takeLongestOutageMs());
          LOG.info("Killed kill={} leader=nn{} outagesMs={}", kill, leader + 1, outagesMs);
          cluster.startEnded();
          cluster.awaitFollowers();
          Await.pass(HEARD_MS);
        }
        operations = writers.operations();
        ledgers = writers.stop();
      }
      fullReports.addAll(BlocksAfterFailovers.fullReports(cluster, cluster.awaitLeader()));
      assertThat(new Audit(fs).differences(ledgers)).as("seed %s", seed).isEmpty();
      BlocksAfterFailovers.assertWhole(fs, new Path("/data"));
      assertThat(fullReports).as("full reports, seed %s", seed).isEmpty();
      assertThat(MemberStores.faults(cluster)).as("seed %s", seed).isEmpty();
      Collections.sort(outagesMs);
      LOG.info("Killed kills={} operations={} outagesMs={}", KILLS, operations, outagesMs);
    }
  }
}
