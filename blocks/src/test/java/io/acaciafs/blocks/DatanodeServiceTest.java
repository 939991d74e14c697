package io.acaciafs.blocks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.blocks.testkit.BlockTestBase;
import io.acaciafs.blocks.testkit.FakeDatanode;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.protocol.UnregisteredNodeException;
import org.apache.hadoop.hdfs.server.blockmanagement.UnresolvedTopologyException;
import org.apache.hadoop.hdfs.server.common.IncorrectVersionException;
import org.apache.hadoop.hdfs.server.protocol.BlockReportContext;
import org.apache.hadoop.hdfs.server.protocol.DatanodeProtocol;
import org.apache.hadoop.hdfs.server.protocol.DatanodeRegistration;
import org.apache.hadoop.hdfs.server.protocol.DisallowedDatanodeException;
import org.apache.hadoop.hdfs.server.protocol.FinalizeCommand;
import org.apache.hadoop.hdfs.server.protocol.HeartbeatResponse;
import org.apache.hadoop.hdfs.server.protocol.InvalidBlockReportLeaseException;
import org.apache.hadoop.hdfs.server.protocol.NamespaceInfo;
import org.apache.hadoop.hdfs.server.protocol.RegisterCommand;
import org.apache.hadoop.net.DNSToSwitchMapping;
import org.junit.jupiter.api.Test;

class DatanodeServiceTest extends BlockTestBase {
  @Override
  protected void configure() {
    conf.setInt("dfs.namenode.max.full.block.report.leases", 2);
  }

  @Test
  void versionRequestTellsTheClusterAndClaimsNothing() {
    NamespaceInfo info = manager.versionRequest();
    assertThat(info.getState()).isEqualTo(HAServiceState.STANDBY);
    assertThat(info.getBlockPoolID()).isEqualTo(IDENTITY.blockPoolId());
    assertThat(info.getLayoutVersion()).isEqualTo(ClusterIdentity.LAYOUT_VERSION);
    assertThat(info.isCapabilitySupported(NamespaceInfo.Capability.STORAGE_BLOCK_REPORT_BUFFERS))
        .isTrue();
    assertThat(node("dn1", "10.0.1.1").registration().getRegistrationID())
        .isEqualTo(IDENTITY.registrationId());
  }

  @Test
  void registrationIsEchoedWithThePeersAddress() {
    DatanodeRegistration asked = node("dn1", "0.0.0.0").registration();
    DatanodeRegistration echoed = manager.register(asked, "10.0.1.1").join();
    assertThat(echoed.getIpAddr()).isEqualTo("10.0.1.1");
    assertThat(echoed.getDatanodeUuid()).isEqualTo("uuid-dn1");
    assertThat(echoed.getExportedKeys().isBlockTokenEnabled()).isFalse();
  }

  @Test
  void dataNodeOfAnotherClusterIsRefused() {
    for (ClusterIdentity foreign :
        List.of(
            new ClusterIdentity(78, IDENTITY.clusterId(), IDENTITY.blockPoolId(), 0),
            new ClusterIdentity(77, "CID-other", IDENTITY.blockPoolId(), 0),
            new ClusterIdentity(77, IDENTITY.clusterId(), IDENTITY.blockPoolId(), 1))) {
      FakeDatanode stranger = new FakeDatanode(manager, foreign, "dn1", "10.0.1.1");
      assertThatThrownBy(stranger::start).hasCauseInstanceOf(UnregisteredNodeException.class);
      assertThatThrownBy(() -> stranger.heartbeat(false))
          .isInstanceOf(UnregisteredNodeException.class);
      assertThatThrownBy(() -> stranger.received(new Block(1)))
          .hasCauseInstanceOf(UnregisteredNodeException.class);
      assertThatThrownBy(() -> stranger.reportAll(new Block(1)))
          .hasCauseInstanceOf(UnregisteredNodeException.class);
      assertThatThrownBy(() -> manager.cacheReport(stranger.registration()))
          .isInstanceOf(UnregisteredNodeException.class);
    }
    assertThat(manager.datanodeReport(DatanodeReportType.ALL)).isEmpty();
  }

