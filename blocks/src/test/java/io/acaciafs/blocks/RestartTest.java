package io.acaciafs.blocks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
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
    assertThat(BlockRows.peek(store, 1).storages()).containsExactly(3);
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
}
