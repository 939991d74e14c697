package io.acaciafs.blocks.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.blocks.proto.RepairQueue;
import io.acaciafs.blocks.record.BlockStatus;
import io.acaciafs.blocks.testkit.FakeDatanode;
import io.acaciafs.blocks.testkit.RepairTestBase;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.BlockUCState;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.ReplicaState;
import org.apache.hadoop.hdfs.server.protocol.BlockRecoveryCommand;
import org.apache.hadoop.hdfs.server.protocol.BlockRecoveryCommand.RecoveringBlock;
import org.apache.hadoop.hdfs.server.protocol.DatanodeCommand;
import org.junit.jupiter.api.Test;

/** Replicas that DataNodes report while they are written (RBW) or after a crash (RWR). */
class UnfinishedReplicasTest extends RepairTestBase {
  /** All DataNodes of a pipeline crash after its writer has said how long the block is. */
  @Test
  void crashedReplicasAreRecoveredHoweverLateTheyComeBack() throws Exception {
    FakeDatanode[] nodes = array(nodes(2));
    allocate(1, 2);
    assertThat(commit(new Block(1, 10, GS))).isFalse();
    for (int i = 0; i < 10; i++) {
      clock.advance(PENDING);
      manager.repairNow();
    }
    assertThat(status().isPlaced()).isTrue();
    for (FakeDatanode node : nodes) {
      node.start();
      report(node, new Block(1, 10, GS), ReplicaState.RWR);
      assertThat(node.toDelete()).isEmpty();
    }
    startRecovery();
    assertThat(participants(nodes)).containsExactlyInAnyOrder("uuid-dn1", "uuid-dn2");
  }

  @Test
  void aReplicaThatTheRowDoesNotNameTakesPartInRecovery() throws Exception {
    FakeDatanode[] nodes = array(nodes(2));
    allocate(1, 1);
    for (FakeDatanode node : nodes) {
      report(node, new Block(1, 4, GS + 1), ReplicaState.RWR);
    }
    startRecovery();
    assertThat(participants(nodes)).containsExactlyInAnyOrder("uuid-dn1", "uuid-dn2");
  }

  @Test
  void aCrashedReplicaOfACompleteBlockIsReplaced() throws Exception {
    FakeDatanode[] nodes = array(nodes(3));
    Block block = write(1, nodes[0], nodes[1]);
    nodes[0].start();
    report(nodes[0], block, ReplicaState.RWR); // power failed before its disk had it
    assertThat(places(block)).containsExactly("uuid-dn2");
    assertThat(nodes[0].toDelete()).isEmpty();

    manager.repairNow();
    assertThat(copies(nodes)).isNotEmpty();
    nodes[2].received(block);
    assertThat(nodes[0].toDelete()).containsExactly(new Block(1, 0, GS));
  }

  @Test
  void theLastReplicaIsKeptThoughItCrashed() throws Exception {
    FakeDatanode node = nodes(1).get(0);
    Block block = write(1, node);
    node.start();
    report(node, block, ReplicaState.RWR);
    assertThat(node.toDelete()).isEmpty();
    assertThat(queueOf(block)).isEqualTo(RepairQueue.MISSING);
    assertThat(isComplete(block)).isTrue();
    node.received(new Block(1, 10, GS));
    assertThat(node.toDelete()).isEmpty();
  }

  @Test
  void aLateWordOfAReplicaBeingWrittenChangesNothing() throws Exception {
    FakeDatanode node = nodes(1).get(0);
    Block block = new Block(1, 10, GS);
    allocate(1, 1);
    node.received(block);
    report(node, block, ReplicaState.RBW);
    assertThat(commit(block)).isTrue();
    report(node, block, ReplicaState.RBW);
    assertThat(places(block)).hasSize(1);
  }

  @Test
  void aReplicaThatDroppedOutOfThePipelineIsDeletedWhenTheBlockIsComplete() throws Exception {
    FakeDatanode[] nodes = array(nodes(2));
    allocate(1, 2);
    run(
        tx -> {
          manager
              .pipelines()
              .update(
                  tx,
                  new Block(1, 4, GS + 1),
                  List.of(nodes[0].registration()),
                  List.of(nodes[0].storage(0)));
          return null;
        });
    report(nodes[1], new Block(1, 4, GS), ReplicaState.RWR);
    assertThat(nodes[1].toDelete()).isEmpty();
    nodes[0].received(new Block(1, 10, GS + 1));
    commit(new Block(1, 10, GS + 1));
    assertThat(nodes[1].toDelete()).containsExactly(new Block(1, 0, GS));
    assertThat(nodes[0].toDelete()).isEmpty();
  }

  /** Its writer could go on and close the file in HDFS. */
  @Test
  void aBlockThatWasCompleteStaysSo() throws Exception {
    FakeDatanode node = nodes(1).get(0);
    Block block = write(1, node);
    node.reportAll();
    assertThat(status().state()).isEqualTo(BlockUCState.COMPLETE);
    assertThat(queueOf(block)).isEqualTo(RepairQueue.MISSING);
  }

  private static void report(FakeDatanode node, Block block, ReplicaState state) {
    node.report(0, List.of(FakeDatanode.replica(block, state)));
  }

  private void startRecovery() throws Exception {
    run(
        tx -> {
          manager.recovery().start(tx, 1, 0, () -> 77);
          return null;
        });
  }

  private static List<String> participants(FakeDatanode... nodes) throws IOException {
    List<String> participants = new ArrayList<>();
    for (FakeDatanode node : nodes) {
      for (DatanodeCommand command : node.heartbeat(false).getCommands()) {
        if (command instanceof BlockRecoveryCommand recovery) {
          for (RecoveringBlock block : recovery.getRecoveringBlocks()) {
            Arrays.stream(block.getLocations())
                .map(DatanodeInfo::getDatanodeUuid)
                .forEach(participants::add);
          }
        }
      }
    }
    return participants;
  }

  private BlockStatus status() throws Exception {
    return look(tx -> manager.pipelines().status(tx, 1));
  }
}
