package io.acaciafs.blocks.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.blocks.proto.BlockRow;
import io.acaciafs.blocks.record.BlockRows;
import io.acaciafs.blocks.record.BlockStatus;
import io.acaciafs.blocks.testkit.BlockTestBase;
import io.acaciafs.blocks.testkit.FakeDatanode;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.BlockUCState;
import org.apache.hadoop.hdfs.server.protocol.BlockRecoveryCommand;
import org.apache.hadoop.hdfs.server.protocol.BlockRecoveryCommand.RecoveringBlock;
import org.apache.hadoop.hdfs.server.protocol.DatanodeCommand;
import org.junit.jupiter.api.Test;

class BlockRecoveryTest extends BlockTestBase {
  private static final Duration TIMEOUT = Duration.ofSeconds(30 * 3 + 1);
  private static final long COPY = 101;

  private long lastCopyId = COPY - 1;

  @Test
  void oneDataNodeIsToldOnceToRecoverWithAllOthers() throws Exception {
    List<FakeDatanode> nodes = nodes(3);
    allocate(1, 3);
    start(1, 0);
    start(1, 0); // under way already

    List<RecoveringBlock> told = tell(nodes);
    assertThat(told).hasSize(1);
    assertThat(told.get(0).getNewGenerationStamp()).isEqualTo(GS + 1);
    assertThat(told.get(0).getBlock().getGenerationStamp()).isEqualTo(GS);
    assertThat(told.get(0).getLocations()).hasSize(3);
    assertThat(told.get(0).getNewBlock()).isNull();
    assertThat(tell(nodes)).isEmpty();
    assertThat(status(1).state()).isEqualTo(BlockUCState.UNDER_RECOVERY);
    assertThatThrownBy(() -> commit(new Block(1, 10, GS))).isInstanceOf(IOException.class);
  }

  @Test
  void recoveredReplicasCountAtOnceAndOthersAreDeleted() throws Exception {
    List<FakeDatanode> nodes = nodes(3);
    allocate(1, 3);
    nodes.get(2).received(new Block(1, 3, GS));
    start(1, 0);
    nodes.get(1).received(new Block(1, 7, GS + 1)); // ahead of the primary's word

    assertThat(finish(new Block(1, 7, GS + 1), nodes.get(0))).isTrue();
    assertThat(status(1).state()).isEqualTo(BlockUCState.COMPLETE);
    assertThat(places(new Block(1))).containsExactly("uuid-dn1", "uuid-dn2");
    assertThat(nodes.get(2).toDelete()).hasSize(1);
    nodes.get(0).received(new Block(1, 7, GS + 1));
    nodes.get(0).reportAll(new Block(1, 7, GS + 1));
    assertThat(nodes.get(0).toDelete()).isEmpty();
    assertThat(places(new Block(1))).hasSize(2);
  }

  @Test
  void anotherPrimaryTriesWhenTheFirstDoesNotAnswer() throws Exception {
    List<FakeDatanode> nodes = nodes(2);
    allocate(1, 2);
    List<String> primaries = new ArrayList<>();
    for (int attempt = 1; attempt <= 3; attempt++) {
      start(1, 0);
      for (FakeDatanode node : nodes) {
        for (RecoveringBlock block : recoveries(node)) {
          primaries.add(node.uuid());
          assertThat(block.getNewGenerationStamp()).isEqualTo(GS + attempt);
        }
      }
      clock.advance(TIMEOUT);
    }
    assertThat(primaries).hasSize(3);
    assertThat(primaries.get(1)).isNotEqualTo(primaries.get(0));
    assertThat(status(1).recoveryId()).isEqualTo(GS + 3);
  }

  @Test
  void aRestartedNameNodeBeginsAgainAtOnce() throws Exception {
    FakeDatanode node = nodes(1).get(0);
    write(1, node);
    start(1, 5);
    clock.advance(Duration.ofSeconds(1));
    restart(node);
    assertThat(recoveries(node)).isEmpty();
    start(1, 0);

    RecoveringBlock told = recoveries(node).get(0);
    assertThat(told.getNewGenerationStamp()).isEqualTo(GS + 2);
    assertThat(told.getNewBlock().getNumBytes()).isEqualTo(5);
    assertThat(told.getNewBlock().getGenerationStamp()).isEqualTo(GS + 2);
  }

