package io.acaciafs.systemtests.kill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.acaciafs.systemtests.harness.DfsAdminCommand;
import io.acaciafs.systemtests.harness.HaCluster;
import io.acaciafs.systemtests.harness.HaOptions;
import io.acaciafs.systemtests.harness.MemberStores;
import io.acaciafs.systemtests.harness.NameNodeProgram;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Three NameNodes of an earlier version become those of this one under writers, one by one, and one
 * goes back: nothing is lost, and all have the same.
 */
@Tag("long")
class MixedVersionsTest {
  private static final int WRITERS = 4;
  private static final int MAX_LENGTH_BYTES = 1 << 16;
  private static final int OPERATIONS_BETWEEN = 5;

  @Test
  void versionsServeTogetherUntilTheUpgradeIsFinalized() throws Exception {
    assumeTrue(
        System.getProperty("acacia.earlier-home") != null,
        "-Dacacia.earlier-home=DIR names a checkout of an earlier version that is built");
    long seed = Long.getLong("acacia.seed", System.nanoTime());
    HaOptions earlier = new HaOptions(1, Map.of(), false, NameNodeProgram.EARLIER);
    try (HaCluster cluster = HaCluster.start("mixed", earlier);
        DistributedFileSystem fs = cluster.newFileSystem()) {
      List<Ledger> ledgers;
      try (ManyWriters writers =
          new ManyWriters(cluster::newFileSystem, WRITERS, "/data", seed, MAX_LENGTH_BYTES)) {
        writers.awaitProgressOfAll(OPERATIONS_BETWEEN);
        dfsadmin(cluster, "-rollingUpgrade", "prepare");
        for (int i = 0; i < cluster.size(); i++) {
          cluster.replace(i, NameNodeProgram.ACACIA);
          writers.awaitProgressOfAll(OPERATIONS_BETWEEN);
        }
        cluster.replace(1, NameNodeProgram.EARLIER);
        writers.awaitProgressOfAll(OPERATIONS_BETWEEN);
        cluster.replace(1, NameNodeProgram.ACACIA);
        dfsadmin(cluster, "-rollingUpgrade", "finalize");
        writers.awaitProgressOfAll(OPERATIONS_BETWEEN);
        ledgers = writers.stop();
      }
      assertThat(new Audit(fs).differences(ledgers)).as("seed %s", seed).isEmpty();
      assertThat(MemberStores.faults(cluster)).as("seed %s", seed).isEmpty();
    }
  }

  private static void dfsadmin(HaCluster cluster, String... arguments) throws Exception {
    DfsAdminCommand ran = DfsAdminCommand.run(cluster.clientConfiguration(), arguments);
    assertThat(ran.code()).as(ran.text()).isZero();
  }
}
