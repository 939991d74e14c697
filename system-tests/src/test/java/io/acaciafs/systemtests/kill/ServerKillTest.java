package io.acaciafs.systemtests.kill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.acaciafs.kv.hbase.local.TablePieces;
import io.acaciafs.systemtests.harness.NameNodeProgram;
import io.acaciafs.systemtests.harness.SharedStore;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Region servers and NameNodes are killed in turn under 64 writers and clients of few paths: no
 * call fails, nothing that was acknowledged is lost, and the histories of the few paths are
 * linearizable, as Porcupine says.
 */
@Tag("long")
class ServerKillTest {
  private static final Logger LOG = LoggerFactory.getLogger(ServerKillTest.class);
  private static final int KILLS = Integer.getInteger("acacia.server-kills", 1);
  private static final int NAME_NODES = 4;
  private static final int SESSION_TIMEOUT_MS = 10_000;
  private static final int REGION_SERVERS = 2;

  /** Of each writer, after which the next thing happens. */
  private static final int OPERATIONS_BETWEEN = 3;

  private final long seed = Long.getLong("acacia.seed", System.nanoTime());
  private final Random random = new Random(seed);

  @Test
  void nothingIsLostAndNobodyNotices() throws Exception {
    assumeTrue(NameNodeProgram.underTest() == NameNodeProgram.ACACIA, "Hadoop's has no engines");
    Map<String, String> settings =
        Map.of(
            "acacia.namenode.lease", "5000ms",
            "acacia.store.hbase.regions", "4",
            "dfs.heartbeat.interval", "1",
            "dfs.replication", "1",
            // Of who closes a file: on a crowded machine a report of its block takes its time.
            "dfs.client.block.write.locateFollowingBlock.retries", "10");
    try (SharedStore store =
            new SharedStore(
                "server-kill", NAME_NODES, REGION_SERVERS, SESSION_TIMEOUT_MS, settings);
        TablePieces pieces = TablePieces.of(store.hbase(), "acacia")) {
      store.startDataNode();
      store.startDataNode();
      store.awaitDataNodes();
      List<Ledger> ledgers;
      List<String> histories;
      try (ManyWriters writers =
              new ManyWriters(store::clientOfAll, ManyWriters.MOST, "/many", random.nextLong());
          FewPaths few = new FewPaths(store::clientOf, NAME_NODES, random.nextLong())) {
        writers.awaitProgressOfAll(OPERATIONS_BETWEEN);
        for (int kill = 1; kill <= KILLS; kill++) {
          writers.takeLongestStallMs();
          killRegionServer(store, pieces, writers, kill);
          killNameNode(store, writers, kill);
        }
        LOG.info("Writers stop seed={} operations={}", seed, writers.operations());
        ledgers = writers.stop();
        histories = few.stop();
        assertThat(few.errors()).as("seed %s", seed).isEmpty();
      }
      for (int i = 0; i < NAME_NODES; i++) {
        try (FileSystem client = store.clientOf(i)) {
          int nameNode = i;
          List<Ledger> share =
              ledgers.stream().filter(l -> ledgers.indexOf(l) % NAME_NODES == nameNode).toList();
          assertThat(new Audit(client).differences(share)).as("seed %s", seed).isEmpty();
        }
      }
      FewPaths.check(histories);
    }
  }

  private static void killRegionServer(
      SharedStore store, TablePieces pieces, ManyWriters writers, int kill) throws Exception {
    long killedNs = System.nanoTime();
    store.hbase().killServer(0);
    writers.awaitProgressOfAll(OPERATIONS_BETWEEN);
    report("region server", kill, killedNs, writers);
    store.hbase().startServer();
    store.hbase().awaitServers(REGION_SERVERS);
    pieces.deal(store.hbase().serverPorts(), List.of());
    writers.awaitProgressOfAll(OPERATIONS_BETWEEN);
    LOG.info("Regions dealt longestStallMs={}", writers.takeLongestStallMs());
  }

  private void killNameNode(SharedStore store, ManyWriters writers, int kill) throws Exception {
    int victim = random.nextInt(NAME_NODES);
    long killedNs = System.nanoTime();
    store.nameNode(victim).kill();
    writers.awaitProgressOfAll(OPERATIONS_BETWEEN);
    report("NameNode", kill, killedNs, writers);
    store.nameNode(victim).start();
    store.await(victim);
  }

  private static void report(String what, int kill, long killedNs, ManyWriters writers) {
    LOG.info(
        "Killed what={} kill={} allWentOnMs={} longestStallMs={} operations={}",
        what,
        kill,
        TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - killedNs),
        writers.takeLongestStallMs(),
        writers.operations());
  }
}
