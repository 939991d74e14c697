package io.acaciafs.blocks.repair;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.blocks.proto.RepairQueue;
import io.acaciafs.blocks.record.BlockKeys;
import io.acaciafs.blocks.record.BlockRecord;
import io.acaciafs.blocks.record.BlockRows;
import io.acaciafs.blocks.testkit.FakeDatanode;
import io.acaciafs.blocks.testkit.FakeDatanode.Copy;
import io.acaciafs.blocks.testkit.HistoryTestBase;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Scan;
import io.acaciafs.kv.memory.Fault;
import io.acaciafs.kv.memory.Faults;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.protocol.BlockCommand;
import org.apache.hadoop.hdfs.server.protocol.DatanodeCommand;
import org.apache.hadoop.hdfs.server.protocol.DatanodeProtocol;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A random life of a cluster: blocks are written, some with replicas that never come; nodes die,
 * come back, come back empty, lose disks, have bytes decay and report them; replications change;
 * the NameNode is killed and its store conflicts. What decays always leaves a good replica on a
 * node that lives and that the block's row names. Then no block is ever lost, whatever was deleted;
 * and in the end every block has as many replicas as it should, and no disk holds more.
 */
class RepairHistoryTest extends HistoryTestBase {
  private static final int NODES = 6;
  private static final int STEPS = 400;
  private static final int STEPS_TO_HEAL = 300;

  private final class Node {
    private final FakeDatanode api;

    /** Block id to whether its bytes are right. */
    private final Map<Long, Boolean> disk = new TreeMap<>();

    private boolean isUp = true;
    private boolean owesReport;

    Node(FakeDatanode api) {
      this.api = api;
    }

    boolean hasGood(long id) {
      return disk.getOrDefault(id, false);
    }

    /** As a real one, it reports a while after it has registered. */
    void start() throws Exception {
      isUp = true;
      owesReport = true;
      insist(api::start);
    }

    void report() throws Exception {
      owesReport = false;
      Block[] blocks =
          disk.keySet().stream().map(id -> new Block(id, 10, GS)).toArray(Block[]::new);
      insist(
          () -> {
            api.reportAll(blocks);
            return null;
          });
    }
  }

