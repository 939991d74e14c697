package io.acaciafs.blocks.report;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.blocks.record.BlockKeys;
import io.acaciafs.blocks.testkit.BlockTestBase;
import io.acaciafs.blocks.testkit.FakeDatanode;
import io.acaciafs.blocks.testkit.InterruptedReport;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Scan;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.BlockListAsLongs;
import org.apache.hadoop.hdfs.protocol.BlockListAsLongs.BlockReportReplica;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.ReplicaState;
import org.apache.hadoop.hdfs.server.protocol.FinalizeCommand;
import org.apache.hadoop.hdfs.server.protocol.ReceivedDeletedBlockInfo.BlockStatus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class FullReportsTest extends BlockTestBase {
  @Test
  void reportAddsWhatWasNotStoredAndRemovesWhatIsNotThere() throws Exception {
    List<FakeDatanode> nodes = nodes(2);
    Block kept = write(1, nodes.get(0), nodes.get(1));
    Block lost = write(2, nodes.get(0), nodes.get(1));
    Block found = write(3, nodes.get(0));

    assertThat(nodes.get(1).reportAll(found, kept)).isInstanceOf(FinalizeCommand.class);

    assertThat(places(kept)).containsExactly("uuid-dn1", "uuid-dn2");
    assertThat(places(lost)).containsExactly("uuid-dn1");
    assertThat(places(found)).containsExactly("uuid-dn1", "uuid-dn2");
    assertThat(nodes.get(1).toDelete()).isEmpty();
  }

  /** Random states of both sides: after the report the rows say what the report said. */
  @Test
  void anyDifferenceIsReconciled() throws Exception {
    FakeDatanode first = nodes(1).get(0);
    FakeDatanode other = node("dn2", "10.0.1.2").start();
    Random random = new Random(11);
    Set<Long> reported = new TreeSet<>();
    Set<Long> live = new TreeSet<>();
    List<Block> report = new ArrayList<>();
    for (long id = 1; id <= 5000; id++) {
      if (random.nextInt(4) > 0) {
        live.add(id);
        if (random.nextBoolean()) {
          write(id, other, first);
        } else {
          write(id, other);
        }
      }
      if (random.nextInt(3) > 0) {
        reported.add(id);
        report.add(random.nextInt(report.size() + 1), new Block(id, 10, GS));
      }
    }

    first.reportAll(report.toArray(Block[]::new));

    for (long id : live) {
      assertThat(places(new Block(id, 10, GS)))
          .as("block %d", id)
          .hasSize(reported.contains(id) ? 2 : 1);
    }
    Set<Long> useless = new TreeSet<>(reported);
    useless.removeAll(live);
    Set<Long> asked = new TreeSet<>();
    for (int heartbeat = 0; heartbeat < 10; heartbeat++) {
      first.toDelete().forEach(block -> asked.add(block.getBlockId()));
    }
    assertThat(asked).isEqualTo(useless);
    assertThat(other.toDelete()).isEmpty();
  }

  @Test
  @Timeout(value = 30, unit = SECONDS)
  void manyReplicasOfNoBlockAreDeletedInBoundedTime() throws Exception {
    FakeDatanode node = nodes(1).get(0);
    Block live = write(50_000, node);
    node.reportAll(
        LongStream.rangeClosed(1, 100_000)
            .mapToObj(id -> new Block(id, 10, GS))
            .toArray(Block[]::new));

    assertThat(count(BlockKeys.invalidationsOf(1))).isEqualTo(99_999);
    assertThat(places(live)).hasSize(1);
  }

  @Test
  void storageThatIsNotReportedIsLeftAlone() throws Exception {
    FakeDatanode node = node("dn1", "10.0.1.1").withStorage(StorageType.DISK).start();
    Block block = new Block(1, 10, GS);
    allocate(1, 1);
    commit(block);
    node.tell(1, BlockStatus.RECEIVED_BLOCK, block);

    node.report(0, List.of());
    assertThat(locate(block).getStorageIDs()).containsExactly(node.storage(1));
    node.report(1, List.of());
    assertThat(places(block)).isEmpty();
  }

  @Test
  void unfinishedReplicasDoNotCount() throws Exception {
    List<FakeDatanode> nodes = nodes(2);
    Block open = new Block(1, 10, GS);
    allocate(1, 2);
    Block closed = write(2, nodes.get(0));
    nodes
        .get(1)
        .report(
            0,
            List.of(
                FakeDatanode.replica(open, ReplicaState.RBW),
                FakeDatanode.replica(closed, ReplicaState.RBW),
                FakeDatanode.replica(new Block(404, 1, GS), ReplicaState.RBW)));

    assertThat(commit(open)).isFalse();
    assertThat(places(closed)).containsExactly("uuid-dn1");
    assertThat(nodes.get(1).toDelete()).extracting(Block::getBlockId).containsExactly(404L);
  }

  @Test
  void abandonedReplicaIsDeletedOnlyWhenAnotherIsGood() throws Exception {
    List<FakeDatanode> nodes = nodes(2);
    Block block = write(1, nodes.get(0));
    List<BlockReportReplica> report = List.of(FakeDatanode.replica(block, ReplicaState.RWR));
    nodes.get(0).deleted(block);
    nodes.get(1).report(0, report);
    assertThat(nodes.get(1).toDelete()).isEmpty();

    nodes.get(0).received(block);
    nodes.get(1).report(0, report);
    assertThat(nodes.get(1).toDelete()).hasSize(1);
  }

  @Test
  void deletionOfWhatIsNotThereIsForgotten() throws Exception {
    FakeDatanode node = nodes(1).get(0);
    Block gone = write(1, node);
    Block there = write(2, node);
    remove(gone, there);

    node.reportAll(there);

    assertThat(node.toDelete()).extracting(Block::getBlockId).containsExactly(2L);
  }

  @Test
  void replicaThatCameWhileAnOldReportWasReadIsNotLost() throws Exception {
    FakeDatanode node = nodes(1).get(0);
    Block old = write(1, node);
    Block late = new Block(2, 10, GS);
    allocate(2, 1);
    commit(late);
    // The DataNode has given up waiting: its next report comes in the middle of this one.
    BlockListAsLongs report = new InterruptedReport(() -> node.received(late));
    assertThatThrownBy(() -> node.reportList(0, report, null))
        .hasMessageContaining("could not be stored");
    assertThat(places(late)).hasSize(1);
    assertThat(places(old)).hasSize(1);
  }

  @Test
  void reportEndsTheWaitForAReplica() throws Exception {
    FakeDatanode node = nodes(1).get(0);
    Block block = new Block(1, 10, GS);
    allocate(1, 1);
    commit(block);
    var wait = manager.awaitReplica(1, Duration.ofMinutes(5));
    node.reportAll(block);
    assertThat(wait).isCompletedWithValue(true);
  }

  private int count(KeyRange range) {
    int rows = 0;
    try (Scan scan = store.scan(range)) {
      for (; scan.hasNext(); rows++) {
        scan.next();
      }
    }
    return rows;
  }
}
