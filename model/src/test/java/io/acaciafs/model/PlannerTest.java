package io.acaciafs.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class PlannerTest {
  private static Costs costs;

  @BeforeAll
  static void read() throws IOException, InputException {
    costs = CostsReader.of(MeasuredTable.RESULTS);
  }

  /** Files without blocks, and one DataNode that nearly never speaks. */
  private static Site site(Site.Engine engine, double files, double perSecond, String call) {
    return new Site(
        "a site",
        engine,
        files,
        files / 100,
        0,
        3,
        new Site.Calls(perSecond, Map.of(call, 1.0), 0, 0),
        new Site.Clients(100, 0),
        new Site.DataNodes(1, 1, 2, 1e6, 1e5, 6),
        new Site.Machine(10, 1e11, 1e12, 1e9),
        0.5);
  }

  @Test
  void oneNameNodeIsBusyWithWhatItsCallsCost() {
    Plan plan = Planner.plan(site(Site.Engine.AUTO, 1e6, 100_000, "stat"), costs);
    assertThat(plan.engine()).isEqualTo(Site.Engine.ROCKSDB);
    double us = costs.rocksdb().of("stat").cpuUs() + costs.figure("loneCallCpuUs");
    assertThat(plan.servers().get(0).utilisation())
        .isCloseTo(100_000 * us * 1e-6 / 10, within(1e-6));
    assertThat(plan.servers().get(0).diskBytes())
        .isEqualTo(1e6 * costs.figure("bytesPerFileRocksDb"));
  }

  @Test
  void readsThatAreTooManyForOneAreDoneByThree() {
    double us = costs.rocksdb().of("stat").cpuUs() + costs.figure("loneCallCpuUs");
    double fullForOne = 0.5 * 10 / (us * 1e-6);
    Plan plan = Planner.plan(site(Site.Engine.AUTO, 1e6, 1.1 * fullForOne, "stat"), costs);
    assertThat(plan.engine()).isEqualTo(Site.Engine.RAFT);
    assertThat(plan.remarks()).hasSize(1);
    assertThat(plan.remarks().get(0))
        .startsWith("One NameNode on RocksDB does not suffice: CPU of a NameNode");
  }

  /** A change alone in its request, in any of many regions, its index rows in another one. */
  @Test
  void aChangeOnHBaseCostsWhatItSharesWithNoOther() {
    Plan plan = HBasePlan.with(site(Site.Engine.HBASE, 1e8, 1, "mkdir"), costs, 10, 100);
    assertThat(plan.commitGroup()).isEqualTo(1);
    double shared = costs.commits().perCallUs(64, 256);
    double all =
        costs.hbase().of("mkdir").cpuUs()
            + costs.figure("loneCallCpuUs")
            - shared
            + 2 * costs.figure("commitRequestCpuUs")
            + costs.figure("counterRowCpuUs");
    QueueNetwork.Task task = plan.network().tasks().get(0);
    assertThat((task.nameNodeSeconds() + task.regionServerSeconds()) * 1e6)
        .isCloseTo(all, within(1e-6));
  }

  @Test
  void dataNodesCostWhatTheEngineOfTheSiteWasMeasuredToTake() {
    Site site = site(Site.Engine.ROCKSDB, 1e6, 1, "stat");
    QueueNetwork embedded = Planner.plan(site, costs).network();
    QueueNetwork hbase =
        HBasePlan.with(site(Site.Engine.HBASE, 1e6, 1, "stat"), costs, 2, 3).network();
    assertThat(costs.hbaseDataNodes().heartbeatCpuUs())
        .isNotCloseTo(costs.embeddedDataNodes().heartbeatCpuUs(), within(1.0));
    assertThat(nameNodeUs(embedded, "heartbeats"))
        .isCloseTo(costs.embeddedDataNodes().heartbeatCpuUs(), within(1e-6));
    assertThat(nameNodeUs(hbase, "heartbeats"))
        .isCloseTo(costs.hbaseDataNodes().heartbeatCpuUs(), within(1e-6));
  }

  private static double nameNodeUs(QueueNetwork network, String task) {
    return network.tasks().stream()
            .filter(each -> each.name().equals(task))
            .findFirst()
            .orElseThrow()
            .nameNodeSeconds()
        * 1e6;
  }

  @Test
  void serversKeepToTheUtilisationThatIsWantedAndOneLessWouldNot() {
    Site site = site(Site.Engine.HBASE, 1e8, 3_000_000, "stat");
    Plan plan = Planner.plan(site, costs);
    int nameNodes = plan.servers().get(0).count();
    int regionServers = plan.servers().get(1).count();
    assertThat(nameNodes).isGreaterThan(10);
    assertThat(plan.servers().get(0).utilisation()).isLessThanOrEqualTo(0.5);
    assertThat(plan.servers().get(1).utilisation()).isLessThanOrEqualTo(0.5);
    Plan fewer = HBasePlan.with(site, costs, nameNodes - 1, regionServers - 1);
    assertThat(fewer.fits()).isFalse();
  }

  /**
   * Two rows of a file and three of a directory, three times, on disks of which 0.7 may be full.
   */
  @Test
  void regionServersHoldWhatIsStored() {
    Site site = site(Site.Engine.HBASE, 1e10, 1, "stat");
    double rows = 2 * 1e10 + 3 * 1e8;
    double bytes = rows * costs.figure("bytesPerRow");
    Plan plan = Planner.plan(site, costs);
    assertThat(plan.servers().get(1).count()).isEqualTo((int) Math.ceil(bytes * 3 / 0.7e12));
  }

  @Test
  void whatMoreServersDoNotHelpSaysThatItDoesNotFit() {
    Site calm = site(Site.Engine.HBASE, 1e9, 1_000_000, "stat");
    Site renewing =
        new Site(
            calm.name(),
            calm.engine(),
            calm.files(),
            calm.directories(),
            calm.blocksPerFile(),
            calm.replication(),
            calm.calls(),
            new Site.Clients(1e8, 1e8),
            calm.dataNodes(),
            calm.machine(),
            calm.utilisation());
    assertThat(Planner.plan(calm, costs).fits()).isTrue();
    Plan plan = Planner.plan(renewing, costs);
    assertThat(plan.fits()).isFalse();
    assertThat(plan.byUse().get(0).name()).isEqualTo("CPU for the first region");
    assertThat(plan.byUse().get(0).grows()).isFalse();
  }

  @Test
  void aSiteTimesTenHasTenTimesAsMuch() {
    Site site = site(Site.Engine.HBASE, 1e8, 1_000, "stat").times(10);
    assertThat(site.files()).isEqualTo(1e9);
    assertThat(site.calls().perSecond("stat")).isEqualTo(10_000);
  }
}
