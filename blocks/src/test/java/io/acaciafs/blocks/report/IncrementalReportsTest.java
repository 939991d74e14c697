package io.acaciafs.blocks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.blocks.record.BlockKeys;
import io.acaciafs.blocks.testkit.BlockTestBase;
import io.acaciafs.blocks.testkit.FakeDatanode;
import io.acaciafs.kv.memory.Fault;
import io.acaciafs.kv.memory.Faults;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.server.protocol.ReceivedDeletedBlockInfo.BlockStatus;
import org.junit.jupiter.api.Test;

class IncrementalReportsTest extends BlockTestBase {
  @Test
  void replicaThatComesLateIsFoundByReaders() throws Exception {
    List<FakeDatanode> nodes = nodes(2);
    Block block = write(1, nodes.get(0));
    nodes.get(1).received(block);
    nodes.get(1).received(block);
    assertThat(places(block)).containsExactly("uuid-dn1", "uuid-dn2");
  }

  @Test
  void replicaOfNoBlockIsDeleted() throws Exception {
    FakeDatanode node = nodes(1).get(0);
    node.received(new Block(404, 1, GS));
    assertThat(node.toDelete()).containsExactly(new Block(404, 0, GS));
  }

  @Test
  void replicaWithAnOlderStampIsDeletedWhenAnotherIsGood() throws Exception {
    List<FakeDatanode> nodes = nodes(2);
    Block block = write(1, nodes.get(0));
    nodes.get(1).received(new Block(1, 10, GS - 1));

    assertThat(nodes.get(1).toDelete()).containsExactly(new Block(1, 0, GS - 1));
    assertThat(places(block)).containsExactly("uuid-dn1");
  }

  @Test
  void replicaWithANewerStampIsNeitherUsedNorDeleted() throws Exception {
    List<FakeDatanode> nodes = nodes(2);
    Block block = write(1, nodes.get(0));
    nodes.get(1).received(new Block(1, 10, GS + 1));

    assertThat(nodes.get(1).toDelete()).isEmpty();
    assertThat(places(block)).containsExactly("uuid-dn1");
  }

  @Test
  void replicaOfTheWrongLengthIsDeletedWhenAnotherIsGood() throws Exception {
    List<FakeDatanode> nodes = nodes(2);
    Block block = write(1, nodes.get(0));
    nodes.get(1).received(new Block(1, 11, GS));

    assertThat(nodes.get(1).toDelete()).hasSize(1);
    assertThat(places(block)).containsExactly("uuid-dn1");
  }

  @Test
  void lastReplicaIsNeverDeletedWhateverItIs() throws Exception {
    FakeDatanode node = nodes(1).get(0);
    Block block = write(1, node);
    node.received(new Block(1, 3, GS));
    node.received(new Block(1, 3, GS - 1));
    assertThat(node.toDelete()).isEmpty();
    assertThat(places(block)).containsExactly("uuid-dn1"); // something may be saved from it
    assertThat(locate(block).isCorrupt()).isTrue();
    assertThat(isComplete(block)).isTrue(); // its writer goes on all the same
  }

  @Test
  void deletedReplicaLeavesTheBlock() throws Exception {
    List<FakeDatanode> nodes = nodes(2);
    Block block = write(1, nodes.get(0), nodes.get(1));
    nodes.get(0).deleted(block);
    assertThat(places(block)).containsExactly("uuid-dn2");
    assertThat(store.get(BlockKeys.replica(1, 1))).isNull();
    assertThat(store.get(BlockKeys.replica(2, 1))).isNotNull();
  }

  @Test
  void replicaBeingDeletedDoesNotComeBack() throws Exception {
    List<FakeDatanode> nodes = nodes(2);
    Block block = write(1, nodes.get(0));
    nodes.get(1).received(new Block(1, 11, GS)); // is to be deleted
    nodes.get(1).received(block); // a report from before
    assertThat(places(block)).containsExactly("uuid-dn1");
    nodes.get(1).deleted(block);
    nodes.get(1).received(block); // copied again
    assertThat(places(block)).containsExactly("uuid-dn1", "uuid-dn2");
    assertThat(nodes.get(1).toDelete()).isEmpty();
  }

  @Test
  void replicaOnAnotherStorageOfTheNodeIsTheExpectedOne() throws Exception {
    FakeDatanode node = node("dn1", "10.0.1.1").withStorage(StorageType.DISK).start();
    Block block = new Block(1, 10, GS);
    String expected = allocate(1, 1).getStorageIDs()[0];
    int other = expected.equals(node.storage(0)) ? 1 : 0;
    node.tell(other, BlockStatus.RECEIVED_BLOCK, block);

    assertThat(manager.locate(store, block, 0, true).getLocations()).hasSize(1);
    assertThat(commit(block)).isTrue();
    assertThat(locate(block).getStorageIDs()).containsExactly(node.storage(other));
    remove(block);
    assertThat(node.toDelete()).containsExactly(new Block(1, 0, GS));
  }

  @Test
  void reportBeforeTheRegistrationIsKeptByTheDataNode() {
    FakeDatanode stranger = node("dn9", "10.0.1.9");
    assertThatThrownBy(() -> stranger.received(new Block(1, 1, GS)))
        .hasMessageContaining("not registered");
  }

  @Test
  void replicaBeingReceivedChangesNothing() throws Exception {
    FakeDatanode node = nodes(1).get(0);
    node.tell(0, BlockStatus.RECEIVING_BLOCK, new Block(404, 0, GS));
    assertThat(node.toDelete()).isEmpty();
  }

  @Test
  void eachBlockOfALargeReportIsStoredDespiteConflicts() throws Exception {
    manager.close();
    faults = Faults.seeded(7, Map.of(Fault.CONFLICT, 0.2));
    open();
    List<FakeDatanode> nodes = nodes(3);
    Block[] blocks =
        IntStream.rangeClosed(1, 2500).mapToObj(i -> new Block(i, 10, GS)).toArray(Block[]::new);
    for (Block block : blocks) {
      allocate(block.getBlockId(), 3);
      commit(block);
    }
    nodes.parallelStream().forEach(node -> node.received(blocks));
    for (Block block : blocks) {
      assertThat(places(block)).hasSize(3);
    }
  }
}
