package io.acaciafs.blocks;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.blocks.proto.RepairQueue;
import io.acaciafs.blocks.record.BlockReplicas;
import io.acaciafs.blocks.record.BlockReplicas.Corruption;
import io.acaciafs.blocks.record.BlockReplicas.Replica;
import io.acaciafs.blocks.record.BlockReplicas.State;
import io.acaciafs.blocks.testkit.FakeDatanode;
import io.acaciafs.blocks.testkit.RepairTestBase;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.hdfs.protocol.Block;
import org.junit.jupiter.api.Test;

class BlockInspectorTest extends RepairTestBase {
  private static final Duration STALE = Duration.ofSeconds(40);

  private BlockReplicas inspect(Block block) {
    return manager.inspector().inspect(block.getBlockId());
  }

  private static Replica on(FakeDatanode node, BlockReplicas block) {
    return block.replicas().stream()
        .filter(
            replica ->
                replica.place().getDatanodeUuid().equals(node.registration().getDatanodeUuid()))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void tellsGoodAndCorruptReplicasAndWhy() throws Exception {
    List<FakeDatanode> nodes = nodes(3);
    Block block = write(1, nodes.get(0), nodes.get(1));
    reportBad(block, nodes.get(0));
    nodes.get(2).received(new Block(1, 9, GS));

    BlockReplicas found = inspect(block);

    assertThat(found.fileId()).isEqualTo(5);
    assertThat(found.wanted()).isEqualTo(2);
    assertThat(found.isCommitted()).isTrue();
    assertThat(on(nodes.get(0), found).corruption()).isEqualTo(Corruption.CORRUPTION_REPORTED);
    assertThat(on(nodes.get(1), found).state()).isEqualTo(State.LIVE);
    assertThat(found.count(State.LIVE)).isEqualTo(1);
    assertThat(inspect(new Block(99))).isNull();
  }

  @Test
  void tellsWhereABlockIsBeingWritten() throws Exception {
    List<FakeDatanode> nodes = nodes(3);
    allocate(1, 3);
    BlockReplicas found = inspect(new Block(1));
    assertThat(found.isCommitted()).isFalse();
    assertThat(found.replicas()).hasSize(nodes.size());
  }

  @Test
  void leavesOutTheDeadAndMarksTheSilent() throws Exception {
    List<FakeDatanode> nodes = nodes(2);
    Block block = write(1, nodes.get(0), nodes.get(1));
    clock.advance(STALE);
    nodes.get(0).heartbeat(false);
    assertThat(on(nodes.get(0), inspect(block)).isNodeStale()).isFalse();
    assertThat(on(nodes.get(1), inspect(block)).isNodeStale()).isTrue();
    killAllBut(nodes.get(0));
    assertThat(inspect(block).replicas()).hasSize(1);
  }

  @Test
  void looksAgainAtABlockThatASecondRackConcerns() throws Exception {
    List<FakeDatanode> nodes = nodes(2);
    Block block = write(1, nodes.get(0), nodes.get(1));
    assertThat(manager.inspector().lookAgain(1).join()).isFalse();
    node("far", "10.0.2.1").start();

    assertThat(manager.inspector().lookAgain(1).join()).isTrue();
    assertThat(queueOf(block)).isEqualTo(RepairQueue.BADLY_DISTRIBUTED);
    assertThat(manager.inspector().lookAgain(99).join()).isFalse();
  }
}
