package io.acaciafs.blocks.repair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.blocks.proto.RepairQueue;
import io.acaciafs.blocks.record.BlockRecord;
import io.acaciafs.blocks.record.BlockRows;
import io.acaciafs.blocks.record.ReportedReplica;
import io.acaciafs.blocks.redundancy.Invalidations;
import io.acaciafs.blocks.testkit.FakeDatanode;
import io.acaciafs.blocks.testkit.RepairTestBase;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.apache.hadoop.hdfs.server.protocol.ReceivedDeletedBlockInfo;
import org.apache.hadoop.hdfs.server.protocol.ReceivedDeletedBlockInfo.BlockStatus;
import org.apache.hadoop.hdfs.server.protocol.StorageReceivedDeletedBlocks;
import org.junit.jupiter.api.Test;

class ExcessRedundancyTest extends RepairTestBase {
  @Test
  void loweredReplicationDeletesFromTheFullestDisk() throws Exception {
    List<FakeDatanode> nodes = nodes(3);
    Block block = write(1, array(nodes));
    nodes.get(1).remainingBytes = FakeDatanode.GIB;
    nodes.get(1).heartbeat(false);

    setReplication(block, 2);
    manager.repairNow();

    assertThat(places(block)).containsExactly("uuid-dn1", "uuid-dn3");
    assertThat(nodes.get(1).toDelete()).containsExactly(new Block(1, 0, GS));
    assertThat(nodes.get(0).toDelete()).isEmpty();
    assertThat(queueOf(block)).isEqualTo(RepairQueue.NONE);
  }

  @Test
  void racksAreKept() throws Exception {
    FakeDatanode near = node("dn1", "10.0.1.1").start();
    FakeDatanode nearToo = node("dn2", "10.0.1.2").start();
    FakeDatanode far = node("dn3", "10.0.2.1");
    far.remainingBytes = FakeDatanode.GIB; // the fullest
    far.start();
    Block block = write(1, near, nearToo, far);
    setReplication(block, 2);
    manager.repairNow();
    assertThat(places(block)).hasSize(2).contains(far.uuid());
  }

  @Test
  void deadNodeThatReturnsBringsNoMoreThanIsWanted() throws Exception {
    List<FakeDatanode> nodes = nodes(3);
    Block block = write(1, nodes.get(0), nodes.get(1));
    killAllBut(nodes.get(1), nodes.get(2));
    copies(array(nodes.subList(1, 3)));
    nodes.get(2).received(block);

    comeBack(nodes.get(0), block);
    manager.repairNow();

    List<Block> deleted = new ArrayList<>();
    for (FakeDatanode node : nodes) {
      deleted.addAll(node.toDelete());
    }
    assertThat(deleted).containsExactly(new Block(1, 0, GS));
    assertThat(places(block)).hasSize(2);
  }

  @Test
  void nothingIsDeletedBeforeRestartedNodesHaveReported() throws Exception {
    List<FakeDatanode> nodes = nodes(3);
    Block block = write(1, array(nodes));
    nodes.get(0).start(); // with an empty disk, for all we know
    nodes.get(1).start();
    setReplication(block, 1);
    manager.repairNow();
    assertThat(places(block)).hasSize(3);

    nodes.get(0).reportAll();
    nodes.get(1).reportAll();
    manager.repairNow();
    assertThat(places(block)).containsExactly("uuid-dn3");
    assertThat(nodes.get(2).toDelete()).isEmpty();
  }

  @Test
  void balancersHintSaysWhichReplicaGoes() throws Exception {
    List<FakeDatanode> nodes = nodes(4);
    Block block = write(1, nodes.get(0), nodes.get(1), nodes.get(2));
    FakeDatanode target = nodes.get(3);
    ReceivedDeletedBlockInfo[] infos = {
      new ReceivedDeletedBlockInfo(block, BlockStatus.RECEIVED_BLOCK, "uuid-dn2")
    };
    manager
        .blockReceivedAndDeleted(
            target.registration(),
            new StorageReceivedDeletedBlocks[] {
              new StorageReceivedDeletedBlocks(new DatanodeStorage(target.storage(0)), infos)
            })
        .join();
    manager.repairNow();
    assertThat(places(block)).containsExactly("uuid-dn1", "uuid-dn3", "uuid-dn4");
  }

  @Test
  void lastGoodReplicaIsNeverQueuedForDeletion() throws Exception {
    List<FakeDatanode> nodes = nodes(2);
    write(1, nodes.get(0));
    Invalidations invalidations = newInvalidations();
    assertThatThrownBy(
            () ->
                run(
                    tx -> {
                      BlockRecord record = BlockRows.get(tx, 1);
                      BlockRecord without =
                          record.with(
                              List.of(),
                              record.expected(),
                              record.reported(),
                              record.repairState());
                      invalidations.queue(
                          tx, new ReportedReplica(record.storages().get(0), 10, GS), 1, without);
                      BlockRows.put(tx, 1, without);
                      return null;
                    }))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("last replica");
    assertThat(places(new Block(1))).hasSize(1);
    assertThat(nodes.get(0).toDelete()).isEmpty();
  }
}