  private final List<Node> nodes = new ArrayList<>();
  private final Map<Long, Integer> replications = new TreeMap<>();
  private Random dice;
  private long lastId;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16})
  void nothingIsLostAndAllIsRepaired(long seed) throws Exception {
    manager.close();
    faults = Faults.seeded(seed, Map.of(Fault.CONFLICT, 0.1, Fault.LOST_REPLY, 0.01));
    open();
    dice = new Random(seed);
    for (int i = 0; i < NODES; i++) {
      Node node = new Node(node("dn" + i, "10.0." + i % 3 + "." + i));
      nodes.add(node);
      insist(node.api::start);
    }
    for (int step = 0; step < STEPS; step++) {
      event();
      tick();
      checkNothingIsLost();
    }
    for (Node node : nodes) {
      if (!node.isUp) {
        node.start();
      }
    }
    for (int step = 0; step < STEPS_TO_HEAL; step++) {
      tick();
    }
    checkAllIsWell();
  }

  private void event() throws Exception {
    Node node = nodes.get(dice.nextInt(NODES));
    switch (dice.nextInt(12)) {
      case 0, 1, 2 -> write();
      case 3 -> changeReplication();
      case 4 -> node.isUp = node.isUp && upNodes() < 4; // else it dies
      case 5 -> {
        if (!node.isUp) {
          node.start();
        }
      }
      case 6 -> { // restarted in no time, with an empty disk
        if (node.isUp && canLose(node)) {
          List<Long> lost = List.copyOf(node.disk.keySet());
          node.disk.clear();
          node.start();
          for (long id : lost) { // just now, one replica of it shall do
            if (replications.containsKey(id) && dice.nextInt(3) == 0) {
              changeReplication(id, 1);
            }
          }
        }
      }
      case 7 -> decay(node);
      case 8 -> removeSome();
      case 9 -> {
        if (dice.nextInt(4) == 0) {
          killNameNode();
        }
      }
      default -> {}
    }
  }

  private void write() throws Exception {
    long id = ++lastId;
    Block block = new Block(id, 10, GS);
    int replication = 1 + dice.nextInt(3);
    LocatedBlock located;
    try {
      located = allocate(id, replication);
    } catch (Exception e) {
      return; // nobody there to take it, or a fault: the writer gives up
    }
    boolean first = true;
    for (DatanodeInfo target : located.getLocations()) {
      Node node = named(target.getDatanodeUuid());
      if (node.isUp && (first || dice.nextInt(4) > 0)) {
        first = false;
        node.disk.put(id, true);
        tell(() -> node.api.received(block));
      }
    }
    if (first) {
      return;
    }
    insist(() -> commit(block));
    replications.put(id, replication);
  }

  private void changeReplication() throws Exception {
    if (!replications.isEmpty()) {
      changeReplication(anyBlock(), 1 + dice.nextInt(4));
    }
  }

  private void changeReplication(long id, int replication) throws Exception {
    insist(
        () -> {
          setReplication(new Block(id), replication);
          return null;
        });
    replications.put(id, replication);
  }

  private void removeSome() throws Exception {
    if (replications.size() > 20) {
      long id = anyBlock();
      replications.remove(id);
      insist(
          () -> {
            remove(new Block(id));
            return null;
          });
    }
  }

  /** A reader finds wrong bytes and says so. */
  private void decay(Node node) throws Exception {
    for (long id : List.copyOf(node.disk.keySet())) {
      if (node.isUp && dice.nextInt(5) == 0 && hasOtherGood(id, node)) {
        node.disk.put(id, false);
        insist(
            () -> {
              reportBad(new Block(id, 10, GS), node.api);
              return null;
            });
      }
    }
  }

  private boolean canLose(Node node) {
    return node.disk.keySet().stream().allMatch(id -> hasOtherGood(id, node));
  }

  /** Whether the block's row names another replica, which is good and on a node that is up. */
  private boolean hasOtherGood(long id, Node node) {
    BlockRecord record = BlockRows.read(store, id);
    return record == null
        || Arrays.stream(locate(new Block(id, 10, GS)).getLocations())
            .map(location -> named(location.getDatanodeUuid()))
            .anyMatch(other -> other != node && other.isUp && other.hasGood(id));
  }

  private void tick() throws Exception {
    clock.advance(Duration.ofSeconds(3));
    for (Node node : nodes) {
      if (node.isUp) {
        if (node.owesReport && dice.nextInt(4) == 0) {
          node.report();
        }
        for (DatanodeCommand command : insist(() -> node.api.heartbeat(false)).getCommands()) {
          obey(node, command);
        }
      }
    }
    manager.repairNow();
  }

  private void obey(Node node, DatanodeCommand command) throws Exception {
    switch (command.getAction()) {
      case DatanodeProtocol.DNA_REGISTER -> node.start();
      case DatanodeProtocol.DNA_TRANSFER -> {
        for (Copy copy : FakeDatanode.copies((BlockCommand) command)) {
          send(node, copy);
        }
      }
      case DatanodeProtocol.DNA_INVALIDATE -> {
        for (Block block : ((BlockCommand) command).getBlocks()) {
          if (node.disk.remove(block.getBlockId()) != null) {
            tell(() -> node.api.deleted(new Block(block.getBlockId(), 0, GS)));
          }
        }
      }
      default -> throw new AssertionError("Unexpected command " + command);
    }
  }

  private void send(Node source, Copy copy) throws Exception {
    Block block = copy.block();
    Boolean isGood = source.disk.get(block.getBlockId());
    for (String uuid : copy.targetUuids()) {
      Node target = named(uuid);
      if (isGood == null || !target.isUp || dice.nextInt(8) == 0) {
        continue; // it fails, and nobody tells
      }
      if (!isGood) {
        tell(() -> reportBad(block, source.api));
      } else if (target.disk.putIfAbsent(block.getBlockId(), true) == null) {
        tell(() -> target.api.received(block));
      }
    }
  }

  private void checkNothingIsLost() {
    for (long id : replications.keySet()) {
      assertThat(nodes).as("block %d", id).anyMatch(node -> node.hasGood(id));
    }
  }

  private void checkAllIsWell() {
    replications.forEach(
        (id, replication) -> {
          int wanted = Math.min(replication, NODES);
          assertThat(nodes.stream().filter(node -> node.hasGood(id)).count())
              .as("good replicas of block %d: %s", id, BlockRows.read(store, id))
              .isEqualTo(wanted);
          assertThat(nodes.stream().filter(node -> node.disk.containsKey(id)).count())
              .as("replicas of block %d: %s", id, BlockRows.read(store, id))
              .isEqualTo(wanted);
          assertThat(places(new Block(id, 10, GS)))
              .as("block %d", id)
              .allMatch(uuid -> named(uuid).hasGood(id))
              .hasSize(wanted);
          assertThat(racksOf(id)).as("racks of block %d", id).isEqualTo(Math.min(2, wanted));
        });
    for (RepairQueue queue : RepairQueue.values()) {
      if (queue != RepairQueue.NONE && queue != RepairQueue.UNRECOGNIZED) {
        assertThat(counters().in(queue)).as("counter of %s", queue).isZero();
      }
    }
    assertThat(counters().corrupt()).isZero();
    assertThat(rows(KeyRange.ofTable(BlockKeys.REPAIRS))).isZero();
    assertThat(rows(KeyRange.ofTable(BlockKeys.PENDING_REPAIRS))).isZero();
    assertThat(rows(BlockKeys.checks())).isZero();
  }

  /** At least two are asked for; more count as two. */
  private long racksOf(long id) {
    long racks =
        nodes.stream()
            .filter(node -> node.hasGood(id))
            .map(node -> node.api.ip().split("\\.")[2])
            .distinct()
            .count();
    return Math.min(2, racks);
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

  private long upNodes() {
    return nodes.stream().filter(node -> node.isUp).count();
  }

  private long anyBlock() {
    return new ArrayList<>(replications.keySet()).get(dice.nextInt(replications.size()));
  }

  private Node named(String uuid) {
    return nodes.stream().filter(node -> node.api.uuid().equals(uuid)).findFirst().orElseThrow();
  }

  private void killNameNode() {
    restart(nodes.stream().map(node -> node.api).toArray(FakeDatanode[]::new));
  }
}
