package io.acaciafs.blocks.repair;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.blocks.record.BlockKeys;
import io.acaciafs.blocks.record.BlockRows;
import io.acaciafs.blocks.testkit.FakeDatanode;
import io.acaciafs.blocks.testkit.RepairTestBase;
import io.acaciafs.blocks.testkit.StoreOverNetwork;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Row;
import io.acaciafs.kv.Scan;
import io.acaciafs.kv.Store;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.hdfs.protocol.Block;
import org.junit.jupiter.api.Test;

class UnexpectedRowsTest extends RepairTestBase {
  private static final Duration HEARTBEAT = Duration.ofSeconds(3);
  private static final Duration AWAKE = Duration.ofMinutes(1);

  private StoreOverNetwork network;

  @Override
  protected Store storeOfManager() {
    network = new StoreOverNetwork(store);
    return network.store();
  }

  @Test
  void heartbeatsReadNothingWhileNothingWaits() throws Exception {
    FakeDatanode node = nodes(1).get(0);
    beatFor(AWAKE, node);
    network.roundTrips();

    beatFor(Duration.ofMinutes(10), node);

    assertThat(network.roundTrips()).isZero();
  }

  @Test
  void aLookReadsOnceForDeletionsAndOnceForTransfersWhereNothingWaits() throws Exception {
    FakeDatanode node = nodes(1).get(0);
    manager.repairNow();
    network.roundTrips();
    manager.repairNow();
    int withoutLook = network.roundTrips();
    beatFor(AWAKE, node);
    network.roundTrips();
    manager.repairNow();
    assertThat(network.roundTrips()).isEqualTo(withoutLook + 2);
  }

  @Test
  void deletionsOfWhichNobodyToldAreFoundWithinAMinute() throws Exception {
    List<FakeDatanode> nodes = nodes(3);
    beatFor(AWAKE, nodes.get(0), nodes.get(2));
    run(
        tx -> {
          BlockRows.putInvalidation(tx, 1, 7, GS);
          BlockRows.putInvalidation(tx, 3, 8, GS);
          return null;
        });
    assertThat(nodes.get(0).toDelete()).isEmpty();

    beatFor(AWAKE, nodes.get(1));
    manager.repairNow();

    assertThat(nodes.get(0).toDelete()).extracting(Block::getBlockId).containsExactly(7L);
    assertThat(nodes.get(1).toDelete()).isEmpty();
    assertThat(nodes.get(2).toDelete()).extracting(Block::getBlockId).containsExactly(8L);
  }

  @Test
  void storagesThatAreAwakeAreNotLookedFor() throws Exception {
    List<FakeDatanode> nodes = nodes(5);
    beatFor(AWAKE, array(nodes));
    manager.repairNow();
    network.roundTrips();
    manager.repairNow();
    int withoutLook = network.roundTrips();
    for (int i = 0; i < 4; i++) {
      remove(write(i + 1, nodes.get(i)));
    }
    manager.repairNow(); // which counts replicas
    clock.advance(AWAKE);
    network.roundTrips();

    manager.repairNow();

    assertThat(network.roundTrips()).as("from the only one asleep on").isEqualTo(withoutLook + 2);
  }

  @Test
  void aTransferOfWhichNobodyToldIsFoundWithinAMinute() throws Exception {
    List<FakeDatanode> nodes = nodes(2);
    FakeDatanode source = nodes.get(0);
    Block block = write(1, source);
    setReplication(block, 2);
    manager.repairNow();
    Row transfer = onlyTransfer();
    assertThat(source.toCopy()).hasSize(1);
    beatFor(AWAKE.plus(HEARTBEAT), nodes.get(0), nodes.get(1));
    run(
        tx -> {
          tx.put(transfer.key(), transfer.value());
          return null;
        });
    assertThat(source.toCopy()).isEmpty();

    beatFor(AWAKE, nodes.get(1));
    manager.repairNow();

    assertThat(source.toCopy()).hasSize(1);
  }

  private Row onlyTransfer() {
    try (Scan scan = store.scan(KeyRange.ofTable(BlockKeys.TRANSFERS))) {
      return scan.next();
    }
  }

  private void beatFor(Duration time, FakeDatanode... nodes) throws IOException {
    for (Duration left = time; !left.isNegative(); left = left.minus(HEARTBEAT)) {
      for (FakeDatanode node : nodes) {
        node.heartbeat(false);
      }
      clock.advance(HEARTBEAT);
    }
  }
}
