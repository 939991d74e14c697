package io.acaciafs.blocks.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.blocks.record.BlockRows;
import io.acaciafs.blocks.record.BlockStatus;
import io.acaciafs.blocks.testkit.FakeDatanode;
import io.acaciafs.blocks.testkit.RepairTestBase;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.BlockUCState;
import org.junit.jupiter.api.Test;

class PipelineUpdateTest extends RepairTestBase {
  @Test
  void issuedStampsGrowOverRestartsAndAppends() throws Exception {
    FakeDatanode node = nodes(1).get(0);
    allocate(1, 1);
    assertThat(issue(1)).isEqualTo(GS + 1);
    assertThat(issue(1)).isEqualTo(GS + 2);
    restart(node);
    assertThat(issue(1)).isEqualTo(GS + 3);
    node.received(new Block(1, 10, GS));
    assertThat(commit(new Block(1, 10, GS))).isTrue();

    reopen(new Block(1, 10, GS));
    assertThat(issue(1)).isEqualTo(GS + 4);
  }

  @Test
  void blockIsCompleteWithTheReplicasOfTheNewPipeline() throws Exception {
    List<FakeDatanode> nodes = nodes(3);
    allocate(1, 3);
    nodes.get(2).received(new Block(1, 4, GS)); // ended its part before the pipeline broke
    long stamp = issue(1);
    update(new Block(1, 4, stamp), nodes.get(0), nodes.get(1));
    assertThat(expectedPlaces()).containsExactlyInAnyOrder("uuid-dn1", "uuid-dn2");
    assertThatThrownBy(() -> commit(new Block(1, 10, GS))).isInstanceOf(IOException.class);

    assertThat(commit(new Block(1, 10, stamp))).isFalse();
    nodes.get(0).received(new Block(1, 10, stamp));
    assertThat(status(1).state()).isEqualTo(BlockUCState.COMPLETE);
    assertThat(places(new Block(1))).containsExactly("uuid-dn1");
    assertThat(nodes.get(2).toDelete()).extracting(Block::getGenerationStamp).containsExactly(GS);
  }

  @Test
  void aReplicaOfThePipelineBeforeIsDeletedWhenItComesBack() throws Exception {
    List<FakeDatanode> nodes = nodes(2);
    allocate(1, 2);
    long stamp = issue(1);
    update(new Block(1, 4, stamp), nodes.get(0));
    nodes.get(0).received(new Block(1, 10, stamp));
    commit(new Block(1, 10, stamp));
    nodes.get(1).received(new Block(1, 4, GS));

    assertThat(nodes.get(1).toDelete()).hasSize(1);
    assertThat(places(new Block(1))).containsExactly("uuid-dn1");
  }

  /** Its DataNode may be well, and would keep it until its next full report. */
  @Test
  void whatThePipelineBeforeLeftBehindIsDeleted() throws Exception {
    List<FakeDatanode> nodes = nodes(2);
    allocate(1, 2);
    long stamp = issue(1);
    update(new Block(1, 4, stamp), nodes.get(0));
    assertThat(nodes.get(1).toDelete()).isEmpty();
    nodes.get(0).received(new Block(1, 10, stamp));
    commit(new Block(1, 10, stamp));

    assertThat(nodes.get(1).toDelete()).containsExactly(new Block(1, 0, GS));
    assertThat(nodes.get(0).toDelete()).isEmpty();
  }

  @Test
  void aReopenedBlockIsWrittenWhereItIsAndWhereItWasWritten() throws Exception {
    List<FakeDatanode> nodes = nodes(3);
    allocate(1, 3);
    nodes.get(0).received(new Block(1, 10, GS));
    commit(new Block(1, 10, GS));

    LocatedBlock reopened = reopen(new Block(1, 10, GS));
    assertThat(reopened.getLocations()).hasSize(3);
    assertThat(reopened.getBlock().getNumBytes()).isEqualTo(10);
    assertThat(status(1).state()).isEqualTo(BlockUCState.UNDER_CONSTRUCTION);
    assertThatThrownBy(() -> commit(new Block(1, 9, GS))).isInstanceOf(IOException.class);
    assertThat(commit(new Block(1, 10, GS))).isTrue(); // nothing was written
    assertThat(places(new Block(1))).containsExactly("uuid-dn1");
  }

  @Test
  void aBlockAppendedTwiceInARowKeepsItsWholePipeline() throws Exception {
    FakeDatanode[] nodes = array(nodes(3));
    Block block = write(1, nodes);
    reopen(block);
    long stamp = issue(1);
    update(new Block(1, 10, stamp), nodes);
    Block appended = new Block(1, 15, stamp);
    commit(appended);
    nodes[0].received(appended);
    nodes[1].received(block); // sent before it was appended to
    assertThat(nodes[1].toDelete()).isEmpty();
    assertThat(nodes[2].toDelete()).isEmpty();

    assertThat(reopen(appended).getLocations()).hasSize(3);
  }

