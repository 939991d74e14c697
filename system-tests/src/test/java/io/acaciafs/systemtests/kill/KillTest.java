package io.acaciafs.systemtests.kill;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.systemtests.harness.Cluster;
import io.acaciafs.systemtests.harness.NameNodeProgram;
import io.acaciafs.systemtests.harness.StoreReport;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * A reply means: durable. The NameNode is killed in the middle of load, again and again, and every
 * acknowledged create, close, rename and delete must be there after.
 */
class KillTest {
  private static final int ROUNDS = Integer.getInteger("acacia.kill-rounds", 12);
  private static final int MIN_OPERATIONS = 200;
  private static final int MORE_OPERATIONS = 800;

  @Test
  void acknowledgedOperationsSurviveKills() throws Exception {
    long seed = Long.getLong("acacia.seed", 1);
    Random random = new Random(seed);
    List<Ledger> all = new ArrayList<>();
    // One replica a block: a location that is forgotten is a file that cannot be read.
    try (Cluster cluster = Cluster.builder("kill").dataNodes(3).start()) {
      Audit audit = new Audit(cluster.fileSystem());
      for (int round = 0; round < ROUNDS; round++) {
        List<Ledger> ledgers;
        try (Load load = new Load(cluster, "/round-" + round, random.nextLong())) {
          load.awaitAcknowledged(MIN_OPERATIONS + random.nextInt(MORE_OPERATIONS));
          ledgers = load.killUnder(cluster);
        }
        cluster.startNameNode();
        cluster.awaitDataNodes();
        assertThat(audit.differences(ledgers)).as("round %s, seed %s", round, seed).isEmpty();
        all.addAll(ledgers);
      }
      assertThat(audit.differences(all)).as("after all rounds, seed %s", seed).isEmpty();
      if (NameNodeProgram.underTest() == NameNodeProgram.ACACIA) {
        cluster.stopNameNode();
        assertThat(StoreReport.damage(cluster.clientConfiguration())).as("seed %s", seed).isEmpty();
      }
    }
  }
}
