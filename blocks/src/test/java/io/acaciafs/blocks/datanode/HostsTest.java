package io.acaciafs.blocks.datanode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.blocks.proto.RepairQueue;
import io.acaciafs.blocks.testkit.FakeDatanode;
import io.acaciafs.blocks.testkit.FakeDatanode.Copy;
import io.acaciafs.blocks.testkit.RepairTestBase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.AdminStates;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.server.blockmanagement.CombinedHostFileManager;
import org.apache.hadoop.hdfs.server.blockmanagement.HostConfigManager;
import org.apache.hadoop.hdfs.server.protocol.DisallowedDatanodeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HostsTest extends RepairTestBase {
  @TempDir Path folder;
  private Path include;
  private Path exclude;

  @Override
  protected void configure() {
    try {
      include = Files.createFile(folder.resolve("include"));
      exclude = Files.createFile(folder.resolve("exclude"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    conf.set(DFSConfigKeys.DFS_HOSTS, include.toString());
    conf.set(DFSConfigKeys.DFS_HOSTS_EXCLUDE, exclude.toString());
  }

  @Test
  void excludedNodeIsEmptiedAndThenDecommissioned() throws Exception {
    List<FakeDatanode> nodes = nodes(4);
    Block block = write(1, nodes.get(0), nodes.get(1), nodes.get(2));
    Files.writeString(exclude, "10.0.1.1\n");
    manager.refreshNodes();
    assertThat(state("uuid-dn1")).isEqualTo(AdminStates.DECOMMISSION_INPROGRESS);
    assertThat(manager.datanodeReport(DatanodeReportType.DECOMMISSIONING)).hasSize(1);

    manager.repairNow();
    List<Copy> copies = copies(array(nodes));
    assertThat(copies).containsExactly(new Copy(block, List.of("uuid-dn4")));
    round();
    assertThat(state("uuid-dn1")).isEqualTo(AdminStates.DECOMMISSION_INPROGRESS);
    nodes.get(3).received(block);
    round();
    assertThat(state("uuid-dn1")).isEqualTo(AdminStates.DECOMMISSIONED);
    assertThat(places(block)).hasSize(4); // it can still be read there
    assertThat(nodes.get(0).toDelete()).isEmpty();
    for (FakeDatanode node : nodes) {
      node.heartbeat(false);
    }
    assertThat(allocate(2, 4).getLocations())
        .extracting(location -> location.getDatanodeUuid())
        .doesNotContain("uuid-dn1");

    restart(array(nodes));
    assertThat(state("uuid-dn1")).isEqualTo(AdminStates.DECOMMISSIONED);

    Files.writeString(exclude, "");
    manager.refreshNodes();
    for (FakeDatanode node : nodes) {
      node.heartbeat(false);
    }
    manager.repairNow();
    assertThat(state("uuid-dn1")).isEqualTo(AdminStates.NORMAL);
    assertThat(places(block)).hasSize(3);
  }

  @Test
  void aBlockThatIsBeingWrittenKeepsANodeUntilAnotherHasFinishedIt() throws Exception {
    List<FakeDatanode> nodes = nodes(2);
    Block block = new Block(1, 100, GS);
    allocate(1, 2);
    Files.writeString(exclude, "10.0.1.1\n");
    manager.refreshNodes();
    nodes.get(0).received(block);
    round();
    assertThat(state("uuid-dn1")).isEqualTo(AdminStates.DECOMMISSION_INPROGRESS);
    nodes.get(1).received(block);
    round();
    assertThat(state("uuid-dn1")).isEqualTo(AdminStates.DECOMMISSIONED);
  }

  @Test
  void onlyReplicaOnALeavingNodeIsAtHighestRisk() throws Exception {
    List<FakeDatanode> nodes = nodes(2);
    Block block = write(1, nodes.get(0));
    Files.writeString(exclude, "10.0.1.1\n");
    manager.refreshNodes();
    manager.repairNow();
    assertThat(copies(array(nodes))).containsExactly(new Copy(block, List.of("uuid-dn2")));
  }

  @Test
  void nodeThatIsNotOnTheListIsRefused() throws Exception {
    List<FakeDatanode> nodes = nodes(2);
    Files.writeString(include, "10.0.1.1\n");
    manager.refreshNodes();
    nodes.get(0).heartbeat(false);
    assertThatThrownBy(() -> nodes.get(1).heartbeat(false))
        .isInstanceOf(DisallowedDatanodeException.class);
    assertThatThrownBy(() -> nodes.get(1).start())
        .hasCauseInstanceOf(DisallowedDatanodeException.class);
  }

  @Test
  void hostsOnTheListThatNeverCameAreDead() throws Exception {
    nodes(2);
    Files.writeString(include, "10.0.1.1\n10.0.1.2:9866\n10.0.1.3\n10.0.1.4:1234\n10.0.1.2:77\n");
    Files.writeString(exclude, "10.0.1.3\n");
    manager.refreshNodes();
    DatanodeInfo[] dead = manager.datanodeReport(DatanodeReportType.DEAD);
    assertThat(dead)
        .extracting(DatanodeInfo::getXferAddr)
        .containsExactlyInAnyOrder("10.0.1.3:9866", "10.0.1.4:1234", "10.0.1.2:77");
    assertThat(dead)
        .filteredOn(DatanodeInfo::isDecommissioned)
        .extracting(DatanodeInfo::getXferAddr)
        .containsExactly("10.0.1.3:9866");
    assertThat(dead).allMatch(node -> node.getLastUpdate() == 0);
    assertThat(manager.datanodeStorageReport(DatanodeReportType.DEAD)).hasSize(3);
    assertThat(manager.datanodeReport(DatanodeReportType.ALL)).hasSize(5);
    assertThat(manager.datanodeReport(DatanodeReportType.LIVE)).hasSize(2);
  }

  @Test
  void nodeThatIsNotOnTheListIsNotListedAndIsDeadWithItsNextHeartbeat() throws Exception {
    List<FakeDatanode> nodes = nodes(2);
    Block block = write(1, nodes.get(0), nodes.get(1));
    Files.writeString(include, "10.0.1.1\n");
    manager.refreshNodes();
    assertThat(manager.datanodeReport(DatanodeReportType.ALL))
        .extracting(DatanodeInfo::getDatanodeUuid)
        .containsExactly("uuid-dn1");
    assertThat(places(block)).hasSize(2);
    assertThatThrownBy(() -> nodes.get(1).heartbeat(false))
        .isInstanceOf(DisallowedDatanodeException.class);
    assertThat(places(block)).containsExactly("uuid-dn1");

    Files.writeString(include, "");
    manager.refreshNodes();
    nodes.get(1).start();
    assertThat(manager.datanodeReport(DatanodeReportType.LIVE)).hasSize(2);
  }

  @Test
  void nodeInMaintenanceMayBeAwayUntilItsTimeIsOver() throws Exception {
    Path hosts = folder.resolve("hosts.json");
    Files.writeString(hosts, json(""));
    conf.setClass(
        DFSConfigKeys.DFS_NAMENODE_HOSTS_PROVIDER_CLASSNAME_KEY,
        CombinedHostFileManager.class,
        HostConfigManager.class);
    conf.set(DFSConfigKeys.DFS_HOSTS, hosts.toString());
    restart();
    List<FakeDatanode> nodes = nodes(3);
    Block block = write(1, nodes.get(0), nodes.get(1));
    Block single = write(2, nodes.get(0));
    long untilMs = clock.millis() + Duration.ofHours(1).toMillis();
    Files.writeString(
        hosts,
        json(", \"adminState\": \"IN_MAINTENANCE\", \"maintenanceExpireTimeInMS\": " + untilMs));
    manager.refreshNodes();
    assertThat(state("uuid-dn1")).isEqualTo(AdminStates.ENTERING_MAINTENANCE);
    manager.repairNow();
    List<Copy> copies = copies(array(nodes));
    assertThat(copies).extracting(Copy::block).containsExactly(single);
    nodes.get(1).received(single);
    nodes.get(2).received(single);
    round();
    assertThat(state("uuid-dn1")).isEqualTo(AdminStates.IN_MAINTENANCE);

    killAllBut(nodes.get(1), nodes.get(2));
    assertThat(queueOf(block)).isEqualTo(RepairQueue.NONE);
    clock.advance(Duration.ofHours(1));
    nodes.get(1).heartbeat(false);
    nodes.get(2).heartbeat(false);
    manager.repairNow();
    assertThat(state("uuid-dn1")).isEqualTo(AdminStates.NORMAL);
    assertThat(copies(nodes.get(1), nodes.get(2))).extracting(Copy::block).containsExactly(block);
  }

  private static String json(String ofTheFirst) {
    return "[{\"hostName\": \"10.0.1.1\""
        + ofTheFirst
        + "}, {\"hostName\": \"10.0.1.2\"}, {\"hostName\": \"10.0.1.3\"}]";
  }

  private void round() {
    clock.advance(Duration.ofSeconds(30));
    manager.repairNow();
  }

  private AdminStates state(String uuid) {
    return Arrays.stream(manager.datanodeReport(DatanodeReportType.ALL))
        .filter(node -> node.getDatanodeUuid().equals(uuid))
        .findFirst()
        .orElseThrow()
        .getAdminState();
  }
}
