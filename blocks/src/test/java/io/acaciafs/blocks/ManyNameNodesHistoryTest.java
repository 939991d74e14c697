package io.acaciafs.blocks;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.blocks.proto.RepairQueue;
import io.acaciafs.blocks.record.BlockKeys;
import io.acaciafs.blocks.record.BlockRows;
import io.acaciafs.blocks.testkit.CheckedBlocks;
import io.acaciafs.blocks.testkit.Company;
import io.acaciafs.blocks.testkit.Company.NameNode;
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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.ReplicaState;
import org.apache.hadoop.hdfs.server.protocol.BlockCommand;
import org.apache.hadoop.hdfs.server.protocol.BlockReportContext;
import org.apache.hadoop.hdfs.server.protocol.DatanodeCommand;
import org.apache.hadoop.hdfs.server.protocol.DatanodeProtocol;
import org.apache.hadoop.hdfs.server.protocol.HeartbeatResponse;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A random life of a cluster with several NameNodes: they start, are killed, stand still and go on
 * when others have taken over; DataNodes die and come back; blocks are written, removed, wanted
 * more or less often; the store conflicts and loses replies. DataNodes speak to each NameNode by
 * itself and believe them as Hadoop's do. No block is ever lost, nobody is commanded by a NameNode
 * that does not own it, and in the end every block has as many replicas as it should, and no disk
 * holds more.
 */
class ManyNameNodesHistoryTest extends HistoryTestBase {
  private static final int NODES = 6;
  private static final int NAME_NODES = 3;
  private static final int STEPS = 300;
  private static final int STEPS_TO_HEAL = 200;
  private static final int LEASE_STEPS = 4;

  private record Word(long blockId, boolean received) {}

  /** A DataNode's talk with one NameNode. */
  private static final class Link {
    private final FakeDatanode api;
    private final List<Word> words = new ArrayList<>();
    private boolean isRegistered;
    private boolean owesReport = true;
    private boolean isActive;

    Link(FakeDatanode api) {
      this.api = api;
    }

    void add(Word word) {
      words.removeIf(other -> other.blockId() == word.blockId());
      words.add(word);
    }
  }

  private final class Node {
    private final int number;
    private final Set<Long> disk = new TreeSet<>();
    private final Map<NameNode, Link> links = new HashMap<>();
    private boolean isUp = true;
    private NameNode active;
    private long lastEpoch = -1;

    Node(int number) {
      this.number = number;
    }

    String uuid() {
      return "uuid-dn" + number;
    }

    Link link(NameNode nameNode) {
      Link known = links.get(nameNode);
      if (known != null) {
        return known;
      }
      String ip = "10.0." + number % 3 + "." + number;
      Link link = new Link(new FakeDatanode(nameNode.manager, IDENTITY, "dn" + number, ip));
      Link before = links.remove(replaced.get(nameNode));
      if (before != null) { // at the same address: the DataNode goes on where it was
        link.words.addAll(before.words);
        link.isRegistered = before.isRegistered;
        link.owesReport = before.owesReport;
      }
      links.put(nameNode, link);
      return link;
    }

    void say(long blockId, boolean received) {
      company.running().forEach(this::link);
      links.values().forEach(link -> link.add(new Word(blockId, received)));
    }

    void die() {
      isUp = false;
      links.clear();
      active = null;
      lastEpoch = -1;
    }

    void talk(NameNode nameNode) throws Exception {
      Link link = link(nameNode);
      if (!link.isRegistered) {
        insist(link.api::start);
        link.isRegistered = true;
      }
      HeartbeatResponse response = insist(() -> link.api.heartbeat(link.owesReport));
      believe(nameNode, link, response);
      for (DatanodeCommand command : response.getCommands()) {
        if (command.getAction() == DatanodeProtocol.DNA_REGISTER) {
          insist(() -> nameNode.manager.register(link.api.registration(), null).join());
          link.owesReport = true;
          if (!link.isActive) {
            link.words.clear();
          }
        } else {
          assertThat(link.isActive).as("a command of %s", nameNode.self()).isTrue();
          if (active == nameNode) {
            obey(command);
          }
        }
      }
      speak(link);
      if (response.getFullBlockReportLeaseId() != 0) {
        report(link, response.getFullBlockReportLeaseId());
      }
    }

    /** As Hadoop's BPOfferService. */
    private void believe(NameNode nameNode, Link link, HeartbeatResponse response) {
      link.isActive = response.getNameNodeHaState().getState() == HAServiceState.ACTIVE;
      long epoch = response.getNameNodeHaState().getTxId();
      if (link.isActive && active != nameNode && epoch > lastEpoch) {
        active = nameNode;
      } else if (!link.isActive && active == nameNode) {
        active = null;
      }
      if (active == nameNode) {
        assertThat(epoch).isGreaterThanOrEqualTo(lastEpoch);
        lastEpoch = epoch;
      }
    }

