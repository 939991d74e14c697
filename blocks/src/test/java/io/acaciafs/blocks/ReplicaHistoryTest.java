package io.acaciafs.blocks;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.blocks.record.BlockKeys;
import io.acaciafs.blocks.record.BlockRows;
import io.acaciafs.blocks.testkit.BlockTestBase;
import io.acaciafs.blocks.testkit.CheckedBlocks;
import io.acaciafs.blocks.testkit.FakeDatanode;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Scan;
import io.acaciafs.kv.memory.Fault;
import io.acaciafs.kv.memory.Faults;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random writes, removals, lost replicas and reports on a store that conflicts, loses replies and
 * crashes. DataNodes do as real ones: they keep a report until it is answered. In the end, after
 * one full report of each, what is stored is what is on the disks, and no disk holds garbage.
 */
class ReplicaHistoryTest extends BlockTestBase {
  private static final int NODES = 4;
  private static final int STEPS = 150;

  private final List<FakeDatanode> nodes = new ArrayList<>();
  private final Map<String, Set<Long>> disks = new TreeMap<>();
  private final Set<Long> live = new TreeSet<>();
  private long lastId;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
  void rowsAndDisksAgreeAfterAnyHistory(long seed) throws Exception {
    manager.close();
    faults =
        Faults.seeded(
            seed,
            Map.of(
                Fault.CONFLICT, 0.1,
                Fault.LOST_REPLY, 0.03,
                Fault.CRASH_BEFORE_DURABLE, 0.03,
                Fault.CRASH_AFTER_DURABLE, 0.03));
    open();
    for (int i = 1; i <= NODES; i++) {
      FakeDatanode node = node("dn" + i, "10.0.1." + i);
      nodes.add(node);
      disks.put(node.uuid(), new TreeSet<>());
      insist(node::start);
    }
    Random dice = new Random(seed);
    for (int step = 0; step < STEPS; step++) {
      FakeDatanode node = nodes.get(dice.nextInt(NODES));
      switch (dice.nextInt(6)) {
        case 0, 1 -> writeBlock(dice);
        case 2 -> removeBlock(dice);
        case 3 -> obey(node);
        case 4 -> disks.get(node.uuid()).removeIf(id -> dice.nextInt(10) == 0);
        default -> reportDisk(node);
      }
      clock.advance(Duration.ofSeconds(3));
    }
    for (FakeDatanode node : nodes) {
      reportDisk(node);
    }
    for (int round = 0; round < 3; round++) {
      clock.advance(Duration.ofMinutes(5));
      for (FakeDatanode node : nodes) {
        obey(node);
      }
    }
    check();
  }

  private void writeBlock(Random dice) throws Exception {
    long id = ++lastId;
    Block block = new Block(id, 10, GS);
    int replication = 1 + dice.nextInt(3);
    for (FakeDatanode node : nodes) {
      insist(() -> node.heartbeat(false));
    }
    LocatedBlock located = insist(() -> allocateWithHeartbeats(id, replication));
    boolean commitsFirst = dice.nextBoolean();
    if (commitsFirst) {
      insist(() -> commit(block));
    }
    for (DatanodeInfo target : located.getLocations()) {
      disks.get(target.getDatanodeUuid()).add(id);
      FakeDatanode node = named(target.getDatanodeUuid());
      insist(
          () -> {
            node.received(block);
            return null;
          });
    }
    if (!commitsFirst) {
      insist(() -> commit(block));
    }
    live.add(id);
  }

  private LocatedBlock allocateWithHeartbeats(long id, int replication) throws Exception {
    for (FakeDatanode node : nodes) {
      node.heartbeat(false);
    }
    return allocate(id, replication);
  }

  private void removeBlock(Random dice) throws Exception {
    if (live.isEmpty()) {
      return;
    }
    long id = new ArrayList<>(live).get(dice.nextInt(live.size()));
    insist(
        () -> {
          remove(new Block(id));
          return null;
        });
    live.remove(id);
  }

  /** Deletes what a heartbeat asks for, and says so. */
  private void obey(FakeDatanode node) throws Exception {
    List<Block> asked = insist(node::toDelete);
    for (Block block : asked) {
      if (disks.get(node.uuid()).remove(block.getBlockId())) {
        insist(
            () -> {
              node.deleted(block);
              return null;
            });
      }
    }
  }

  private void reportDisk(FakeDatanode node) throws Exception {
    Block[] blocks =
        disks.get(node.uuid()).stream().map(id -> new Block(id, 10, GS)).toArray(Block[]::new);
    insist(
        () -> {
          node.reportAll(blocks);
          return null;
        });
  }

  private void check() {
    assertThat(CheckedBlocks.of(store, false).damage()).isEmpty();
    for (long id : live) {
      List<String> holders =
          disks.keySet().stream().filter(uuid -> disks.get(uuid).contains(id)).toList();
      assertThat(BlockRows.read(store, id).storages()).as("block %d", id).hasSameSizeAs(holders);
      if (!holders.isEmpty()) {
        assertThat(places(new Block(id, 10, GS))).as("block %d", id).isEqualTo(holders);
      }
    }
    disks.forEach((uuid, ids) -> assertThat(live).as(uuid).containsAll(ids));
    assertThat(rows(KeyRange.ofTable(BlockKeys.INVALIDATIONS))).isZero();
    assertThat(rows(KeyRange.ofTable(BlockKeys.REPLICAS)))
        .isEqualTo(disks.values().stream().mapToInt(Set::size).sum());
  }

  private int rows(KeyRange range) {
    int rows = 0;
    try (Scan scan = store.scan(range)) {
      for (; scan.hasNext(); rows++) {
        scan.next();
      }
    }
    return rows;
  }

  private FakeDatanode named(String uuid) {
    return nodes.stream().filter(node -> node.uuid().equals(uuid)).findFirst().orElseThrow();
  }

  /** Again after each failure, on a restarted NameNode. */
  private <T> T insist(Callable<T> action) throws Exception {
    for (int attempt = 1; ; attempt++) {
      try {
        if (attempt > 1) {
          restart(nodes.toArray(FakeDatanode[]::new));
        }
        return action.call();
      } catch (Exception e) {
        if (attempt == 20) {
          throw e;
        }
      }
    }
  }
}
