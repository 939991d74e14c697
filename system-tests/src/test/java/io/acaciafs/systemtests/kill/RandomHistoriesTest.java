package io.acaciafs.systemtests.kill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.acaciafs.kv.hbase.HBaseStore;
import io.acaciafs.kv.hbase.client.HBaseOptions;
import io.acaciafs.kv.hbase.local.TablePieces;
import io.acaciafs.namenode.check.CheckOptions;
import io.acaciafs.namenode.check.CheckReport;
import io.acaciafs.namenode.check.StoreCheck;
import io.acaciafs.namespace.settings.StoragePolicies;
import io.acaciafs.systemtests.harness.NameNodeProgram;
import io.acaciafs.systemtests.harness.SharedStore;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Clients of three NameNodes work on few paths while region servers and NameNodes stand still for 1
 * to 120 s, or are killed: every history is linearizable, as Porcupine says, and the store is sound
 * in the end. A call that got no answer may have taken effect, or may still do so.
 */
@Tag("long")
class RandomHistoriesTest {
  private static final Logger LOG = LoggerFactory.getLogger(RandomHistoriesTest.class);
  private static final long MINUTES = Long.getLong("acacia.history-minutes", 3);
  private static final int NAME_NODES = 3;
  private static final int REGION_SERVERS = 3;
  private static final int CLIENTS = 9;
  private static final int LEASE_MS = 5_000;
  private static final int SESSION_TIMEOUT_MS = 6_000;

  private final long seed = Long.getLong("acacia.seed", System.nanoTime());
  private final Random random = new Random(seed);

  @Test
  void everyHistoryIsLinearizable() throws Exception {
    assumeTrue(NameNodeProgram.underTest() == NameNodeProgram.ACACIA, "Hadoop's has no engines");
    Map<String, String> settings =
        Map.of(
            "acacia.namenode.lease", LEASE_MS + "ms",
            "acacia.store.hbase.regions", "6",
            // Of clients: a NameNode that stands still is left for another one.
            "ipc.client.rpc-timeout.ms", "20000",
            "ipc.ping.interval", "20000");
    try (SharedStore store =
            new SharedStore("histories", NAME_NODES, REGION_SERVERS, SESSION_TIMEOUT_MS, settings);
        TablePieces pieces = TablePieces.of(store.hbase(), "acacia")) {
      FewPaths.check(histories(store, pieces));
      for (int i = 0; i < NAME_NODES; i++) {
        store.nameNode(i).terminate();
      }
      assertSound(store);
    }
  }

  private List<String> histories(SharedStore store, TablePieces pieces) throws Exception {
    LOG.info("Histories begin seed={} minutes={}", seed, MINUTES);
    FaultPace pace = new FaultPace();
    Nemesis nemesis =
        new Nemesis(
            store, pieces, pace, NAME_NODES, REGION_SERVERS, LEASE_MS, SESSION_TIMEOUT_MS, random);
    long endNs = System.nanoTime() + TimeUnit.MINUTES.toNanos(MINUTES);
    int faults = 0;
    try (FewPaths few =
        new FewPaths(store::clientOf, NAME_NODES, CLIENTS, pace, random.nextLong())) {
      while (System.nanoTime() - endNs < 0) {
        nemesis.strike();
        faults++;
        LOG.info("Fault over seed={} faults={} open={}", seed, faults, few.errors().size());
      }
      List<String> lines = few.stop();
      LOG.info(
          "Histories end seed={} faults={} operations={} open={}",
          seed,
          faults,
          lines.size(),
          few.errors());
      return lines;
    }
  }

  private void assertSound(SharedStore store) throws Exception {
    StringWriter text = new StringWriter();
    try (HBaseStore table = HBaseStore.open(HBaseOptions.of(store.hbase().zooKeeper()))) {
      StoreCheck.run(
          table,
          new StoragePolicies(HdfsConstants.StoragePolicy.HOT),
          new CheckOptions(false, 100, -1),
          new CheckReport(new PrintWriter(text)));
    }
    LOG.info("Checked seed={} {}", seed, text.toString().strip());
    assertThat(text.toString()).as("seed %s", seed).contains(CheckReport.HEALTHY);
  }
}
