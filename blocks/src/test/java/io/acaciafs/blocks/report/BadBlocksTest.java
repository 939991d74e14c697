package io.acaciafs.blocks.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.blocks.proto.RepairQueue;
import io.acaciafs.blocks.testkit.FakeDatanode;
import io.acaciafs.blocks.testkit.FakeDatanode.Copy;
import io.acaciafs.blocks.testkit.RepairTestBase;
import java.util.List;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.junit.jupiter.api.Test;

class BadBlocksTest extends RepairTestBase {
  @Test
  void corruptReplicaIsNotReadAndGoesWhenThereIsAnother() throws Exception {
    List<FakeDatanode> nodes = nodes(3);
    Block block = write(1, nodes.get(0), nodes.get(1));

    reportBad(block, nodes.get(0));
    reportBad(block, nodes.get(0));

    assertThat(places(block)).containsExactly("uuid-dn2");
    assertThat(manager.stats()[ClientProtocol.GET_STATS_CORRUPT_BLOCKS_IDX]).isEqualTo(1);
    assertThat(nodes.get(0).toDelete()).isEmpty();
    manager.repairNow();
    assertThat(copies(array(nodes))).containsExactly(new Copy(block, List.of("uuid-dn3")));
    nodes.get(2).received(block);
    assertThat(nodes.get(0).toDelete()).containsExactly(new Block(1, 0, GS));
    assertThat(manager.stats()[ClientProtocol.GET_STATS_CORRUPT_BLOCKS_IDX]).isZero();
    assertThat(places(block)).containsExactly("uuid-dn2", "uuid-dn3");
  }

  @Test
  void whatItsDataNodeSaysDoesNotMakeItGood() throws Exception {
    List<FakeDatanode> nodes = nodes(2);
    Block block = write(1, nodes.get(0), nodes.get(1));
    reportBad(block, nodes.get(0));
    nodes.get(0).received(block);
    nodes.get(0).reportAll(block);
    assertThat(places(block)).containsExactly("uuid-dn2");
  }

  @Test
  void corruptReplicasAreAllThatIsLeftAndStay() throws Exception {
    List<FakeDatanode> nodes = nodes(3);
    Block block = write(1, nodes.get(0), nodes.get(1));
    reportBad(block, nodes.get(0), nodes.get(1));
    manager.repairNow();

    assertThat(queueOf(block)).isEqualTo(RepairQueue.MISSING);
    assertThat(locate(block).isCorrupt()).isTrue();
    assertThat(places(block)).containsExactly("uuid-dn1", "uuid-dn2");
    for (FakeDatanode node : nodes) {
      assertThat(node.toDelete()).isEmpty();
    }
    assertThat(counters().missing()).isEqualTo(1);
    remove(block);
    assertThat(counters().missing()).isZero();
    assertThat(counters().corrupt()).isZero();
    assertThat(nodes.get(0).toDelete()).hasSize(1);
  }

  @Test
  void corruptReplicaMakesRoomWhereAllNodesHaveOne() throws Exception {
    List<FakeDatanode> nodes = nodes(2);
    Block block = write(1, nodes.get(0), nodes.get(1));
    reportBad(block, nodes.get(0));
    manager.repairNow();
    assertThat(nodes.get(0).toDelete()).hasSize(1);
    nodes.get(0).deleted(block);
    manager.repairNow();
    assertThat(copies(array(nodes))).containsExactly(new Copy(block, List.of("uuid-dn1")));
    nodes.get(0).received(block);
    assertThat(places(block)).containsExactly("uuid-dn1", "uuid-dn2");
  }

  @Test
  void corruptReplicaStaysWhileTheGoodOneIsOnADeadNode() throws Exception {
    List<FakeDatanode> nodes = nodes(3);
    Block block = write(1, nodes.get(0), nodes.get(1));
    clock.advance(DEATH);
    nodes.get(0).heartbeat(false);
    nodes.get(2).heartbeat(false);
    reportBad(block, nodes.get(0));
    setReplication(block, 1);
    manager.repairNow();
    assertThat(nodes.get(0).toDelete()).isEmpty();
  }

  @Test
  void fullReportShowsReplicasOfTheWrongLengthAndStamp() throws Exception {
    List<FakeDatanode> nodes = nodes(4);
    Block shrunk = write(1, nodes.get(0), nodes.get(1));
    Block old = write(2, nodes.get(0), nodes.get(1));
    Block fine = write(3, nodes.get(0), nodes.get(1));

    nodes.get(0).reportAll(new Block(1, 9, GS), new Block(2, 10, GS - 1), fine);

    assertThat(places(shrunk)).containsExactly("uuid-dn2");
    assertThat(places(old)).containsExactly("uuid-dn2");
    assertThat(places(fine)).hasSize(2);
    assertThat(nodes.get(0).toDelete()).extracting(Block::getBlockId).containsExactly(1L, 2L);
    manager.repairNow();
    assertThat(copies(array(nodes))).extracting(Copy::block).containsExactlyInAnyOrder(shrunk, old);
  }
}