  @Test
  void dataNodeOfOldSoftwareIsRefused() {
    FakeDatanode old = node("dn1", "10.0.1.1");
    old.softwareVersion = "2.0.9";
    assertThatThrownBy(old::start).hasCauseInstanceOf(IncorrectVersionException.class);
    assertThat(manager.datanodeReport(DatanodeReportType.ALL)).isEmpty();
  }

  /** As after a copy of a disk: the last one to register counts. */
  @Test
  void ofTwoDataNodesWithOneUuidOneCounts() throws Exception {
    FakeDatanode first = nodes(1).get(0);
    Block block = write(1, first);
    FakeDatanode second = new FakeDatanode(manager, IDENTITY, "dn1", first.uuid(), "10.0.1.9");
    second.start();

    assertThat(first.heartbeat(false).getCommands())
        .hasAtLeastOneElementOfType(RegisterCommand.class);
    assertThatThrownBy(first::reportAll).hasCauseInstanceOf(UnregisteredNodeException.class);
    assertThatThrownBy(() -> first.deleted(block)).hasMessageContaining("not registered");
    assertThat(places(block)).hasSize(1);
    assertThat(manager.datanodeReport(DatanodeReportType.LIVE))
        .extracting(DatanodeInfo::getIpAddr)
        .containsExactly("10.0.1.9");
    // It has none of the first one's replicas: nothing is deleted for that.
    second.reportAll();
    assertThat(second.toDelete()).isEmpty();
    first.start();
    first.reportAll(block);
    assertThat(places(block)).hasSize(1);
    assertThat(first.toDelete()).isEmpty();
  }

  @Test
  void dataNodeThatHasLostItsDisksIsDeadAtOnce() throws Exception {
    List<FakeDatanode> nodes = nodes(2);
    manager.errorReport(nodes.get(0).registration(), DatanodeProtocol.FATAL_DISK_ERROR, "gone");
    assertThat(manager.datanodeReport(DatanodeReportType.DEAD))
        .extracting(DatanodeInfo::getDatanodeUuid)
        .containsExactly("uuid-dn1");
  }

  /** What it names has no use, for there are no cache directives. */
  @Test
  void onlyALivingDataNodeReportsWhatItCaches() throws Exception {
    FakeDatanode node = node("dn1", "10.0.1.1");
    assertThatThrownBy(() -> manager.cacheReport(node.registration()))
        .hasMessage("processCacheReport from dead or unregistered datanode: null");
    node.start();
    manager.cacheReport(node.registration());
    FakeDatanode copy = new FakeDatanode(manager, IDENTITY, "dn1", node.uuid(), "10.0.1.9");
    assertThatThrownBy(() -> manager.cacheReport(copy.registration()))
        .isInstanceOf(UnregisteredNodeException.class);
    manager.errorReport(node.registration(), DatanodeProtocol.FATAL_DISK_ERROR, "gone");
    assertThatThrownBy(() -> manager.cacheReport(node.registration()))
        .hasMessageContaining("processCacheReport from dead or unregistered datanode: 10.0.1.1:");
  }

  @Test
  void dataNodeWithoutARowIsToldToRegister() throws Exception {
    FakeDatanode stranger = node("dn1", "10.0.1.1");
    HeartbeatResponse response = stranger.heartbeat(true);
    assertThat(response.getCommands()).hasAtLeastOneElementOfType(RegisterCommand.class);
    assertThat(response.getFullBlockReportLeaseId()).isZero();
    assertThat(stranger.reportAll()).isInstanceOf(RegisterCommand.class);
  }

  @Test
  void heartbeatClaimsToBeActiveWithAnEpochThatStays() throws Exception {
    FakeDatanode node = nodes(1).get(0);
    HeartbeatResponse first = node.heartbeat(false);
    assertThat(first.getNameNodeHaState().getState()).isEqualTo(HAServiceState.ACTIVE);
    restart(node);
    assertThat(node.heartbeat(false).getNameNodeHaState().getTxId())
        .isEqualTo(first.getNameNodeHaState().getTxId());
  }

