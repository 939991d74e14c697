package io.acaciafs.blocks.datanode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.blocks.record.BlockRows;
import io.acaciafs.blocks.testkit.BlockTestBase;
import io.acaciafs.blocks.testkit.FakeDatanode;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.namenode.NotReplicatedYetException;
import org.junit.jupiter.api.Test;

class RestartTest extends BlockTestBase {
  @Test
  void locationsAndAddressesAreKnownBeforeTheFirstHeartbeat() throws Exception {
    FakeDatanode node = node("dn1", "10.0.7.1").withStorage(StorageType.SSD).start();
    Block block = write(1, node);
    restart(node);

    DatanodeInfoWithStorage location = locate(block).getLocations()[0];
    assertThat(location.getXferAddr()).isEqualTo("10.0.7.1:9866");
    assertThat(location.getIpcPort()).isEqualTo(9867);
    assertThat(location.getNetworkLocation()).isEqualTo("/rack7");
    assertThat(location.getStorageID()).isEqualTo(node.storage(0));
    assertThat(location.getStorageType()).isEqualTo(StorageType.DISK);
  }

  @Test
  void storedDataNodeGoesOnWithoutRegistering() throws Exception {
    List<FakeDatanode> nodes = nodes(2);
    Block block = write(1, nodes.get(0));
    restart(nodes.toArray(FakeDatanode[]::new));

    nodes.get(1).received(block);
    assertThat(places(block)).containsExactly("uuid-dn1", "uuid-dn2");
    assertThat(nodes.get(0).heartbeat(false).getCommands()).isEmpty();
    nodes.get(1).heartbeat(false);
    assertThat(allocate(2, 2).getLocations()).hasSize(2);
  }

  @Test
  void storageIndexesAreNeverGivenOutTwice() throws Exception {
    FakeDatanode first = node("dn1", "10.0.1.1").withStorage(StorageType.SSD).start();
    restart(first);
    FakeDatanode second = node("dn2", "10.0.1.2").start();
    Block block = write(1, second);

    assertThat(locate(block).getStorageIDs()).containsExactly(second.storage(0));
    assertThat(BlockRows.read(store, 1).storages())
        .containsExactly(1 + DatanodeRegistry.INDEXES_PER_RANGE);
  }

  @Test
  void writersTryAgainUntilTheDataNodesHadTimeToReport() throws Exception {
    List<FakeDatanode> nodes = nodes(2);
    restart(nodes.toArray(FakeDatanode[]::new));

    assertThatThrownBy(() -> allocate(1, 2)).isInstanceOf(NotReplicatedYetException.class);
    nodes.get(0).heartbeat(false);
    assertThatThrownBy(() -> allocate(1, 2)).isInstanceOf(NotReplicatedYetException.class);
    clock.advance(Duration.ofSeconds(10));
    assertThat(allocate(1, 2).getLocations()).hasSize(1);
  }

  @Test
  void withoutAnyHeartbeatWritersAreRefusedInTheEnd() throws Exception {
    nodes(2);
    restart();
    clock.advance(Duration.ofSeconds(10));
    assertThatThrownBy(() -> allocate(1, 1)).isExactlyInstanceOf(IOException.class);
  }

  @Test
  void nodeThatWasNotHeardSinceTheStartIsNotLive() throws Exception {
    List<FakeDatanode> nodes = nodes(2);
    Block block = write(1, nodes.get(0), nodes.get(1));
    restart(nodes.toArray(FakeDatanode[]::new));
    nodes.get(0).heartbeat(false);

    assertThat(uuids(DatanodeReportType.LIVE)).containsExactly("uuid-dn1");
    assertThat(uuids(DatanodeReportType.DEAD)).containsExactly("uuid-dn2");
    assertThat(uuids(DatanodeReportType.ALL)).containsExactly("uuid-dn1", "uuid-dn2");
    assertThat(manager.liveDatanodes()).isEqualTo(1);
    assertThat(manager.staleDatanodes()).isZero();
    assertThat(manager.datanodeReport(DatanodeReportType.DEAD)[0].getLastUpdate()).isZero();

    manager.repairNow(); // and yet its replicas count: it may come any moment
    assertThat(BlockRows.read(store, 1).repairState().isQueued()).isFalse();
    assertThat(places(block)).containsExactly("uuid-dn1", "uuid-dn2");
    LocatedBlock sorted = locate(block);
    manager.sortForReader(null, List.of(sorted));
    assertThat(sorted.getLocations()[0].getDatanodeUuid()).isEqualTo("uuid-dn1");

    nodes.get(1).heartbeat(false);
    assertThat(uuids(DatanodeReportType.LIVE)).containsExactly("uuid-dn1", "uuid-dn2");
    assertThat(uuids(DatanodeReportType.DEAD)).isEmpty();
  }

  @Test
  void nodeThatDoesNotComeIsLostWhenItsTimeIsOverAndForgottenByTheNextStart() throws Exception {
    List<FakeDatanode> nodes = nodes(2);
    Block block = write(1, nodes.get(0), nodes.get(1));
    restart(nodes.toArray(FakeDatanode[]::new));
    clock.advance(Duration.ofMinutes(11));
    nodes.get(0).heartbeat(false);
    manager.repairNow();
    manager.repairNow();
    assertThat(BlockRows.read(store, 1).repairState().isQueued()).isTrue();
    assertThat(places(block)).containsExactly("uuid-dn1");
    assertThat(uuids(DatanodeReportType.DEAD)).containsExactly("uuid-dn2");

    restart(nodes.toArray(FakeDatanode[]::new));
    assertThat(uuids(DatanodeReportType.ALL)).containsExactly("uuid-dn1");
    nodes.get(0).heartbeat(false);
    assertThat(allocate(2, 1).getLocations()).hasSize(1); // nobody waits for the dead one

    nodes.get(1).start();
    nodes.get(1).reportAll(block);
    assertThat(uuids(DatanodeReportType.LIVE)).containsExactly("uuid-dn1", "uuid-dn2");
    assertThat(places(block)).containsExactly("uuid-dn1", "uuid-dn2");
  }

  private List<String> uuids(DatanodeReportType type) {
    return Arrays.stream(manager.datanodeReport(type)).map(DatanodeInfo::getDatanodeUuid).toList();
  }
}
