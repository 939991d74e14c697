package io.acaciafs.blocks.write;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.blocks.record.BlockRecord;
import io.acaciafs.blocks.record.BlockRows;
import io.acaciafs.blocks.testkit.BlockTestBase;
import io.acaciafs.blocks.testkit.FakeDatanode;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.junit.jupiter.api.Test;

/** Names the locations that HDFS's BlockManager.createLocatedBlock names. */
class BlockLocatorTest extends BlockTestBase {
  @Test
  void noDeadNodeIsNamedAlsoWhereNoOtherHasTheBlock() throws Exception {
    List<FakeDatanode> nodes = nodes(2);
    Block both = write(1, nodes.get(0), nodes.get(1));
    Block one = write(2, nodes.get(0));
    clock.advance(Duration.ofMinutes(11));
    nodes.get(1).heartbeat(false);

    assertThat(places(both)).containsExactly("uuid-dn2");
    assertThat(places(one)).isEmpty();
    assertThat(locate(one).isCorrupt()).isFalse();
    manager.repairNow();
    assertThat(places(one)).isEmpty();

    nodes.get(0).heartbeat(false);
    nodes.get(0).reportAll(both, one);
    assertThat(places(one)).containsExactly("uuid-dn1");
  }

  @Test
  void failedDisksAreNotNamed() throws Exception {
    FakeDatanode node = node("dn1", "10.0.1.1").start();
    Block block = write(1, node);
    node.failed.add(0);
    node.heartbeat(false);
    assertThat(places(block)).isEmpty();
  }

  @Test
  void corruptReplicasAreNamedWhereNoOtherCanBeRead() throws Exception {
    List<FakeDatanode> nodes = nodes(2);
    Block block = write(1, nodes.get(0), nodes.get(1));
    run(
        tx -> {
          BlockRecord record = BlockRows.get(tx, 1);
          int first = record.storages().get(0);
          BlockRows.put(tx, 1, record.withCorrupt(first));
          return null;
        });
    assertThat(places(block)).hasSize(1);
    assertThat(locate(block).isCorrupt()).isFalse();

    FakeDatanode corrupt = places(block).contains("uuid-dn1") ? nodes.get(1) : nodes.get(0);
    clock.advance(Duration.ofMinutes(11)); // the good one dies
    corrupt.heartbeat(false);
    assertThat(places(block)).containsExactly(corrupt.uuid());
    assertThat(locate(block).isCorrupt()).isTrue();

    clock.advance(Duration.ofMinutes(11)); // and the other
    assertThat(places(block)).isEmpty();
    assertThat(locate(block).isCorrupt()).isFalse();
  }

  @Test
  void blockThatIsBeingWrittenIsWhereItIsExpectedWhateverBecameOfThat() throws Exception {
    nodes(2);
    allocate(1, 2);
    clock.advance(Duration.ofMinutes(11));
    LocatedBlock located = manager.locate(store, new Block(1, 0, GS), 0, true);
    assertThat(located.getLocations()).hasSize(2);
  }

  @Test
  void blockThatIsBeingWrittenIsAsLongAsItsWriterHasSaid() throws Exception {
    List<FakeDatanode> nodes = nodes(2);
    allocate(1, 2);
    assertThat(manager.locate(store, new Block(1, 0, GS), 0, true).getBlockSize()).isZero();
    assertThat(manager.locate(store, new Block(1, 7, GS), 0, true).getBlockSize()).isEqualTo(7);
    commit(new Block(1, 10, GS)); // and is not complete yet
    LocatedBlock committed = manager.locate(store, new Block(1, 7, GS), 0, true);
    assertThat(committed.getBlockSize()).isEqualTo(10);
    assertThat(committed.getLocations()).hasSize(2);
    nodes.get(0).received(new Block(1, 10, GS));
  }
}
