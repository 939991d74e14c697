package io.acaciafs.blocks.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.blocks.testkit.FakeDatanode;
import io.acaciafs.blocks.testkit.RepairTestBase;
import io.acaciafs.kv.run.TransactionRunner;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.hdfs.protocol.Block;
import org.junit.jupiter.api.Test;

/** DataNodes have gone on since a backup was made. */
class RestoredBlocksTest extends RepairTestBase {

  private void restore(List<FakeDatanode> nodes) throws Exception {
    RestoredBlocks.distrust(new TransactionRunner(store, executor, new Random(4)));
    restart(array(nodes));
  }

  @Test
  void replicasThatMovedSinceAreNotDeletedForTheSakeOfTheirOldPlaces() throws Exception {
    List<FakeDatanode> nodes = nodes(3);
    Block block = write(1, nodes.get(0), nodes.get(1));
    restore(nodes);
    assertThat(places(block)).containsExactly("uuid-dn1", "uuid-dn2");

    for (FakeDatanode node : nodes) {
      assertThat(isAskedToRegister(node)).isTrue();
    }
    comeBack(nodes.get(2), block);
    comeBack(nodes.get(1), block);
    manager.repairNow();
    assertThat(nodes.get(1).toDelete()).isEmpty();
    assertThat(nodes.get(2).toDelete()).isEmpty();

    comeBack(nodes.get(0));
    manager.repairNow();
    assertThat(places(block)).containsExactly("uuid-dn2", "uuid-dn3");
    for (FakeDatanode node : nodes) {
      assertThat(node.toDelete()).isEmpty();
      clock.advance(Duration.ofMinutes(2));
      assertThat(isAskedToRegister(node)).isFalse();
    }
  }

  @Test
  void whatWasToBeDeletedThenMayBeNeededNow() throws Exception {
    List<FakeDatanode> nodes = nodes(3);
    Block block = write(1, array(nodes));
    setReplication(block, 2);
    manager.repairNow();
    assertThat(places(block)).hasSize(2);
    restore(nodes);

    for (FakeDatanode node : nodes) {
      node.start();
      assertThat(node.toDelete()).isEmpty();
    }
    nodes.forEach(node -> node.reportAll(block));
    manager.repairNow();
    assertThat(places(block)).hasSize(2);
    int deleted = 0;
    for (FakeDatanode node : nodes) {
      deleted += node.toDelete().size();
    }
    assertThat(deleted).isEqualTo(1);
  }
}
