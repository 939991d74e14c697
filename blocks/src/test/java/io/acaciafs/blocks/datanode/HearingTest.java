package io.acaciafs.blocks.datanode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.blocks.record.BlockKeys;
import io.acaciafs.blocks.record.BlockRows;
import io.acaciafs.blocks.testkit.Company;
import io.acaciafs.blocks.testkit.Company.NameNode;
import io.acaciafs.blocks.testkit.FakeDatanode;
import io.acaciafs.blocks.testkit.RepairTestBase;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.Store;
import io.acaciafs.kv.StoreException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.hdfs.protocol.Block;
import org.junit.jupiter.api.Test;

/** DataNodes are lost only after a silence in which they could have been heard. */
class HearingTest extends RepairTestBase {
  private static final Duration HEARTBEAT = Duration.ofSeconds(3);

  private volatile boolean isStoreAway;

  @Override
  protected Store storeOfManager() {
    return (Store)
        Proxy.newProxyInstance(
            Store.class.getClassLoader(),
            new Class<?>[] {Store.class},
            (proxy, method, arguments) -> {
              if (isStoreAway) {
                throw new StoreException("no server answers");
              }
              try {
                return method.invoke(store, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  /** Time in which the process runs, and hears these. */
  private void pass(Duration time, FakeDatanode... heard) throws Exception {
    for (long ms = 0; ms < time.toMillis(); ms += HEARTBEAT.toMillis()) {
      clock.advance(HEARTBEAT);
      for (FakeDatanode node : heard) {
        node.heartbeat(false);
      }
      manager.hearNow();
    }
  }

  private boolean isToBeCopied(Block block) {
    return BlockRows.read(store, block.getBlockId()).repairState().isQueued();
  }

  private boolean isLost(FakeDatanode node) {
    Key row = BlockKeys.storage(node.uuid(), node.storage(0));
    return DatanodeRows.storage(store.get(row)).getLost();
  }

  private void repair() {
    manager.repairNow();
    manager.repairNow();
  }

  @Test
  void afterAPauseNobodyIsLostWhoWasNotSilentBeforeAndAfter() throws Exception {
    List<FakeDatanode> nodes = nodes(3);
    Block block = write(1, nodes.get(0), nodes.get(1));
    manager.startHearing();
    pass(DEATH, nodes.get(0), nodes.get(1)); // the third dies, and nobody has taken note yet
    clock.advance(DEATH);

    repair(); // before it has noticed that it stood still
    assertThat(isToBeCopied(block)).isFalse();
    manager.hearNow();
    repair();
    assertThat(isToBeCopied(block)).isFalse();
    assertThat(places(block)).containsExactly("uuid-dn1", "uuid-dn2");
    assertThat(manager.liveDatanodes()).as("all but the dead one").isEqualTo(2);

    pass(DEATH, nodes.get(0));
    repair();
    assertThat(isToBeCopied(block)).isTrue();
    assertThat(places(block)).containsExactly("uuid-dn1");
  }

  @Test
  void nobodyIsLostWhileTheStoreDoesNotAnswer() throws Exception {
    List<FakeDatanode> nodes = nodes(2);
    Block block = write(1, nodes.get(0), nodes.get(1));
    manager.startHearing();
    isStoreAway = true;
    clock.advance(DEATH);
    assertThatThrownBy(manager::hearNow).hasMessageContaining("no server answers");
    isStoreAway = false;

    repair();
    manager.hearNow();
    repair();
    assertThat(isToBeCopied(block)).isFalse();
  }

  @Test
  void ofSeveralNameNodesNoneIsLostThatAnotherOneHears() throws Exception {
    Company company = new Company(store, conf, clock, executor);
    NameNode first = company.start();
    NameNode second = company.start();
    FakeDatanode node = new FakeDatanode(second.manager, IDENTITY, "dn1", "10.0.1.1").start();
    for (int i = 0; i < 4; i++) {
      clock.advance(HEARTBEAT);
      node.heartbeat(false);
      company.exchange();
    }
    first.manager.exchangeNow(); // it has read the last word of the other one
    first.manager.startHearing();
    clock.advance(DEATH); // without a look at what the other one hears

    first.manager.repairNow();
    assertThat(isLost(node)).isFalse();
    first.manager.exchangeNow();
    first.manager.repairNow();
    assertThat(isLost(node)).isFalse();
    for (int ms = 0; ms < DEATH.toMillis(); ms += (int) HEARTBEAT.toMillis()) {
      clock.advance(HEARTBEAT); // now nobody hears it
      company.exchange();
    }
    first.manager.repairNow();
    assertThat(isLost(node)).isTrue();
    company.close();
  }
}