  @Test
  void deadDataNodesAreLeftOut() throws Exception {
    List<FakeDatanode> nodes = nodes(2);
    allocate(1, 2);
    clock.advance(Duration.ofMinutes(11));
    start(1, 0);
    assertThat(status(1).state()).isEqualTo(BlockUCState.UNDER_RECOVERY);
    nodes.get(1).heartbeat(false);
    start(1, 0);

    RecoveringBlock told = recoveries(nodes.get(1)).get(0);
    assertThat(Arrays.stream(told.getLocations()).map(DatanodeInfo::getDatanodeUuid))
        .containsExactly("uuid-dn2");
  }

  @Test
  void aCutBlockIsCompleteAgainWithItsNewLength() throws Exception {
    FakeDatanode node = nodes(1).get(0);
    Block block = write(1, node);
    start(1, 4);
    assertThat(status(1).truncateToBytes()).isEqualTo(4);
    assertThat(isComplete(block)).isFalse();
    assertThat(finish(new Block(1, 4, GS + 1), node)).isTrue();
    assertThat(places(new Block(1))).containsExactly("uuid-dn1");
    assertThat(BlockRows.read(store, 1).numBytes()).isEqualTo(4);
    assertThat(node.toDelete()).isEmpty();
  }

  private Block copyOnTruncate(FakeDatanode... nodes) throws Exception {
    manager.upgrades().begin(clock.millis(), "host:/backup").join();
    Block block = write(1, nodes);
    start(1, 4);
    return block;
  }

  @Test
  void duringARollingUpgradeWhatIsKeptIsCopiedToAnotherBlock() throws Exception {
    FakeDatanode node = nodes(1).get(0);
    Block block = copyOnTruncate(node);

    RecoveringBlock told = recoveries(node).get(0);
    Block copy = new Block(COPY, 4, GS + 2);
    assertThat(told.getBlock().getLocalBlock()).isEqualTo(block);
    assertThat(told.getBlock().getGenerationStamp()).isEqualTo(GS);
    assertThat(told.getNewGenerationStamp()).isEqualTo(GS + 2);
    assertThat(described(told.getNewBlock())).isEqualTo(described(copy));
    assertThat(status(1).copyId()).isEqualTo(COPY);
    assertThat(status(1).truncateToBytes()).isEqualTo(4);

    node.received(copy); // ahead of the word of the primary
    node.reportAll(block, copy);
    assertThat(node.toDelete()).as("what is being made").isEmpty();
    assertThat(finish(1, copy, node)).isTrue();

    assertThat(places(new Block(COPY))).containsExactly("uuid-dn1");
    assertThat(BlockRows.read(store, COPY).numBytes()).isEqualTo(4);
    assertThat(BlockRows.read(store, COPY).fileId()).isEqualTo(5);
    assertThat(BlockRows.read(store, 1)).isNull();
    assertThat(node.toDelete())
        .extracting(BlockRecoveryTest::described)
        .containsExactly(described(block, 0));
    node.received(copy);
    node.reportAll(copy);
    assertThat(node.toDelete()).isEmpty();
    assertThat(status(COPY).state()).isEqualTo(BlockUCState.COMPLETE);
  }

  @Test
  void eachAttemptMakesAnotherCopyAndWhatOthersMadeIsDeleted() throws Exception {
    FakeDatanode node = nodes(1).get(0);
    copyOnTruncate(node);
    Block first = recoveries(node).get(0).getNewBlock();
    node.received(first);
    clock.advance(TIMEOUT);
    node.heartbeat(false);
    start(1, 0);

    assertThat(status(1).copyId()).isEqualTo(COPY + 1);
    assertThatThrownBy(() -> finish(1, first, node)).isInstanceOf(IOException.class);
    assertThat(node.toDelete())
        .extracting(BlockRecoveryTest::described)
        .containsExactly(described(first, 0));
    node.deleted(first);
    node.received(first); // late
    assertThat(node.toDelete()).extracting(Block::getBlockId).containsExactly(COPY);
    assertThat(finish(1, new Block(COPY + 1, 4, status(1).recoveryId()), node)).isTrue();
  }

  @Test
  void aCopyOfARemovedBlockIsDeletedToo() throws Exception {
    FakeDatanode node = nodes(1).get(0);
    Block block = copyOnTruncate(node);
    Block copy = recoveries(node).get(0).getNewBlock();
    node.received(copy);
    remove(block);
    assertThat(node.toDelete()).extracting(Block::getBlockId).containsExactlyInAnyOrder(1L, COPY);
    assertThatThrownBy(() -> finish(1, copy, node)).isInstanceOf(IOException.class);
    assertThat(BlockRows.read(store, COPY)).isNull();
  }

