package io.acaciafs.systemtests.kill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.acaciafs.kv.hbase.admin.HBaseAdmin;
import io.acaciafs.kv.hbase.local.LocalHBase;
import io.acaciafs.kv.hbase.local.LocalHBaseOptions;
import io.acaciafs.kv.hbase.local.TablePieces;
import io.acaciafs.namespace.record.NamespaceKeys;
import io.acaciafs.systemtests.harness.NameNodeProgram;
import io.acaciafs.systemtests.harness.SharedStore;
import io.acaciafs.systemtests.harness.Stacks;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Regions are split, moved and balanced, and region servers restarted, under 64 writers and clients
 * of few paths: no call fails, nothing is lost, histories are linearizable. How long the longest
 * call took is reported.
 */
@Tag("long")
class RegionsAtWorkTest {
  private static final Logger LOG = LoggerFactory.getLogger(RegionsAtWorkTest.class);
  private static final int ROUNDS = Integer.getInteger("acacia.region-rounds", 2);
  private static final int NAME_NODES = 2;
  private static final int REGION_SERVERS = 2;
  private static final int OPERATIONS_BETWEEN = 3;

  /** What an administrator, or HBase itself, does. */
  private interface Work {
    void run() throws Exception;
  }

  @Test
  void clientsDoNotNotice() throws Exception {
    assumeTrue(NameNodeProgram.underTest() == NameNodeProgram.ACACIA, "Hadoop's has no engines");
    long seed = Long.getLong("acacia.seed", System.nanoTime());
    Random random = new Random(seed);
    Map<String, String> settings =
        Map.of("dfs.replication", "1", "dfs.client.block.write.locateFollowingBlock.retries", "10");
    try (SharedStore store =
            new SharedStore(
                "regions",
                NAME_NODES,
                REGION_SERVERS,
                LocalHBaseOptions.PATIENT_SESSION_MS,
                settings);
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
        for (int round = 1; round <= ROUNDS; round++) {
          int regions = 1 << Math.min(round, 4);
          List<Integer> servers = store.hbase().serverPorts();
          watch("split", writers, () -> pieces.cut(cuts(regions)));
          watch("move", writers, () -> pieces.deal(servers, List.of()));
          watch("move to one", writers, () -> pieces.deal(servers.subList(0, 1), List.of()));
          watch("balance", writers, () -> assertThat(pieces.balance()).isTrue());
          watch("rolling restart", writers, () -> restartAll(store.hbase(), pieces));
        }
        ledgers = writers.stop();
        histories = few.stop();
        assertThat(few.errors()).as("seed %s", seed).isEmpty();
      }
      for (int i = 0; i < NAME_NODES; i++) {
        assertThat(Stacks.in(store.nameNode(i).log())).as("log of NameNode %d", i).isEmpty();
      }
      try (FileSystem client = store.clientOf(0)) {
        assertThat(new Audit(client).differences(ledgers)).as("seed %s", seed).isEmpty();
      }
      FewPaths.check(histories);
    }
  }

  private static List<byte[]> cuts(int regions) {
    return HBaseAdmin.splits(Set.of(NamespaceKeys.ENTRIES, NamespaceKeys.INODES), regions);
  }

  /** One server after the other, each without regions when it ends, as HBase's own script does. */
  private static void restartAll(LocalHBase hbase, TablePieces pieces) throws Exception {
    for (int i = 0; i < REGION_SERVERS; i++) {
      List<Integer> ports = hbase.serverPorts();
      pieces.deal(ports.subList(1, ports.size()), List.of());
      hbase.stopServer(0);
      hbase.startServer();
      hbase.awaitServers(REGION_SERVERS);
    }
  }

  private static void watch(String what, ManyWriters writers, Work work) throws Exception {
    writers.takeLongestStallMs();
    long beganNs = System.nanoTime();
    work.run();
    writers.awaitProgressOfAll(OPERATIONS_BETWEEN);
    LOG.info(
        "Regions at work what={} tookMs={} longestStallMs={} operations={}",
        what,
        TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beganNs),
        writers.takeLongestStallMs(),
        writers.operations());
  }
}