  @Test
  void anAppendedReplicaThatNeverComesIsDeletedInTheEnd() throws Exception {
    FakeDatanode[] nodes = array(nodes(2));
    Block block = write(1, nodes);
    reopen(block);
    long stamp = issue(1);
    update(new Block(1, 10, stamp), nodes);
    Block appended = new Block(1, 15, stamp);
    commit(appended);
    nodes[0].received(appended);

    clock.advance(PENDING);
    nodes[0].heartbeat(false);
    nodes[1].heartbeat(false);
    manager.repairNow();
    assertThat(nodes[1].toDelete()).extracting(Block::getGenerationStamp).containsExactly(GS);
  }

  @Test
  void anAppendedReplicaIsKnownThoughTheWordOfItWasLost() throws Exception {
    FakeDatanode node = nodes(1).get(0);
    Block block = write(1, node);
    reopen(block);
    long stamp = issue(1);
    update(new Block(1, 10, stamp), node);
    assertThat(commit(new Block(1, 15, stamp))).isFalse();

    node.reportAll(new Block(1, 15, stamp));
    assertThat(isComplete(block)).isTrue();
    assertThat(node.toDelete()).isEmpty();
  }

  @Test
  void furtherDataNodesComeBehindThoseThatStay() throws Exception {
    List<FakeDatanode> nodes = nodes(4);
    DatanodeInfo existing = infos(nodes.get(1)).get(0);
    LocatedBlock located =
        manager
            .pipelines()
            .additional(
                request(1, 1).excluding(Set.of("uuid-dn3", "uuid-dn4")),
                List.of(existing),
                List.of(nodes.get(1).storage(0)));
    assertThat(Arrays.stream(located.getLocations()).map(DatanodeInfo::getDatanodeUuid))
        .containsExactly("uuid-dn2", "uuid-dn1");
  }

  /** The pipeline keeps to two racks when one of them is lost. */
  @Test
  void furtherDataNodesComeFromOtherRacks() throws Exception {
    List<FakeDatanode> nodes = nodes(6); // on one rack
    FakeDatanode far = node("far", "10.0.2.1").start();
    for (int i = 0; i < 10; i++) {
      LocatedBlock located =
          manager
              .pipelines()
              .additional(
                  request(1, 1),
                  List.of(infos(nodes.get(0)).get(0), infos(nodes.get(1)).get(0)),
                  List.of(nodes.get(0).storage(0), nodes.get(1).storage(0)));
      assertThat(located.getLocations()[2].getDatanodeUuid()).isEqualTo(far.uuid());
    }
  }

  @Test
  void aBlockIsAppendedToOnlyWhereItCanBeRead() throws Exception {
    List<FakeDatanode> nodes = nodes(3);
    Block block = write(1, nodes.get(0), nodes.get(1));
    assertThat(canBeAppendedTo(block)).isTrue();
    killAllBut(nodes.get(1), nodes.get(2));
    assertThat(canBeAppendedTo(block)).isTrue();
    nodes.get(1).failed.add(0); // its disk
    nodes.get(1).heartbeat(false);
    assertThat(canBeAppendedTo(block)).isFalse();
    nodes.get(1).failed.clear();
    nodes.get(1).heartbeat(false);
    comeBack(nodes.get(1), block);
    assertThat(reopen(block).getLocations())
        .extracting(DatanodeInfo::getDatanodeUuid)
        .containsExactly("uuid-dn2"); // and not dn3, where a copy is to come
  }

  private boolean canBeAppendedTo(Block block) throws Exception {
    return look(tx -> manager.pipelines().isSufficientlyReplicated(tx, block.getBlockId()));
  }

  @Test
  void blocksGoOverToAnotherFile() throws Exception {
    Block block = write(1, nodes(1).get(0));
    run(
        tx -> {
          manager.pipelines().reassign(tx, List.of(block), 99, (short) 4);
          return null;
        });
    assertThat(status(1).fileId()).isEqualTo(99);
    assertThat(BlockRows.read(store, 1).replication()).isEqualTo(4);
  }

  private List<String> expectedPlaces() {
    return Arrays.stream(manager.locate(store, new Block(1), 0, true).getLocations())
        .map(DatanodeInfo::getDatanodeUuid)
        .filter(uuid -> !uuid.equals("uuid-dn3"))
        .toList();
  }

  private long issue(long blockId) throws Exception {
    return run(tx -> manager.pipelines().issueGenerationStamp(tx, blockId))
        .getBlock()
        .getGenerationStamp();
  }

  private void update(Block updated, FakeDatanode... nodes) throws Exception {
    run(
        tx -> {
          manager
              .pipelines()
              .update(
                  tx, updated, infos(nodes), Arrays.stream(nodes).map(n -> n.storage(0)).toList());
          return null;
        });
  }

  private LocatedBlock reopen(Block block) throws Exception {
    return run(tx -> manager.pipelines().reopen(tx, block, 0));
  }

  private BlockStatus status(long blockId) throws Exception {
    return run(tx -> manager.pipelines().status(tx, blockId));
  }

  private static List<DatanodeInfo> infos(FakeDatanode... nodes) {
    return Arrays.stream(nodes)
        .<DatanodeInfo>map(
            node -> new DatanodeInfo.DatanodeInfoBuilder().setNodeID(node.registration()).build())
        .toList();
  }
}
