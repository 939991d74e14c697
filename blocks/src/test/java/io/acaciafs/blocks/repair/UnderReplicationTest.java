package io.acaciafs.blocks.repair;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.blocks.proto.RepairQueue;
import io.acaciafs.blocks.record.BlockKeys;
import io.acaciafs.blocks.record.MissingBlocks;
import io.acaciafs.blocks.testkit.FakeDatanode;
import io.acaciafs.blocks.testkit.FakeDatanode.Copy;
import io.acaciafs.blocks.testkit.RepairTestBase;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Scan;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.server.protocol.ReceivedDeletedBlockInfo.BlockStatus;
import org.junit.jupiter.api.Test;

class UnderReplicationTest extends RepairTestBase {
  @Test
  void blocksOfADeadNodeAreCopiedToANodeThatHasNone() throws Exception {
    List<FakeDatanode> nodes = nodes(4);
    Block block = write(1, nodes.get(0), nodes.get(1), nodes.get(2));

    killAllBut(nodes.get(1), nodes.get(2), nodes.get(3));

    List<Copy> copies = copies(array(nodes.subList(1, 4)));
    assertThat(copies).hasSize(1);
    assertThat(copies.get(0).block()).isEqualTo(block);
    assertThat(copies.get(0).block().getNumBytes()).isEqualTo(10);
    assertThat(copies.get(0).targetUuids()).containsExactly("uuid-dn4");
    nodes.get(3).received(block);
    assertThat(queueOf(block)).isEqualTo(RepairQueue.NONE);
    assertThat(rows(KeyRange.ofTable(BlockKeys.PENDING_REPAIRS))).isZero();
    assertThat(rows(KeyRange.ofTable(BlockKeys.TRANSFERS))).isZero();
    manager.repairNow();
    assertThat(copies(array(nodes.subList(1, 4)))).isEmpty();
  }

  @Test
  void blockWithOneReplicaLeftIsCopiedBeforeOthers() throws Exception {
    conf.setInt("dfs.namenode.replication.work.multiplier.per.iteration", 1);
    restart();
    List<FakeDatanode> nodes = nodes(5);
    List<Block> safer = new ArrayList<>();
    for (int id = 1; id <= 20; id++) {
      safer.add(write(id, nodes.get(0), nodes.get(1), nodes.get(2), nodes.get(3)));
    }
    Block atRisk = write(100, nodes.get(0), nodes.get(1));
    assertThat(counters().lowRedundancy()).isZero();

    killAllBut(array(nodes.subList(1, 5)));

    assertThat(queueOf(atRisk)).isEqualTo(RepairQueue.NONE); // a copy is on its way
    assertThat(counters().lowRedundancy()).isEqualTo(17);
    assertThat(manager.stats()[ClientProtocol.GET_STATS_LOW_REDUNDANCY_IDX]).isEqualTo(17);
    assertThat(copies(array(nodes.subList(1, 5)))).extracting(Copy::block).contains(atRisk);
  }

  @Test
  void nodeSendsNoMoreThanItsStreams() throws Exception {
    List<FakeDatanode> nodes = nodes(4);
    for (int id = 1; id <= 20; id++) {
      write(id, nodes.get(0), nodes.get(1), nodes.get(2));
    }
    killAllBut(array(nodes.subList(1, 4)));

    assertThat(nodes.get(1).toCopy()).hasSizeBetween(1, 2);
    nodes.get(2).transfersInProgress = 2;
    assertThat(nodes.get(2).toCopy()).isEmpty();
  }

  @Test
  void copyThatDoesNotComeIsAskedForAgain() throws Exception {
    List<FakeDatanode> nodes = nodes(4);
    Block block = write(1, nodes.get(0), nodes.get(1), nodes.get(2));
    killAllBut(array(nodes.subList(1, 4)));
    assertThat(copies(array(nodes.subList(1, 4)))).hasSize(1);

    manager.repairNow();
    assertThat(copies(array(nodes.subList(1, 4)))).isEmpty();
    clock.advance(PENDING);
    copies(array(nodes.subList(1, 4)));
    manager.repairNow();
    assertThat(copies(array(nodes.subList(1, 4)))).extracting(Copy::block).containsExactly(block);
  }

  @Test
  void replicaOfThePipelineThatNeverCameIsReplaced() throws Exception {
    List<FakeDatanode> nodes = nodes(4);
    Block block = new Block(1, 10, GS);
    allocate(1, 3);
    nodes.get(0).received(block);
    assertThat(commit(block)).isTrue();
    assertThat(counters().lowRedundancy()).isZero();

    clock.advance(PENDING);
    copies(array(nodes));
    manager.repairNow();
    List<Copy> copies = copies(array(nodes));
    assertThat(copies).extracting(Copy::block).containsExactly(block);
    assertThat(copies.get(0).targetUuids()).hasSize(2).doesNotContain("uuid-dn1");
  }

