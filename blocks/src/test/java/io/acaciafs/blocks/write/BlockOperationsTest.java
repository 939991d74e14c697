package io.acaciafs.blocks.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.blocks.record.BlockKeys;
import io.acaciafs.blocks.record.BlockRows;
import io.acaciafs.blocks.testkit.BlockTestBase;
import io.acaciafs.blocks.testkit.FakeDatanode;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.junit.jupiter.api.Test;

class BlockOperationsTest extends BlockTestBase {
  @Test
  void newBlockGetsTargetsThatReadersOfTheOpenFileSee() throws Exception {
    nodes(3);
    LocatedBlock located = allocate(1, 3);

    assertThat(located.getLocations()).hasSize(3);
    assertThat(located.getBlock().getBlockPoolId()).isEqualTo(IDENTITY.blockPoolId());
    assertThat(located.getBlock().getNumBytes()).isZero();
    assertThat(located.getStorageTypes()).containsOnly(StorageType.DISK);
    assertThat(located.isCorrupt()).isFalse();
    LocatedBlock seen = manager.locate(store, new Block(1, 99, 1), 7, true);
    assertThat(uuids(seen)).containsExactlyElementsOf(uuids(located));
    assertThat(seen.getStartOffset()).isEqualTo(7);
    assertThat(seen.getBlock().getGenerationStamp()).isEqualTo(GS);
  }

  @Test
  void repeatedAllocationGivesTheSameTargets() throws Exception {
    nodes(6);
    assertThat(uuids(allocate(1, 3))).containsExactlyElementsOf(uuids(allocate(1, 3)));
  }

  @Test
  void blockIdInUseIsRefused() throws Exception {
    Block block = write(1, nodes(1).get(0));
    assertThatThrownBy(() -> allocate(1, 1)).isInstanceOf(IOException.class);
    assertThat(places(block)).hasSize(1);
  }

  @Test
  void tooFewTargetsAreRefusedInTheWordsOfHdfs() {
    assertThatThrownBy(() -> allocate(1, 3))
        .isExactlyInstanceOf(IOException.class)
        .hasMessage(
            "File /file could only be written to 0 of the 1 minReplication nodes. There are 0"
                + " datanode(s) running and no node(s) are excluded in this operation.");
  }

  @Test
  void committedBlockIsCompleteWithItsFirstReplica() throws Exception {
    FakeDatanode node = nodes(3).get(0);
    Block block = new Block(1, 10, GS);
    allocate(1, 3);

    assertThat(commit(block)).isFalse();
    assertThat(isComplete(block)).isFalse();
    node.received(block);
    assertThat(isComplete(block)).isTrue();
    assertThat(commit(block)).isTrue();
  }

  @Test
  void minimalReplicationIsConfigured() throws Exception {
    conf.setInt("dfs.namenode.replication.min", 2);
    manager = newManager();
    List<FakeDatanode> nodes = nodes(2);
    Block block = new Block(1, 10, GS);
    allocate(1, 2);
    nodes.get(0).received(block);

    assertThat(commit(block)).isFalse();
    nodes.get(1).received(block);
    assertThat(isComplete(block)).isTrue();
  }

  @Test
  void replicasReportedBeforeTheCommitCountWhenTheirLengthIsRight() throws Exception {
    FakeDatanode node = nodes(1).get(0);
    allocate(1, 1);
    node.received(new Block(1, 10, GS));

    assertThat(isComplete(new Block(1, 10, GS))).isFalse();
    assertThat(commit(new Block(1, 10, GS))).isTrue();
  }

  @Test
  void commitDropsReplicasOfAnotherLength() throws Exception {
    List<FakeDatanode> nodes = nodes(2);
    allocate(1, 2);
    nodes.get(0).received(new Block(1, 10, GS));
    nodes.get(1).received(new Block(1, 9, GS));

    assertThat(commit(new Block(1, 10, GS))).isTrue();

    assertThat(places(new Block(1))).containsExactly("uuid-dn1");
    assertThat(nodes.get(0).toDelete()).isEmpty();
    assertThat(nodes.get(1).toDelete()).extracting(Block::getBlockId).containsExactly(1L);
  }

  @Test
  void commitKeepsTheOnlyReplicaThoughItsLengthIsWrong() throws Exception {
    List<FakeDatanode> nodes = nodes(2);
    allocate(1, 2);
    nodes.get(1).received(new Block(1, 9, GS));

    assertThat(commit(new Block(1, 10, GS))).isFalse();
    assertThat(nodes.get(1).toDelete()).isEmpty();

    nodes.get(0).received(new Block(1, 10, GS));
    assertThat(nodes.get(1).toDelete()).hasSize(1);
    assertThat(places(new Block(1))).containsExactly("uuid-dn1");
  }

  @Test
  void commitOfAnotherStampOrAShorterLengthIsRefused() throws Exception {
    Block block = write(1, nodes(1).get(0));

    assertThatThrownBy(() -> commit(new Block(1, 10, GS - 1)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("mismatching GS");
    assertThatThrownBy(() -> commit(new Block(1, 9, GS)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("length");
    assertThatThrownBy(() -> commit(new Block(2, 9, GS))).isInstanceOf(IOException.class);
    assertThat(commit(block)).isTrue();
  }

  @Test
  void removedBlockIsDeletedWhereItIsAndWhereItWasExpected() throws Exception {
    List<FakeDatanode> nodes = nodes(3);
    Block block = new Block(1, 10, GS);
    allocate(1, 3);
    nodes.get(0).received(block);
    commit(block);
    nodes.get(1).received(block);

    remove(block, new Block(404));

    for (FakeDatanode node : nodes) {
      assertThat(node.toDelete()).extracting(Block::getGenerationStamp).containsExactly(GS);
    }
    assertThat(places(block)).isEmpty();
    assertThat(isComplete(block)).isFalse();
  }

  @Test
  void wantedReplicationIsStored() throws Exception {
    Block block = write(1, nodes(1).get(0));
    run(
        tx -> {
          manager.setReplication(tx, List.of(block, new Block(404)), (short) 7);
          return null;
        });
    assertThat(BlockRows.read(store, 1).replication()).isEqualTo(7);
    assertThat(places(block)).hasSize(1);
  }

  @Test
  void rowOfABlockWithThreeReplicasIsSmall() throws Exception {
    write(1L << 30, nodes(3).toArray(FakeDatanode[]::new));
    assertThat(store.get(BlockKeys.block(1L << 30))).hasSizeLessThan(20);
  }

  private static List<String> uuids(LocatedBlock located) {
    return Arrays.stream(located.getLocations())
        .map(DatanodeInfoWithStorage::getDatanodeUuid)
        .toList();
  }
}