    private void speak(Link link) {
      try {
        while (!link.words.isEmpty()) {
          Word word = link.words.get(0);
          Block block = new Block(word.blockId(), word.received() ? 10 : 0, GS);
          if (word.received()) {
            link.api.received(block);
          } else {
            link.api.deleted(block);
          }
          link.words.remove(word);
        }
      } catch (RuntimeException e) {
        // again behind the next heartbeat
      }
    }

    private void report(Link link, long leaseId) {
      try {
        link.api.report(
            0,
            disk.stream()
                .map(id -> FakeDatanode.replica(new Block(id, 10, GS), ReplicaState.FINALIZED))
                .toList(),
            new BlockReportContext(1, 0, dice.nextLong(), leaseId));
        link.owesReport = false;
      } catch (RuntimeException e) {
        // again with another lease
      }
    }

    private void obey(DatanodeCommand command) {
      switch (command.getAction()) {
        case DatanodeProtocol.DNA_TRANSFER ->
            FakeDatanode.copies((BlockCommand) command).forEach(this::send);
        case DatanodeProtocol.DNA_INVALIDATE -> {
          for (Block block : ((BlockCommand) command).getBlocks()) {
            if (disk.remove(block.getBlockId())) {
              say(block.getBlockId(), false);
            }
          }
        }
        default -> throw new AssertionError("Unexpected command " + command);
      }
    }

    private void send(Copy copy) {
      for (String uuid : copy.targetUuids()) {
        Node target = named(uuid);
        long id = copy.block().getBlockId();
        if (disk.contains(id) && target.isUp && dice.nextInt(8) > 0 && target.disk.add(id)) {
          target.say(id, true);
        }
      }
    }
  }

  private final List<Node> nodes = new ArrayList<>();
  private final Map<Long, Integer> replications = new TreeMap<>();

  /** Who stands still, and for how many steps more; and who is dead or taken for dead soon. */
  private final Map<NameNode, Integer> still = new HashMap<>();

  private final Map<NameNode, Integer> expiring = new HashMap<>();

  /** Whose addresses are free; and whose address one has taken. */
  private final List<NameNode> gone = new ArrayList<>();