  @Test
  void lostReplicaIsReplaced() throws Exception {
    List<FakeDatanode> nodes = nodes(4);
    Block block = write(1, nodes.get(0), nodes.get(1), nodes.get(2));
    nodes.get(1).reportAll();
    assertThat(queueOf(block)).isEqualTo(RepairQueue.LOW_REDUNDANCY);
    manager.repairNow();
    assertThat(copies(array(nodes))).extracting(Copy::block).containsExactly(block);
  }

  @Test
  void raisedReplicationMakesCopies() throws Exception {
    List<FakeDatanode> nodes = nodes(4);
    Block block = write(1, nodes.get(0));
    setReplication(block, 4);
    manager.repairNow();
    assertThat(copies(array(nodes)).get(0).targetUuids())
        .containsExactlyInAnyOrder("uuid-dn2", "uuid-dn3", "uuid-dn4");
  }

  @Test
  void blockWithoutAnyLiveReplicaIsMissingUntilANodeReturnsWithIt() throws Exception {
    List<FakeDatanode> nodes = nodes(3);
    Block block = write(1, nodes.get(0));
    setReplication(block, 1);
    killAllBut(nodes.get(1), nodes.get(2));

    assertThat(queueOf(block)).isEqualTo(RepairQueue.MISSING);
    assertThat(manager.stats()[ClientProtocol.GET_STATS_MISSING_BLOCKS_IDX]).isEqualTo(1);
    assertThat(manager.stats()[ClientProtocol.GET_STATS_MISSING_REPL_ONE_BLOCKS_IDX]).isEqualTo(1);
    assertThat(manager.missingBlocks(null).blocks())
        .containsExactly(new MissingBlocks.Missing(1, 5));
    assertThat(manager.missingBlocks(manager.missingBlocks(null).cookie()).blocks()).isEmpty();

    assertThat(isAskedToRegister(nodes.get(0))).isTrue();
    assertThat(queueOf(block)).isEqualTo(RepairQueue.MISSING); // not before it has reported it
    comeBack(nodes.get(0), block);
    manager.repairNow();
    assertThat(queueOf(block)).isEqualTo(RepairQueue.NONE);
    assertThat(manager.missingBlocks(null).blocks()).isEmpty();
  }

  @Test
  void anotherProcessGoesOnWithADeadNode() throws Exception {
    List<FakeDatanode> nodes = nodes(4);
    Block block = write(1, nodes.get(0), nodes.get(1), nodes.get(2));
    killAllBut(array(nodes.subList(1, 4)));
    restart(array(nodes));
    List<Copy> copies = copies(array(nodes.subList(1, 4)));
    assertThat(copies).extracting(Copy::block).containsExactly(block);
    // and the dead node is as dead as it was
    assertThat(isAskedToRegister(nodes.get(0))).isTrue();
  }

  @Test
  void copiesGoToASecondRack() throws Exception {
    List<FakeDatanode> nodes = nodes(3);
    Block block = write(1, nodes.get(0), nodes.get(1));
    assertThat(queueOf(block)).isEqualTo(RepairQueue.NONE);
    FakeDatanode far = node("dn9", "10.0.2.9").start();
    clock.advance(Duration.ofSeconds(1));
    nodes.get(0).reportAll();
    nodes.get(0).received(block);

    assertThat(queueOf(block)).isEqualTo(RepairQueue.BADLY_DISTRIBUTED);
    manager.repairNow();
    List<Copy> copies = copies(array(nodes));
    assertThat(copies.get(0).targetUuids()).containsExactly(far.uuid());
    far.received(block);
    manager.repairNow();
    assertThat(places(block)).hasSize(2).contains(far.uuid());
  }

  @Test
  void failedDiskIsADeadNodeInSmall() throws Exception {
    List<FakeDatanode> nodes = nodes(3);
    FakeDatanode two = node("dn8", "10.0.1.8").withStorage(StorageType.DISK).start();
    Block block = write(1, nodes.get(0));
    setReplication(block, 2);
    two.tell(1, BlockStatus.RECEIVED_BLOCK, block);
    assertThat(queueOf(block)).isEqualTo(RepairQueue.NONE);
    two.failed.add(1);
    two.heartbeat(false);
    manager.repairNow();
    assertThat(copies(nodes.get(0))).extracting(Copy::block).containsExactly(block);

    two.failed.clear();
    assertThat(isAskedToRegister(two)).isTrue();
  }

  private int rows(KeyRange range) {
    int rows = 0;
    try (Scan scan = store.scan(range)) {
      for (; scan.hasNext(); rows++) {
        scan.next();
      }
    }
    return rows;
  }
}