  @Test
  void onlySoManyMaySendFullReportsAtOnce() throws Exception {
    List<FakeDatanode> nodes = nodes(3);
    long first = nodes.get(0).heartbeat(true).getFullBlockReportLeaseId();
    assertThat(first).isNotZero();
    assertThat(nodes.get(1).heartbeat(true).getFullBlockReportLeaseId()).isNotZero();
    assertThat(nodes.get(2).heartbeat(true).getFullBlockReportLeaseId()).isZero();

    nodes.get(0).report(0, List.of(), new BlockReportContext(2, 0, 1, first));
    assertThat(nodes.get(2).heartbeat(true).getFullBlockReportLeaseId()).isZero();
    nodes.get(0).report(0, List.of(), new BlockReportContext(2, 1, 1, first));
    assertThat(nodes.get(2).heartbeat(true).getFullBlockReportLeaseId()).isNotZero();
  }

  /** What a dead leader may not have stored is known of the first one alone. */
  @Test
  void afterATakeOverOnlyDataNodesThatWereNotHeardMakeAFullReport() throws Exception {
    List<FakeDatanode> nodes = nodes(2);
    nodes.get(0).reportAll();
    nodes.get(1).reportAll();
    manager.takeOver(nodes.get(0).uuid()::equals);

    HeartbeatResponse heard = nodes.get(0).heartbeat(true);
    assertThat(heard.getCommands()).isEmpty();
    assertThat(heard.getFullBlockReportLeaseId()).isZero();
    assertThat(nodes.get(1).heartbeat(false).getCommands())
        .hasAtLeastOneElementOfType(RegisterCommand.class);
    nodes.get(1).start();
    assertThat(nodes.get(1).heartbeat(true).getFullBlockReportLeaseId()).isNotZero();
    nodes.get(1).reportAll();
    clock.advance(Duration.ofMinutes(2));
    assertThat(nodes.get(1).heartbeat(false).getCommands()).isEmpty();

    clock.advance(Duration.ofHours(6)); // dfs.blockreport.intervalMsec
    assertThat(nodes.get(0).heartbeat(true).getFullBlockReportLeaseId()).isNotZero();
  }

  @Test
  void aDataNodeThatStartsAfterATakeOverMakesItsFullReport() throws Exception {
    FakeDatanode node = nodes(1).get(0);
    node.reportAll();
    manager.takeOver(uuid -> true);
    node.start();
    assertThat(node.heartbeat(true).getFullBlockReportLeaseId()).isNotZero();
  }

  @Test
  void leaseEndsByItself() throws Exception {
    List<FakeDatanode> nodes = nodes(3);
    long lease = nodes.get(0).heartbeat(true).getFullBlockReportLeaseId();
    nodes.get(1).heartbeat(true);
    clock.advance(Duration.ofMinutes(5));
    assertThat(nodes.get(2).heartbeat(true).getFullBlockReportLeaseId()).isNotZero();
    assertThatThrownBy(
            () -> nodes.get(0).report(0, List.of(), new BlockReportContext(1, 0, 1, lease)))
        .hasCauseInstanceOf(InvalidBlockReportLeaseException.class);
    assertThat(nodes.get(0).report(0, List.of(), new BlockReportContext(1, 0, 1, 0)))
        .isInstanceOf(FinalizeCommand.class);
  }

  @Test
  void silentDataNodeIsDeadAndNoTarget() throws Exception {
    List<FakeDatanode> nodes = nodes(2);
    clock.advance(Duration.ofMinutes(10).plusSeconds(31));
    nodes.get(1).heartbeat(false);

    assertThat(manager.datanodeReport(DatanodeReportType.DEAD))
        .extracting(DatanodeInfo::getDatanodeUuid)
        .containsExactly("uuid-dn1");
    assertThat(manager.datanodeStorageReport(DatanodeReportType.LIVE)).hasSize(1);
    assertThat(manager.liveDatanodes()).isOne();
    assertThat(allocate(1, 2).getLocations())
        .extracting(DatanodeInfo::getDatanodeUuid)
        .containsExactly("uuid-dn2");
    nodes.get(0).heartbeat(false);
    assertThat(manager.liveDatanodes()).isEqualTo(2);
  }

  @Test
  void statsAddUpLiveDataNodes() throws Exception {
    nodes(2);
    node("dn3", "10.0.1.3").withStorage(StorageType.SSD).start();
    long[] stats = manager.stats();
    assertThat(stats).hasSize(ClientProtocol.STATS_ARRAY_LENGTH);
    assertThat(stats[ClientProtocol.GET_STATS_CAPACITY_IDX]).isEqualTo(800 * FakeDatanode.GIB);
    assertThat(stats[ClientProtocol.GET_STATS_USED_IDX]).isEqualTo(4 * FakeDatanode.GIB);
    assertThat(stats[ClientProtocol.GET_STATS_REMAINING_IDX]).isEqualTo(400 * FakeDatanode.GIB);
  }

