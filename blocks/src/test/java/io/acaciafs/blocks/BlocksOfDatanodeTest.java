package io.acaciafs.blocks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.blocks.testkit.BlockTestBase;
import io.acaciafs.blocks.testkit.FakeDatanode;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.HadoopIllegalArgumentException;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.server.protocol.BalancerBandwidthCommand;
import org.apache.hadoop.hdfs.server.protocol.BlocksWithLocations.BlockWithLocations;
import org.junit.jupiter.api.Test;

/** What the balancer gets to choose from. Blocks of this test have 10 bytes. */
class BlocksOfDatanodeTest extends BlockTestBase {
  private static final StorageType ANY = null;

  @Test
  void portionsComeRoundToAllBlocks() throws Exception {
    List<FakeDatanode> nodes = nodes(2);
    for (long id = 1; id <= 5; id++) {
      write(id, nodes.get(0), nodes.get(1));
    }
    write(6, nodes.get(1));

    assertThat(ids(next(nodes.get(0), 20, 0, ANY))).containsExactly(1L, 2L);
    assertThat(ids(next(nodes.get(0), 20, 0, ANY))).containsExactly(3L, 4L);
    assertThat(ids(next(nodes.get(0), 20, 0, ANY))).containsExactly(5L, 1L);
    assertThat(ids(next(nodes.get(1), 1000, 0, ANY))).contains(1L, 2L, 3L, 4L, 5L, 6L);
  }

  @Test
  void tellsWhereEachReplicaIs() throws Exception {
    List<FakeDatanode> nodes = nodes(2);
    Block block = write(1, nodes.get(0), nodes.get(1));

    List<BlockWithLocations> found = next(nodes.get(0), 20, 0, ANY);

    assertThat(found).hasSize(1);
    assertThat(found.get(0).getBlock()).isEqualTo(block);
    assertThat(found.get(0).getBlock().getNumBytes()).isEqualTo(10);
    assertThat(found.get(0).getDatanodeUuids())
        .containsExactlyInAnyOrder(nodes.get(0).uuid(), nodes.get(1).uuid());
    assertThat(found.get(0).getStorageTypes()).containsOnly(StorageType.DISK);
    assertThat(found.get(0).getStorageIDs()).hasSize(2);
  }

  @Test
  void leavesOutWhatTheBalancerDoesNotMove() throws Exception {
    FakeDatanode node = nodes(1).get(0);
    write(1, node);
    allocate(2, 1); // open

    assertThat(ids(next(node, 1000, 10, ANY))).containsExactly(1L);
    assertThat(next(node, 1000, 11, ANY)).isEmpty();
    assertThat(next(node, 1000, 0, StorageType.SSD)).isEmpty();
  }

  @Test
  void unknownDatanodeIsRefused() {
    DatanodeID unknown = new DatanodeID("10.0.1.9", "dn9", "uuid-dn9", 1, 2, 3, 4);
    assertThatThrownBy(() -> manager.blocksOf(unknown, 1, 0, ANY))
        .isInstanceOf(HadoopIllegalArgumentException.class)
        .hasMessage("Datanode 10.0.1.9:1 not found.");
  }

  @Test
  void bandwidthIsToldOnce() throws Exception {
    FakeDatanode node = nodes(1).get(0);
    manager.setBalancerBandwidth(1 << 20);

    assertThat(node.heartbeat(false).getCommands())
        .singleElement()
        .isInstanceOfSatisfying(
            BalancerBandwidthCommand.class,
            command -> assertThat(command.getBalancerBandwidthValue()).isEqualTo(1 << 20));
    assertThat(node.heartbeat(false).getCommands()).isEmpty();
  }

  private List<BlockWithLocations> next(
      FakeDatanode node, long sizeBytes, long minBlockBytes, StorageType type) {
    return Arrays.asList(
        manager.blocksOf(node.registration(), sizeBytes, minBlockBytes, type).getBlocks());
  }

  private static List<Long> ids(List<BlockWithLocations> blocks) {
    return blocks.stream().map(block -> block.getBlock().getBlockId()).toList();
  }
}
