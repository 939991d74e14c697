package io.acaciafs.blocks.repair;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.blocks.testkit.FakeDatanode;
import io.acaciafs.blocks.testkit.RepairTestBase;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.StoragePolicy;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.protocol.BlockCommand;
import org.apache.hadoop.hdfs.server.protocol.DatanodeCommand;
import org.apache.hadoop.hdfs.server.protocol.ReceivedDeletedBlockInfo.BlockStatus;
import org.junit.jupiter.api.Test;

/** Every node has a disk, an SSD and an archive, in this order. */
class StoragePolicyRepairTest extends RepairTestBase {
  private static final int SSD = 1;
  private static final int ARCHIVE = 2;

  private List<FakeDatanode> typed(int count) throws Exception {
    List<FakeDatanode> nodes = new ArrayList<>();
    for (int i = 1; i <= count; i++) {
      nodes.add(
          node("dn" + i, "10.0.1." + i)
              .withStorage(StorageType.SSD)
              .withStorage(StorageType.ARCHIVE)
              .start());
    }
    return nodes;
  }

  private Block write(List<FakeDatanode> nodes, int... storages) throws Exception {
    Block block = new Block(1, 10, GS);
    allocate(1, nodes.size());
    for (int i = 0; i < nodes.size(); i++) {
      nodes.get(i).tell(storages[i], BlockStatus.RECEIVED_BLOCK, block);
    }
    commit(block);
    return block;
  }

  @Test
  void writersAreToldTheTypesOfTheirStorages() throws Exception {
    typed(3);
    policyId = StoragePolicy.ONE_SSD.value();
    LocatedBlock located = allocate(1, 3);
    assertThat(located.getStorageTypes())
        .containsExactlyInAnyOrder(StorageType.SSD, StorageType.DISK, StorageType.DISK);
    assertThat(located.getLocations()).hasSize(3);
  }

  @Test
  void copiesGoToTheTypeThatIsMissing() throws Exception {
    List<FakeDatanode> nodes = typed(4);
    policyId = StoragePolicy.ONE_SSD.value();
    write(nodes.subList(0, 3), SSD, 0, 0);

    killAllBut(nodes.get(1), nodes.get(2), nodes.get(3));

    assertThat(targetTypes(nodes.subList(1, 4))).containsExactly(StorageType.SSD);
  }

  @Test
  void copiesFollowAPolicyThatWasChangedMeanwhile() throws Exception {
    List<FakeDatanode> nodes = typed(4);
    write(nodes.subList(0, 3), 0, 0, 0);
    policyId = StoragePolicy.COLD.value();

    killAllBut(nodes.get(1), nodes.get(2), nodes.get(3));

    assertThat(targetTypes(nodes.subList(1, 4))).containsExactly(StorageType.ARCHIVE);
  }

  @Test
  void surplusIsTakenFromTypesThatThePolicyDoesNotWant() throws Exception {
    List<FakeDatanode> nodes = typed(3);
    policyId = StoragePolicy.WARM.value(); // one disk, the rest on archives
    nodes.get(2).remainingBytes = FakeDatanode.GIB; // the fullest
    nodes.get(2).heartbeat(false);
    Block block = write(nodes, 0, 0, ARCHIVE);

    setReplication(block, 2);
    manager.repairNow();

    assertThat(locate(block).getStorageTypes())
        .containsExactlyInAnyOrder(StorageType.DISK, StorageType.ARCHIVE);
  }

  private static List<StorageType> targetTypes(List<FakeDatanode> nodes) throws Exception {
    List<StorageType> types = new ArrayList<>();
    for (FakeDatanode node : nodes) {
      for (DatanodeCommand command : node.heartbeat(false).getCommands()) {
        for (StorageType[] targets : ((BlockCommand) command).getTargetStorageTypes()) {
          types.addAll(Arrays.asList(targets));
        }
      }
    }
    return types;
  }
}