  private final Map<NameNode, NameNode> replaced = new HashMap<>();
  private Company company;
  private Random dice;
  private long lastId;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16})
  void nothingIsLostAndAllIsRepaired(long seed) throws Exception {
    manager.close();
    faults = Faults.seeded(seed, Map.of(Fault.CONFLICT, 0.05, Fault.LOST_REPLY, 0.005));
    open();
    dice = new Random(seed);
    company = new Company(store, conf, clock, executor);
    try {
      for (int i = 0; i < NAME_NODES; i++) {
        insist(company::start);
      }
      for (int i = 0; i < NODES; i++) {
        nodes.add(new Node(i));
      }
      for (int step = 0; step < STEPS; step++) {
        event();
        tick();
        checkNothingIsLost();
      }
      nodes.forEach(node -> node.isUp = true);
      for (int step = 0; step < STEPS_TO_HEAL; step++) {
        tick();
        checkNothingIsLost();
      }
      checkAllIsWell();
    } finally {
      company.close();
    }
  }

  private void event() throws Exception {
    Node node = nodes.get(dice.nextInt(NODES));
    switch (dice.nextInt(12)) {
      case 0, 1, 2, 3 -> write();
      case 4 -> {
        if (!replications.isEmpty()) {
          changeReplication(anyBlock(), 1 + dice.nextInt(4));
        }
      }
      case 5 -> {
        if (nodes.stream().filter(other -> other.isUp).count() > 3) {
          node.die();
        }
      }
      case 6 -> node.isUp = true;
      case 7 -> removeSome();
      case 8 -> {
        NameNode victim = any();
        if (company.running().size() - still.size() > 1) {
          company.kill(victim);
          gone.add(victim);
          expiring.put(victim, LEASE_STEPS);
        }
      }
      case 9 -> {
        if (company.running().size() < NAME_NODES) {
          start();
        }
      }
      case 10 -> {
        if (company.running().size() - still.size() > 1) {
          still.put(any(), 1 + dice.nextInt(2 * LEASE_STEPS));
        }
      }
      default -> {}
    }
  }

  /** In the place of one that was killed, or at an address of its own. */
  private void start() throws Exception {
    NameNode started = insist(company::start);
    if (!gone.isEmpty() && dice.nextBoolean()) {
      replaced.put(started, gone.remove(dice.nextInt(gone.size())));
      nodes.stream().filter(node -> node.isUp).forEach(node -> node.link(started));
    }
  }

  private NameNode any() {
    List<NameNode> running =
        company.running().stream().filter(nameNode -> !still.containsKey(nameNode)).toList();
    return running.get(dice.nextInt(running.size()));
  }

  private void tick() throws Exception {
    clock.advance(Duration.ofSeconds(3));
    wakeAndExpire();
    for (Node node : nodes) {
      for (NameNode nameNode : company.running()) {
        if (node.isUp && !still.containsKey(nameNode)) {
          node.talk(nameNode);
        }
      }
    }
    for (NameNode nameNode : company.running()) {
      if (!still.containsKey(nameNode) && dice.nextInt(5) > 0) {
        try {
          nameNode.manager.exchangeNow();
        } catch (Exception e) {
          // the next round is as good
        }
        nameNode.manager.repairNow();
      }
    }
  }

  /** Who stood still for longer than its lease says a last word before it looks at the clock. */
  private void wakeAndExpire() {
    for (NameNode nameNode : List.copyOf(still.keySet())) {
      int left = still.merge(nameNode, -1, Integer::sum);
      if (left == 0) {
        still.remove(nameNode);
        if (!company.lives(nameNode)) {
          nodes.stream().filter(node -> node.isUp).forEach(node -> node.speak(node.link(nameNode)));
          nameNode.leaseHolds = false;
          company.kill(nameNode);
          expiring.remove(nameNode);
        }
      } else if (company.running().size() > 1) {
        expiring.putIfAbsent(nameNode, LEASE_STEPS);
      }
    }
    for (NameNode nameNode : List.copyOf(expiring.keySet())) {
      boolean isBack = company.running().contains(nameNode) && !still.containsKey(nameNode);
      if (isBack) {
        expiring.remove(nameNode);
      } else if (expiring.merge(nameNode, -1, Integer::sum) == 0) {
        company.forget(nameNode);
        expiring.remove(nameNode);
      }
    }
  }

  private void write() throws Exception {
    long id = ++lastId;
    int replication = 1 + dice.nextInt(3);
    LocatedBlock located;
    BlockManager writers = any().manager;
    try {
      located = run(tx -> writers.allocate(tx, request(id, replication)));
    } catch (Exception e) {
      return; // nobody there to take it, or a fault: the writer gives up
    }
    boolean isWritten = false;
    for (DatanodeInfo target : located.getLocations()) {
      Node node = named(target.getDatanodeUuid());
      if (node.isUp && (!isWritten || dice.nextInt(4) > 0)) {
        isWritten = true;
        node.disk.add(id);
        node.say(id, true);
      }
    }
    if (isWritten) {
      insist(() -> run(tx -> any().manager.commit(tx, new Block(id, 10, GS))));
      replications.put(id, replication);
    }
  }

  private void changeReplication(long id, int replication) throws Exception {
    insist(
        () ->
            run(
                tx -> {
                  any().manager.setReplication(tx, List.of(new Block(id)), (short) replication);
                  return null;
                }));
    replications.put(id, replication);
  }

  private void removeSome() throws Exception {
    if (replications.size() > 20) {
      long id = anyBlock();
      replications.remove(id);
      insist(
          () ->
              run(
                  tx -> {
                    any().manager.remove(tx, List.of(new Block(id)));
                    return null;
                  }));
    }
  }

  private void checkNothingIsLost() {
    for (long id : replications.keySet()) {
      assertThat(nodes)
          .as("block %d: %s", id, BlockRows.read(store, id))
          .anyMatch(node -> node.disk.contains(id));
    }
  }

  private void checkAllIsWell() {
    assertThat(CheckedBlocks.of(store, false).damage()).isEmpty();
    BlockManager any = any().manager;
    replications.forEach(
        (id, replication) -> {
          List<String> holders =
              nodes.stream().filter(node -> node.disk.contains(id)).map(Node::uuid).toList();
          assertThat(holders)
              .as("replicas of block %d: %s", id, BlockRows.read(store, id))
              .hasSize(replication);
          assertThat(any.locate(store, new Block(id, 10, GS), 0, false).getLocations())
              .extracting(DatanodeInfo::getDatanodeUuid)
              .containsExactlyInAnyOrderElementsOf(holders);
        });
    for (RepairQueue queue : RepairQueue.values()) {
      if (queue != RepairQueue.NONE && queue != RepairQueue.UNRECOGNIZED) {
        assertThat(counters().in(queue)).as("counter of %s", queue).isZero();
      }
    }
    for (KeyRange range :
        Arrays.asList(
            KeyRange.ofTable(BlockKeys.REPAIRS),
            KeyRange.ofTable(BlockKeys.PENDING_REPAIRS),
            BlockKeys.checks())) {
      try (Scan scan = store.scan(range)) {
        assertThat(scan.hasNext()).as("a row in %s", range).isFalse();
      }
    }
  }

  private long anyBlock() {
    return new ArrayList<>(replications.keySet()).get(dice.nextInt(replications.size()));
  }

  private Node named(String uuid) {
    return nodes.stream().filter(node -> node.uuid().equals(uuid)).findFirst().orElseThrow();
  }
}
