package io.acaciafs.systemtests.kill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.acaciafs.systemtests.harness.HaCluster;
import io.acaciafs.systemtests.harness.HaOptions;
import io.acaciafs.systemtests.harness.MemberStores;
import io.acaciafs.systemtests.harness.NameNodeProgram;
import io.acaciafs.systemtests.kill.TrioNemesis.Cut;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Three NameNodes of which one leads, under writers of files of their own and 64 clients of a few
 * paths, all with Hadoop's defaults: the leader is killed, stands still, or is cut off, all are
 * killed, disks are full or slow. No call fails, nothing that was acknowledged is lost, the
 * histories of the few paths are linearizable, as Porcupine says, and in the end the three stores
 * have the same rows, and are sound.
 */
@Tag("long")
class TrioFaultsTest {
  private static final Logger LOG = LoggerFactory.getLogger(TrioFaultsTest.class);
  private static final int FAULTS = Integer.getInteger("acacia.trio-faults", 1);
  private static final int WRITERS = 8;

  /** Those of a group work on the same paths: a history of all 64 would take ages to check. */
  private static final int GROUPS = 8;

  private static final int CLIENTS_OF_A_GROUP = 8;

  /** Sooner none leads in the place of another one, to which calls would be repeated. */
  private static final long SHORTEST_ELECTION_MS = 400;

  private final long seed = Long.getLong("acacia.seed", System.nanoTime());
  private final Random random = new Random(seed);

  @Test
  void nothingIsLostAndNobodyNotices() throws Exception {
    assumeTrue(NameNodeProgram.underTest() == NameNodeProgram.ACACIA, "Hadoop's has no engines");
    LOG.info("Faults begin seed={} faults={}", seed, FAULTS);
    try (HaCluster cluster = HaCluster.start("trio-faults", new HaOptions(1, Map.of(), true))) {
      List<String> histories = new ArrayList<>();
      List<Ledger> ledgers;
      List<FewPaths> groups = new ArrayList<>();
      FaultPace pace = new FaultPace();
      try (ManyWriters writers =
          new ManyWriters(cluster::newFileSystem, WRITERS, "/many", random.nextLong())) {
        for (int i = 0; i < GROUPS; i++) {
          int group = i;
          groups.add(
              new FewPaths(
                  order -> cluster.newFileSystem(),
                  cluster.size(),
                  CLIENTS_OF_A_GROUP,
                  (nameNode, draws) -> pace.next(nameNode, draws) * GROUPS + group,
                  random.nextLong()));
        }
        TrioNemesis nemesis = new TrioNemesis(cluster, writers, pace, random);
        doHarm(nemesis);
        long operations = writers.operations();
        ledgers = writers.stop();
        for (FewPaths few : groups) {
          histories.addAll(few.stop());
          assertThat(few.errors()).as("seed %s", seed).isEmpty();
        }
        LOG.info(
            "Faults end seed={} operations={} ofFewPaths={}{}",
            seed,
            operations,
            histories.size(),
            nemesis.figures());
      } finally {
        groups.forEach(FewPaths::close);
      }
      try (FileSystem client = cluster.newFileSystem()) {
        assertThat(new Audit(client).differences(ledgers)).as("seed %s", seed).isEmpty();
      }
      assertThat(MemberStores.faults(cluster)).as("seed %s", seed).isEmpty();
      FewPaths.check(histories, SHORTEST_ELECTION_MS);
    }
  }

  private static void doHarm(TrioNemesis nemesis) throws Exception {
    for (int i = 0; i < FAULTS; i++) {
      nemesis.killLeader();
      nemesis.stopLeader();
      nemesis.cutOffLeader(Cut.values()[i % Cut.values().length]);
      if (i % 2 == 0) {
        nemesis.killAll();
      }
    }
    nemesis.fillDisk(false);
    nemesis.fillDisk(true);
    if (FAULTS > 1 && HaCluster.canHarmDisks()) {
      nemesis.slowSyncs(true, false);
      nemesis.slowSyncs(false, true);
      nemesis.slowSyncs(true, true);
    }
  }
}
