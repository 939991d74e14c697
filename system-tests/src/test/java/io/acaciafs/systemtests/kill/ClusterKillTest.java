package io.acaciafs.systemtests.kill;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.kv.hbase.local.ClusterProbe;
import io.acaciafs.kv.hbase.local.TablePieces;
import io.acaciafs.systemtests.harness.Await;
import io.acaciafs.systemtests.harness.ClusterLocal;
import io.acaciafs.systemtests.harness.StoreReport;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * On a cluster whose HBase has its files on three NameNodes by Raft, the leading HMaster, one of
 * these NameNodes, a region server and a NameNode on HBase are killed in turn under load: no call
 * fails, and nothing that was acknowledged is lost. All are killed at once, as when the power
 * fails: it comes up again, whichever server starts first.
 */
@Tag("long")
class ClusterKillTest {
  private static final Logger LOG = LoggerFactory.getLogger(ClusterKillTest.class);
  private static final int ROUNDS = Integer.getInteger("acacia.cluster-kills", 2);
  private static final int POWER_CUTS = Integer.getInteger("acacia.cluster-power-cuts", 2);
  private static final int NAME_NODES = 2;
  private static final int REGION_SERVERS = 2;
  private static final Duration REPAIR_LIMIT = Duration.ofMinutes(4);

  /** Of each writer, after which the next thing happens. */
  private static final int OPERATIONS_BETWEEN = 5;

  private final long seed = Long.getLong("acacia.seed", System.nanoTime());
  private final Random random = new Random(seed);

  @Test
  void nothingIsLostAndNoCallFailsWhileServersOfEachKindAreKilled() throws Exception {
    try (ClusterLocal cluster = new ClusterLocal("cluster-kill", NAME_NODES, REGION_SERVERS)) {
      cluster.start();
      List<Ledger> ofLarge;
      List<Ledger> ofMeta;
      List<Ledger> ofTree;
      try (ManyWriters large = new ManyWriters(cluster::largeClient, 16, "/large", seed);
          ManyWriters meta = new ManyWriters(cluster::metaClient, 4, "/meta", seed + 1);
          ManyWriters tree = new ManyWriters(cluster::treeClient, 4, "/tree", seed + 2)) {
        List<ManyWriters> load = List.of(large, meta, tree);
        awaitProgress(load);
        for (int round = 1; round <= ROUNDS; round++) {
          kill("HMaster", cluster.leadingMaster(), cluster, load, round);
          kill("NameNode by Raft", aMetaNameNode(cluster), cluster, load, round);
          kill("region server", any("rs", REGION_SERVERS), cluster, load, round);
          deal(cluster);
          awaitAllNameNodes(cluster); // or Routers would know none when the next one is killed
          kill("NameNode on HBase", any("nn", NAME_NODES), cluster, load, round);
          assertThat(cluster.mainClasses())
              .doesNotContain("org.apache.hadoop.hdfs.server.namenode.NameNode");
        }
        ofLarge = large.stop();
        ofMeta = meta.stop();
        ofTree = tree.stop();
      }
      awaitAllNameNodes(cluster);
      try (FileSystem nn1 = cluster.clientOf("nn1");
          FileSystem nn2 = cluster.clientOf("nn2");
          FileSystem meta = cluster.metaClient();
          FileSystem tree = cluster.treeClient()) {
        assertThat(new Audit(nn1).differences(ofLarge)).as("seed %s", seed).isEmpty();
        assertThat(new Audit(nn2).differences(ofTree)).as("seed %s", seed).isEmpty();
        assertThat(new Audit(tree).differences(ofTree)).as("seed %s", seed).isEmpty();
        assertThat(new Audit(meta).differences(ofMeta)).as("seed %s", seed).isEmpty();
      }
      assertThat(StoreReport.damage(cluster.siteOf("nn1"))).isEmpty();
    }
  }