  @Test
  void theNextAttemptCutsInPlaceIfTheUpgradeIsOver() throws Exception {
    FakeDatanode node = nodes(1).get(0);
    copyOnTruncate(node);
    assertThat(recoveries(node).get(0).getNewBlock().getBlockId()).isEqualTo(COPY);
    manager.upgrades().finish(clock.millis()).join();
    clock.advance(Duration.ofSeconds(1));
    restart(node);
    node.heartbeat(false);
    start(1, 0);

    Block cut = recoveries(node).get(0).getNewBlock();
    assertThat(described(cut)).isEqualTo(described(new Block(1, 4, GS + 3)));
    assertThat(finish(cut, node)).isTrue();
    assertThat(BlockRows.read(store, 1).numBytes()).isEqualTo(4);
  }

  @Test
  void aBlockThatIsOnlyClosedIsNotCopied() throws Exception {
    FakeDatanode node = nodes(1).get(0);
    manager.upgrades().begin(clock.millis(), "host:/backup").join();
    allocate(1, 1);
    start(1, 0);
    assertThat(recoveries(node).get(0).getNewBlock()).isNull();
    assertThat(status(1).copyId()).isZero();
  }

  @Test
  void aCopyThatIsOnNoKnownDataNodeReplacesNothing() throws Exception {
    FakeDatanode node = nodes(1).get(0);
    copyOnTruncate(node);
    Block copy = recoveries(node).get(0).getNewBlock();
    FakeDatanode unknown = node("dn9", "10.0.1.9");
    assertThatThrownBy(() -> finish(1, copy, unknown)).isInstanceOf(IOException.class);
    assertThat(BlockRows.read(store, 1)).isNotNull();
  }

  /** A version that does not know of copies, and so takes every recovery for one in place. */
  @Test
  void aVersionThatKnowsOfNoCopiesTakesNoneForACut() throws Exception {
    FakeDatanode node = nodes(1).get(0);
    copyOnTruncate(node);
    long stampOfCopy = recoveries(node).get(0).getNewGenerationStamp();
    BlockRow row = BlockRow.parseFrom(BlockRows.read(store, 1).encode());
    assertThat(row.getRecovery().getId()).isNotEqualTo(stampOfCopy);
    assertThat(row.getIssuedGenerationStamp()).isGreaterThanOrEqualTo(stampOfCopy);
    assertThat(row.getRecovery().getTruncateToBytes()).isEqualTo(4);
  }

  private static String described(Block block) {
    return described(block, block.getNumBytes());
  }

  private static String described(Block block, long lengthBytes) {
    return block.getBlockId() + "/" + block.getGenerationStamp() + "/" + lengthBytes;
  }

  @Test
  void aRemovedBlockIsNotRecovered() throws Exception {
    List<FakeDatanode> nodes = nodes(1);
    allocate(1, 1);
    start(1, 0);
    remove(new Block(1));
    assertThat(tell(nodes)).isEmpty();
    assertThatThrownBy(() -> start(1, 0)).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> finish(new Block(1, 4, GS + 1), nodes.get(0)))
        .isInstanceOf(IOException.class);
  }

  private void start(long blockId, long truncateToBytes) throws Exception {
    run(
        tx -> {
          manager.recovery().start(tx, blockId, truncateToBytes, () -> ++lastCopyId);
          return null;
        });
  }

  private boolean finish(Block recovered, FakeDatanode node) throws Exception {
    return finish(recovered.getBlockId(), recovered, node);
  }

  private boolean finish(long blockId, Block recovered, FakeDatanode node) throws Exception {
    return run(
        tx ->
            manager
                .recovery()
                .finish(
                    tx,
                    blockId,
                    recovered,
                    List.of(node.registration()),
                    List.of(node.storage(0))));
  }

  private BlockStatus status(long blockId) throws Exception {
    return run(tx -> manager.pipelines().status(tx, blockId));
  }

  private static List<RecoveringBlock> tell(List<FakeDatanode> nodes) throws IOException {
    List<RecoveringBlock> all = new ArrayList<>();
    for (FakeDatanode node : nodes) {
      all.addAll(recoveries(node));
    }
    return all;
  }

  private static List<RecoveringBlock> recoveries(FakeDatanode node) throws IOException {
    List<RecoveringBlock> blocks = new ArrayList<>();
    for (DatanodeCommand command : node.heartbeat(false).getCommands()) {
      if (command instanceof BlockRecoveryCommand recovery) {
        blocks.addAll(recovery.getRecoveringBlocks());
      }
    }
    return blocks;
  }
}
