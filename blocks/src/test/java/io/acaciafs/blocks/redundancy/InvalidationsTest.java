package io.acaciafs.blocks.redundancy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.blocks.record.BlockKeys;
import io.acaciafs.blocks.record.ReportedReplica;
import io.acaciafs.blocks.testkit.BlockTestBase;
import io.acaciafs.blocks.testkit.FakeDatanode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.apache.hadoop.hdfs.protocol.Block;
import org.junit.jupiter.api.Test;

class InvalidationsTest extends BlockTestBase {
  @Override
  protected void configure() {
    conf.setInt("dfs.block.invalidate.limit", 100);
    conf.set("acacia.datanode.invalidate.resend-interval", "5m");
  }

  @Test
  void deletionIsAskedForAgainOnlyAfterAWhile() throws Exception {
    FakeDatanode node = nodes(1).get(0);
    Block block = write(1, node);
    remove(block);

    assertThat(node.toDelete()).hasSize(1);
    clock.advance(Duration.ofMinutes(4));
    assertThat(node.toDelete()).isEmpty();
    clock.advance(Duration.ofMinutes(1));
    assertThat(node.toDelete()).hasSize(1);
  }

  @Test
  void confirmedDeletionIsNeverAskedForAgain() throws Exception {
    FakeDatanode node = nodes(1).get(0);
    Block block = write(1, node);
    remove(block);
    node.deleted(node.toDelete().toArray(Block[]::new));

    clock.advance(Duration.ofMinutes(10));
    assertThat(node.toDelete()).isEmpty();
    assertThat(store.get(BlockKeys.invalidation(1, 1))).isNull();
  }

  @Test
  void oneHeartbeatCarriesNoMoreThanTheLimit() throws Exception {
    FakeDatanode node = nodes(1).get(0);
    List<Block> blocks = new ArrayList<>();
    for (int i = 1; i <= 250; i++) {
      blocks.add(write(i, node));
    }
    remove(blocks.toArray(Block[]::new));

    TreeSet<Long> asked = new TreeSet<>();
    for (int size : new int[] {100, 100, 50, 0}) {
      List<Block> some = node.toDelete();
      assertThat(some).hasSize(size);
      some.forEach(block -> asked.add(block.getBlockId()));
    }
    assertThat(asked).hasSize(250);
  }

  @Test
  void deletionsThatAreNeverConfirmedDoNotHoldUpOthers() throws Exception {
    FakeDatanode node = nodes(1).get(0);
    List<Block> blocks = new ArrayList<>();
    for (int i = 1; i <= 3000; i++) {
      blocks.add(write(i, node));
    }
    remove(blocks.toArray(Block[]::new));

    TreeSet<Long> asked = new TreeSet<>();
    for (int heartbeat = 0; heartbeat < 1000 && asked.size() < 3000; heartbeat++) {
      node.toDelete().forEach(block -> asked.add(block.getBlockId()));
      clock.advance(Duration.ofSeconds(3));
    }
    assertThat(asked).hasSize(3000);
  }

  @Test
  void deletionWrittenAfterALongRestIsNoticedAtOnce() throws Exception {
    FakeDatanode node = nodes(1).get(0);
    Block block = write(1, node);
    for (int i = 0; i < 100; i++) {
      assertThat(node.toDelete()).isEmpty();
      clock.advance(Duration.ofSeconds(3));
    }
    remove(block);
    assertThat(node.toDelete()).hasSize(1);
  }

  @Test
  void deletionsSurviveTheProcess() throws Exception {
    FakeDatanode node = nodes(1).get(0);
    Block block = write(1, node);
    remove(block);
    assertThat(node.toDelete()).hasSize(1);

    restart(node);
    assertThat(node.toDelete()).containsExactly(new Block(1, 0, GS));
    node.deleted(block);
    restart(node);
    assertThat(node.toDelete()).isEmpty();
  }

  /** DataNodes delete only what has the very stamp that they are told. */
  @Test
  void replicaWithAnotherStampThanThoughtIsDeletedToo() throws Exception {
    FakeDatanode node = nodes(1).get(0);
    remove(write(1, node));
    assertThat(node.toDelete()).extracting(Block::getGenerationStamp).containsExactly(GS);
    for (long stamp : new long[] {GS - 1, GS + 1}) {
      node.reportAll(new Block(1, 10, stamp));
      assertThat(node.toDelete()).extracting(Block::getGenerationStamp).containsExactly(stamp);
    }
  }

  @Test
  void replicaOfABlockThatIsThereIsNoOrphan() throws Exception {
    FakeDatanode node = nodes(1).get(0);
    write(1, node);
    Invalidations invalidations = newInvalidations();
    assertThatThrownBy(
            () ->
                run(
                    tx -> {
                      invalidations.queueOrphan(tx, new ReportedReplica(1, 10, GS), 1);
                      return null;
                    }))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("which is there");
    assertThat(node.toDelete()).isEmpty();
  }

  @Test
  void dataNodeThatStartsAnewIsAskedAgain() throws Exception {
    FakeDatanode node = nodes(1).get(0);
    remove(write(1, node));
    assertThat(node.toDelete()).hasSize(1);
    manager.register(node.registration(), node.ip()).join();
    assertThat(node.toDelete()).hasSize(1);
  }
}