  @Test
  void aPowerCutOfEverythingLosesNothingAndNobodyHasToHelp() throws Exception {
    try (ClusterLocal cluster = new ClusterLocal("cluster-power", NAME_NODES, REGION_SERVERS)) {
      cluster.start();
      List<Ledger> ofLarge = new ArrayList<>();
      List<Ledger> ofMeta = new ArrayList<>();
      for (int cut = 1; cut <= POWER_CUTS; cut++) {
        try (ManyWriters large = new ManyWriters(cluster::largeClient, 16, "/large" + cut, cut);
            ManyWriters meta = new ManyWriters(cluster::metaClient, 4, "/meta" + cut, -cut)) {
          awaitProgress(List.of(large, meta));
          large.allowFailures();
          meta.allowFailures();
          cluster.powerCut();
          long beganNs = System.nanoTime();
          if (cut % 2 == 0) {
            cluster.start();
          } else {
            cluster.start("--any-order");
          }
          LOG.info("Power cut cut={} servesAfterMs={}", cut, sinceMs(beganNs));
          ofLarge.addAll(large.stop()); // whose last calls were answered before, now, or never
          ofMeta.addAll(meta.stop());
        }
        try (FileSystem large = cluster.largeClient();
            FileSystem meta = cluster.metaClient()) {
          assertThat(new Audit(large).differences(ofLarge)).isEmpty();
          assertThat(new Audit(meta).differences(ofMeta)).isEmpty();
        }
      }
      assertThat(StoreReport.damage(cluster.siteOf("nn1"))).isEmpty();
    }
  }

  private void kill(
      String what, String victim, ClusterLocal cluster, List<ManyWriters> load, int round)
      throws Exception {
    load.forEach(ManyWriters::takeLongestStallMs);
    long killedNs = System.nanoTime();
    cluster.kill(victim);
    awaitProgress(load);
    LOG.info(
        "Killed what={} victim={} round={} allWentOnMs={} longestStallMs={} operations={}",
        what,
        victim,
        round,
        sinceMs(killedNs),
        load.stream().map(ManyWriters::takeLongestStallMs).toList(),
        load.stream().map(ManyWriters::operations).toList());
  }

  private static void awaitProgress(List<ManyWriters> load) throws Exception {
    for (ManyWriters each : load) {
      each.awaitProgressOfAll(OPERATIONS_BETWEEN);
    }
  }

  private static void awaitAllNameNodes(ClusterLocal cluster) throws Exception {
    Await.until("Routers know all NameNodes", REPAIR_LIMIT, () -> cluster.routersKnow(NAME_NODES));
  }

  /** The leader in every second case. */
  private String aMetaNameNode(ClusterLocal cluster) throws Exception {
    return random.nextBoolean() ? cluster.leadingMetaNameNode() : any("meta-nn", 3);
  }

  private String any(String kind, int of) {
    return kind + (1 + random.nextInt(of));
  }

  /** Regions to both, or the next region server that is killed may have none. */
  private static void deal(ClusterLocal cluster) throws Exception {
    List<Integer> ports = new ArrayList<>();
    for (int i = 1; i <= REGION_SERVERS; i++) {
      String address = cluster.address("rs" + i + ".rpc");
      ports.add(Integer.parseInt(address.substring(address.indexOf(':') + 1)));
    }
    try (ClusterProbe probe = new ClusterProbe(cluster.zooKeeper())) {
      Await.until("all region servers", REPAIR_LIMIT, () -> probe.serves(REGION_SERVERS));
    }
    Await.until("regions on all of them", REPAIR_LIMIT, () -> isDealt(cluster, ports));
  }

  private static boolean isDealt(ClusterLocal cluster, List<Integer> ports) {
    try (TablePieces pieces = TablePieces.of(cluster.zooKeeper(), "acacia")) {
      pieces.deal(ports, List.of());
      return true;
    } catch (IOException e) {
      LOG.info("Regions cannot be moved yet: {}", e.getMessage());
      return false;
    }
  }

  private static long sinceMs(long beganNs) {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beganNs);
  }
}