  @Test
  void dataNodeAtTheAddressOfAnotherReplacesIt() throws Exception {
    node("dn1", "10.0.1.1").start();
    node("dn2", "10.0.1.1").start();
    assertThat(manager.datanodeReport(DatanodeReportType.LIVE))
        .extracting(DatanodeInfo::getDatanodeUuid)
        .containsExactly("uuid-dn2");
  }

  @Test
  void aLifelineKeepsADataNodeAliveWhoseHeartbeatsAreLate() throws Exception {
    List<FakeDatanode> nodes = nodes(2);
    for (int minutes = 0; minutes < 15; minutes += 5) {
      clock.advance(Duration.ofMinutes(5));
      nodes.get(0).lifeline();
    }
    assertThat(manager.datanodeReport(DatanodeReportType.LIVE))
        .extracting(DatanodeInfo::getDatanodeUuid)
        .containsExactly("uuid-dn1");
    assertThat(manager.datanodeReport(DatanodeReportType.DEAD)).hasSize(1);
  }

  @Test
  void aLifelineOfAStrangerIsPassedOver() throws Exception {
    node("dn1", "10.0.1.1").lifeline();
    assertThat(manager.datanodeReport(DatanodeReportType.ALL)).isEmpty();
    FakeDatanode foreign =
        new FakeDatanode(
            manager,
            new ClusterIdentity(77, "CID-other", IDENTITY.blockPoolId(), 0),
            "dn1",
            "10.0.1.1");
    assertThatThrownBy(foreign::lifeline).isInstanceOf(UnregisteredNodeException.class);
  }

  /** A machine's own addresses need no name. */
  @Test
  void aDataNodeWhoseAddressHasNoNameIsRefused() throws Exception {
    conf.unset("dfs.namenode.datanode.registration.ip-hostname-check"); // it is on
    restart();
    assertThatThrownBy(() -> node("dn1", "192.0.2.1").start())
        .hasCauseInstanceOf(DisallowedDatanodeException.class)
        .hasMessageContaining("hostname cannot be resolved (ip=192.0.2.1, hostname=192.0.2.1)");
    node("dn2", "127.0.0.1").start();
    assertThat(manager.datanodeReport(DatanodeReportType.ALL)).hasSize(1);
  }

  @Test
  void aDataNodeOfWhichNobodyKnowsTheRackIsRefusedWhereTheSiteWantsIt() throws Exception {
    conf.setClass("net.topology.node.switch.mapping.impl", NoRacks.class, DNSToSwitchMapping.class);
    restart();
    node("dn1", "10.0.1.1").start();
    assertThat(manager.datanodeReport(DatanodeReportType.ALL))
        .extracting(DatanodeInfo::getNetworkLocation)
        .containsExactly("/default-rack");

    conf.setBoolean("dfs.namenode.reject-unresolved-dn-topology-mapping", true);
    restart();
    assertThatThrownBy(() -> node("dn2", "10.0.1.2").start())
        .hasCauseInstanceOf(UnresolvedTopologyException.class)
        .hasMessageContaining("Unresolved topology mapping for host 10.0.1.2");
  }

  /** Knows no rack. */
  public static final class NoRacks implements DNSToSwitchMapping {
    @Override
    public List<String> resolve(List<String> names) {
      return null;
    }

    @Override
    public void reloadCachedMappings() {}

    @Override
    public void reloadCachedMappings(List<String> names) {}
  }

  @Test
  void nothingIsDeletedForAWhileAfterTheStartIfTheSiteWantsThat() throws Exception {
    List<FakeDatanode> nodes = nodes(1);
    Block block = write(1, nodes.get(0));
    conf.set("dfs.namenode.startup.delay.block.deletion.sec", "600");
    restart(nodes.get(0));
    remove(block);
    nodes.get(0).heartbeat(false);
    assertThat(nodes.get(0).toDelete()).isEmpty();
    clock.advance(Duration.ofSeconds(600));
    assertThat(nodes.get(0).toDelete()).containsExactly(block);
  }
}
