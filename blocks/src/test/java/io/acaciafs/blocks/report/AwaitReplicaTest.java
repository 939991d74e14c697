package io.acaciafs.blocks.report;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.blocks.record.BlockRows;
import io.acaciafs.blocks.testkit.BlockTestBase;
import io.acaciafs.blocks.testkit.FakeDatanode;
import io.acaciafs.kv.memory.Fault;
import io.acaciafs.kv.memory.Faults;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hdfs.protocol.Block;
import org.junit.jupiter.api.Test;

class AwaitReplicaTest extends BlockTestBase {
  @Override
  protected void configure() {
    faults = Faults.onDemand();
  }

  /** Report and wait race for each block: whoever looks after it began to wait misses nothing. */
  @Test
  void noReplicaIsMissed() throws Exception {
    FakeDatanode node = nodes(1).get(0);
    for (int id = 1; id <= 2000; id++) {
      Block block = new Block(id, 10, GS);
      allocate(id, 1);
      commit(block);
      CompletableFuture<Void> report = CompletableFuture.runAsync(() -> node.received(block));
      CompletableFuture<Boolean> wait = manager.awaitReplica(id, Duration.ofMinutes(5));
      if (isComplete(block)) {
        wait.cancel(false);
      } else {
        assertThat(wait.get(20, SECONDS)).isTrue();
        assertThat(isComplete(block)).isTrue();
      }
      report.get(20, SECONDS);
    }
  }

  @Test
  void waitEndsOnlyWhenTheReplicaIsDurable() throws Exception {
    FakeDatanode node = nodes(1).get(0);
    Block block = new Block(1, 10, GS);
    allocate(1, 1);
    commit(block);
    CompletableFuture<Boolean> wait = manager.awaitReplica(1, Duration.ofMinutes(5));
    faults.plan(Fault.DELAY);
    CompletableFuture<Void> report = CompletableFuture.runAsync(() -> node.received(block));
    while (BlockRows.read(store, 1).storages().isEmpty()) { // visible, and not durable
      Thread.onSpinWait();
    }
    assertThat(wait).isNotDone();
    assertThat(report).isNotDone();
    store.makeDurable();
    report.get(20, SECONDS);
    assertThat(wait).isCompletedWithValue(true);
  }
}
