package io.acaciafs.blocks.datanode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.blocks.peers.PeerStates;
import io.acaciafs.blocks.proto.RepairQueue;
import io.acaciafs.blocks.record.BlockKeys;
import io.acaciafs.blocks.record.BlockRecord;
import io.acaciafs.blocks.record.BlockRows;
import io.acaciafs.blocks.testkit.BlockTestBase;
import io.acaciafs.blocks.testkit.Company;
import io.acaciafs.blocks.testkit.Company.NameNode;
import io.acaciafs.blocks.testkit.FakeDatanode;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Scan;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.AdminStates;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.server.protocol.DatanodeCommand;
import org.apache.hadoop.hdfs.server.protocol.DatanodeProtocol;
import org.apache.hadoop.hdfs.server.protocol.HeartbeatResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two NameNodes over one store share DataNodes that talk to both. */
class OwnershipTest extends BlockTestBase {
  private static final int NODES = 8;

  private Company company;
  private NameNode first;
  private NameNode second;

  /** Each DataNode as it talks to the first NameNode, and to the second. */
  private final List<FakeDatanode> atFirst = new ArrayList<>();

  private final List<FakeDatanode> atSecond = new ArrayList<>();

  @TempDir private Path folder;
  private Path exclude;

  @Override
  protected void configure() {
    conf.setBoolean("dfs.namenode.redundancy.considerLoad", false);
    exclude = folder.resolve("exclude");
    try {
      Files.createFile(exclude);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    conf.set("dfs.hosts.exclude", exclude.toString());
  }

  @BeforeEach
  void gather() throws Exception {
    company = new Company(store, conf, clock, executor);
    first = company.start();
    second = company.start();
    for (int i = 0; i < NODES; i++) {
      String ip = "10.0.1." + (i + 1);
      atFirst.add(new FakeDatanode(first.manager, IDENTITY, "dn" + i, ip).start());
      atSecond.add(new FakeDatanode(second.manager, IDENTITY, "dn" + i, ip).start());
    }
    for (int i = 0; i < 6; i++) {
      beat();
    }
    for (int i = 0; i < NODES; i++) {
      owner(i).reportAll();
    }
    beat();
  }

  @AfterEach
  void part() {
    company.close();
  }

  /** Three seconds in the life of all. */
  private void beat() throws Exception {
    clock.advance(Duration.ofSeconds(3));
    for (NameNode nameNode : company.running()) {
      for (FakeDatanode node : nameNode == first ? atFirst : atSecond) {
        node.heartbeat(false);
      }
    }
    company.exchange();
  }

  @Test
  void whoHearsNobodyAnyMoreSaysSoAtOnce() throws Exception {
    exchange(1, Duration.ofSeconds(2));
    assertThat(PeerStates.decode(boardOf(first)).getHeardList()).hasSize(NODES);
    exchange(1, Duration.ofSeconds(40)); // longer than a node is fresh, shorter than boards repeat
    assertThat(PeerStates.decode(boardOf(first)).getHeardList()).isEmpty();
  }

  @Test
  void whoHasNothingToSaySaysItSeldom() throws Exception {
    NameNode third = company.start(); // no DataNode talks to it
    exchange(3, Duration.ofSeconds(2));
    byte[] said = boardOf(third);
    byte[] ofFirst = boardOf(first);
    exchange(5, Duration.ofSeconds(2));
    assertThat(boardOf(third)).isEqualTo(said);
    assertThat(boardOf(first)).as("who hears DataNodes").isNotEqualTo(ofFirst);

    new FakeDatanode(first.manager, IDENTITY, "dnNew", "10.0.1.99").start();
    exchange(2, Duration.ofSeconds(2));
    assertThat(PeerStates.decode(boardOf(third)).getSeenChanges())
        .as("the change that it acts on")
        .isGreaterThan(PeerStates.decode(said).getSeenChanges());
    byte[] news = boardOf(third);
    exchange(2, Duration.ofSeconds(40));
    assertThat(boardOf(third)).as("in case that it was lost").isNotEqualTo(news);
  }

  private void exchange(int times, Duration interval) throws IOException {
    for (int i = 0; i < times; i++) {
      clock.advance(interval);
      company.exchange();
    }
  }

  private byte[] boardOf(NameNode nameNode) {
    return store.get(BlockKeys.peerState(nameNode.self(), 0));
  }

  /** As {@code dfsadmin} asks for it, which goes to all NameNodes of a nameservice. */
  @Test
  void aNodeIsEmptiedWhenAllHaveReadItsName() throws Exception {
    Files.writeString(exclude, "10.0.1.1\n");
    second.manager.refreshNodes();
    beat();
    first.manager.repairNow();
    beat();
    assertThat(stateOfTheFirstNode(first)).isEqualTo(AdminStates.NORMAL);
    assertThat(stateOfTheFirstNode(second)).isEqualTo(AdminStates.NORMAL);

    first.manager.refreshNodes();
    second.manager.refreshNodes();
    for (int i = 0; i < 20; i++) {
      beat();
      company.running().forEach(nameNode -> nameNode.manager.repairNow());
    }
    beat();
    assertThat(stateOfTheFirstNode(first)).isEqualTo(AdminStates.DECOMMISSIONED);
    assertThat(stateOfTheFirstNode(second)).isEqualTo(AdminStates.DECOMMISSIONED);
  }

  private static AdminStates stateOfTheFirstNode(NameNode nameNode) {
    return Arrays.stream(nameNode.manager.datanodeReport(DatanodeReportType.ALL))
        .filter(node -> node.getIpAddr().equals("10.0.1.1"))
        .findFirst()
        .orElseThrow()
        .getAdminState();
  }

  private static boolean isActive(HeartbeatResponse response) {
    return response.getNameNodeHaState().getState() == HAServiceState.ACTIVE;
  }

  private boolean isFirsts(int node) throws IOException {
    return isActive(atFirst.get(node).heartbeat(false));
  }

  /** As it talks to its owner. */
  private FakeDatanode owner(int node) throws IOException {
    return isFirsts(node) ? atFirst.get(node) : atSecond.get(node);
  }

  private FakeDatanode other(int node) throws IOException {
    return isFirsts(node) ? atSecond.get(node) : atFirst.get(node);
  }

  private int aNodeOf(NameNode nameNode) throws IOException {
    for (int i = 0; i < NODES; i++) {
      if (isFirsts(i) == (nameNode == first)) {
        return i;
      }
    }
    throw new AssertionError("It owns none");
  }

  private Map<Integer, Long> epochs(List<FakeDatanode> nodes) throws IOException {
    Map<Integer, Long> epochs = new TreeMap<>();
    for (int i = 0; i < NODES; i++) {
      HeartbeatResponse response = nodes.get(i).heartbeat(false);
      if (isActive(response)) {
        epochs.put(i, response.getNameNodeHaState().getTxId());
      }
    }
    return epochs;
  }

  private static List<Integer> commands(FakeDatanode node) throws IOException {
    return Arrays.stream(node.heartbeat(false).getCommands())
        .map(DatanodeCommand::getAction)
        .toList();
  }

  /** A block with a finished replica on one DataNode, which both NameNodes have heard of. */
  private Block writtenTo(int node, long id) throws Exception {
    Block block = new Block(id, 10, GS);
    run(tx -> first.manager.allocate(tx, request(id, 1, List.of(atFirst.get(node).ip()))));
    atFirst.get(node).received(block);
    atSecond.get(node).received(block);
    assertThat(commitAt(first, block)).isTrue();
    return block;
  }

  private boolean commitAt(NameNode nameNode, Block block) throws Exception {
    return run(tx -> nameNode.manager.commit(tx, block));
  }

  private BlockRecord record(Block block) {
    return BlockRows.read(store, block.getBlockId());
  }

  @Test
  void bandwidthReachesTheDataNodesOfAllNameNodes() throws Exception {
    int mine = aNodeOf(first);
    int others = aNodeOf(second);
    first.manager.setBalancerBandwidth(12_345);
    assertThat(commands(atFirst.get(mine))).contains(DatanodeProtocol.DNA_BALANCERBANDWIDTHUPDATE);
    company.exchange();
    company.exchange();
    assertThat(commands(atSecond.get(others)))
        .contains(DatanodeProtocol.DNA_BALANCERBANDWIDTHUPDATE);
    company.exchange();
    assertThat(commands(atSecond.get(others)))
        .doesNotContain(DatanodeProtocol.DNA_BALANCERBANDWIDTHUPDATE);
  }

  @Test
  void eachDataNodeIsActiveToOneAlone() throws Exception {
    Map<Integer, Long> one = epochs(atFirst);
    Map<Integer, Long> other = epochs(atSecond);
    assertThat(one).isNotEmpty().hasSizeLessThan(NODES);
    assertThat(other.keySet()).doesNotContainAnyElementsOf(one.keySet());
    assertThat(one.size() + other.size()).isEqualTo(NODES);
    for (int i = 0; i < NODES; i++) {
      assertThat(other(i).heartbeat(true).getFullBlockReportLeaseId()).isZero();
      assertThat(owner(i).heartbeat(true).getFullBlockReportLeaseId()).isNotZero();
    }
  }

  @Test
  void hundredsOfDataNodesMoveAtOnce() throws Exception {
    for (int i = 0; i < 2 * Ownership.TAKEN_TOGETHER; i++) {
      String ip = "10.0.2." + (i + 1);
      atFirst.add(new FakeDatanode(first.manager, IDENTITY, "more" + i, ip).start());
      atSecond.add(new FakeDatanode(second.manager, IDENTITY, "more" + i, ip).start());
    }
    beat();
    beat();
    assertThat(ownedBy(atSecond)).isLessThan(atSecond.size() - Ownership.TAKEN_TOGETHER / 2);
    company.kill(first);
    company.expire(first);
    beat();
    assertThat(ownedBy(atSecond)).isEqualTo(atSecond.size());
  }

  private static int ownedBy(List<FakeDatanode> nodes) throws IOException {
    int count = 0;
    for (FakeDatanode node : nodes) {
      count += isActive(node.heartbeat(false)) ? 1 : 0;
    }
    return count;
  }

  @Test
  void ownershipMovesWithAHigherEpochAndNoFullReportIsNeeded() throws Exception {
    Map<Integer, Long> before = epochs(atFirst);
    for (int i = 0; i < 3; i++) {
      beat();
    }
    company.kill(first);
    beat();
    assertThat(epochs(atSecond)).as("the lease holds still").hasSize(NODES - before.size());
    company.expire(first);
    beat();
    Map<Integer, Long> after = epochs(atSecond);
    assertThat(after).hasSize(NODES);
    before.forEach((node, epoch) -> assertThat(after.get(node)).isGreaterThan(epoch));
    for (int node : before.keySet()) {
      assertThat(commands(atSecond.get(node))).doesNotContain(DatanodeProtocol.DNA_REGISTER);
    }
  }

  @Test
  void reportThatOnlyTheDeadOwnerWouldHaveStoredIsNotLost() throws Exception {
    int node = aNodeOf(first);
    int elsewhere = aNodeOf(second);
    Block block = writtenTo(elsewhere, 1);
    for (int i = 0; i < 3; i++) {
      beat();
    }
    // A copy of a complete block: nobody waits for it, so it is the owner's to store.
    company.kill(first);
    atSecond.get(node).received(block);
    assertThat(record(block).storages()).hasSize(1);
    company.expire(first);
    for (int i = 0; i < 3; i++) {
      beat();
    }
    assertThat(second.manager.locate(store, block, 0, false).getLocations())
        .extracting(location -> location.getDatanodeUuid())
        .contains("uuid-dn" + node, "uuid-dn" + elsewhere);
  }

  @Test
  void reportsThatAreTooManyToKeepAreMadeUpForByAFullReport() throws Exception {
    int node = aNodeOf(first);
    atSecond.get(node).deleted(new Block(1, 10, GS)); // so that it has something to catch up with
    loseFirst();
    assertThat(isInDoubt(node)).isFalse();
    sayTooMuch(node); // it is owned, and has not caught up yet
    clock.advance(Duration.ofSeconds(3));
    atSecond.get(node).heartbeat(false);
    clock.advance(Duration.ofSeconds(3));
    assertThat(commands(atSecond.get(node))).contains(DatanodeProtocol.DNA_REGISTER);
    assertThat(isInDoubt(node)).isTrue();
  }

  @Test
  void theSameBeforeItsOwnerDied() throws Exception {
    company.kill(second);
    company.expire(second);
    begin(company.start()); // with which no DataNode has registered
    for (int i = 0; i < 30; i++) {
      beat();
    }
    int node = aNodeOf(first);
    sayTooMuch(node);
    loseFirst();
    clock.advance(Duration.ofSeconds(3));
    assertThat(commands(atSecond.get(node))).contains(DatanodeProtocol.DNA_REGISTER);
    assertThat(isInDoubt(node)).isTrue();
  }

  private void loseFirst() throws IOException {
    company.kill(first);
    company.expire(first);
    second.manager.exchangeNow();
  }

  private void sayTooMuch(int node) {
    Block[] blocks = new Block[ReportStream.LIMIT + 1];
    Arrays.setAll(blocks, i -> new Block(1000 + i, 10, GS));
    atSecond.get(node).deleted(blocks);
  }

  /** Whether it has to name its replicas again, as the store says it. */
  private boolean isInDoubt(int node) {
    Key row = BlockKeys.storage(atSecond.get(node).uuid(), atSecond.get(node).storage(0));
    return DatanodeRows.storage(store.get(row)).getUnverified();
  }

  @Test
  void whatWasSaidAndTakenBackMeanwhileLeavesNoGhost() throws Exception {
    int node = aNodeOf(first);
    Block block = writtenTo(aNodeOf(second), 1);
    for (int i = 0; i < 3; i++) {
      beat();
    }
    atSecond.get(node).received(block);
    atFirst.get(node).received(block);
    atFirst.get(node).deleted(block);
    company.kill(first);
    company.expire(first);
    second.manager.exchangeNow();
    clock.advance(Duration.ofSeconds(3));
    atSecond.get(node).heartbeat(false);
    assertThat(record(block).storages()).hasSize(1);
    atSecond.get(node).deleted(block); // what it had to say follows its heartbeat
    for (int i = 0; i < 4; i++) {
      beat();
      assertThat(record(block).storages()).hasSize(1);
    }
  }

  @Test
  void oldOwnerChangesNothingAnyMore() throws Exception {
    int node = aNodeOf(first);
    Block block = writtenTo(node, 1);
    Block copy = writtenTo(aNodeOf(second), 2);
    for (int i = 0; i < 3; i++) {
      beat();
    }
    // It stands still and does not know what happens.
    company.expire(first);
    first.leaseHolds = true;
    for (int i = 0; i < 3; i++) {
      clock.advance(Duration.ofSeconds(3));
      for (FakeDatanode datanode : atSecond) {
        datanode.heartbeat(false);
      }
      second.manager.exchangeNow();
    }
    assertThat(isActive(atSecond.get(node).heartbeat(false))).isTrue();
    assertThatThrownBy(() -> atFirst.get(node).received(copy)).hasStackTraceContaining("fenced");
    assertThatThrownBy(() -> atFirst.get(node).deleted(block)).hasStackTraceContaining("fenced");
    assertThatThrownBy(() -> atFirst.get(node).reportAll()).hasStackTraceContaining("fenced");
    assertThat(record(block).storages()).hasSize(1);
    assertThat(record(copy).storages()).hasSize(1);

    first.leaseHolds = false;
    assertThat(isActive(atFirst.get(node).heartbeat(false))).isFalse();
    assertThat(commands(atFirst.get(node))).isEmpty();
  }

  @Test
  void writerIsServedWhileNobodyOwnsHisDataNode() throws Exception {
    int node = aNodeOf(first);
    company.kill(first);
    Block block = new Block(1, 10, GS);
    run(tx -> second.manager.allocate(tx, request(1, 1, List.of(atSecond.get(node).ip()))));
    atSecond.get(node).received(block);
    assertThat(commitAt(second, block)).isTrue();
    assertThat(commands(atSecond.get(node))).isEmpty();
  }

  @Test
  void waiterLearnsOfAReplicaThatAnotherNameNodeStored() throws Exception {
    int node = aNodeOf(second);
    Block block = new Block(1, 10, GS);
    run(tx -> first.manager.allocate(tx, request(1, 1, List.of(atFirst.get(node).ip()))));
    assertThat(commitAt(first, block)).isFalse();
    var replica = first.manager.awaitReplica(1, Duration.ofSeconds(30));
    atSecond.get(node).received(block);
    assertThat(replica.get(30, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void deletionThatOneNameNodeDecidesOnIsTheOwnersToCommand() throws Exception {
    int node = aNodeOf(second);
    Block block = writtenTo(node, 1);
    clock.advance(Duration.ofMinutes(3)); // nobody looks for deletions any more
    for (int i = 0; i < 3; i++) {
      beat();
    }
    run(
        tx -> {
          first.manager.remove(tx, List.of(block));
          return null;
        });
    assertThat(atFirst.get(node).toDelete()).isEmpty();
    company.exchange();
    assertThat(atFirst.get(node).toDelete()).isEmpty();
    assertThat(atSecond.get(node).toDelete()).containsExactly(block);
  }

  @Test
  void oneRepairsForAllAndTheOwnersCommand() throws Exception {
    Block block = writtenTo(aNodeOf(second), 1);
    run(
        tx -> {
          first.manager.setReplication(tx, List.of(block), (short) 3);
          return null;
        });
    second.manager.repairNow();
    beat();
    for (FakeDatanode node : atSecond) {
      assertThat(node.toCopy()).as("the second is not the one that repairs").isEmpty();
    }
    first.manager.repairNow();
    company.exchange();
    List<FakeDatanode.Copy> copies = new ArrayList<>();
    for (int i = 0; i < NODES; i++) {
      assertThat(other(i).toCopy()).isEmpty();
      copies.addAll(owner(i).toCopy());
    }
    assertThat(copies).hasSize(1);
    assertThat(copies.get(0).targetUuids()).hasSize(2);
  }

  @Test
  void nothingIsDeletedForTheSakeOfReplicasThatAnotherNameNodeKnowsToBeInDoubt() throws Exception {
    int node = aNodeOf(second);
    int elsewhere = aNodeOf(first);
    Block block = writtenTo(node, 1);
    run(
        tx -> {
          first.manager.setReplication(tx, List.of(block), (short) 2);
          return null;
        });
    atFirst.get(elsewhere).received(block);
    assertThat(record(block).storages()).hasSize(2);
    atSecond.get(node).start(); // perhaps with an empty disk
    run(
        tx -> {
          first.manager.setReplication(tx, List.of(block), (short) 1);
          return null;
        });
    first.manager.repairNow();
    assertThat(record(block).storages()).hasSize(2);
    atSecond.get(node).reportAll(block);
    company.exchange();
    first.manager.repairNow();
    assertThat(record(block).storages()).hasSize(1);
  }

  @Test
  void blocksOfALostNodeAreLookedAtOnlyWhenAllNameNodesKnowThatItIsLost() throws Exception {
    Block block = writtenTo(0, 1);
    clock.advance(Duration.ofMinutes(11));
    for (int i = 1; i < NODES; i++) {
      atFirst.get(i).heartbeat(false);
      atSecond.get(i).heartbeat(false);
    }
    first.manager.repairNow();
    first.manager.exchangeNow();
    first.manager.exchangeNow();
    first.manager.repairNow();
    assertThat(isAnyCheckOpen()).isTrue();
    assertThat(record(block).repairState().queue()).isEqualTo(RepairQueue.NONE);
    for (int i = 0; i < 3; i++) {
      company.exchange();
    }
    first.manager.repairNow();
    assertThat(isAnyCheckOpen()).isFalse();
    assertThat(record(block).repairState().queue()).isEqualTo(RepairQueue.MISSING);
  }

  private boolean isAnyCheckOpen() {
    try (Scan scan = store.scan(BlockKeys.checks())) {
      return scan.hasNext();
    }
  }

  @Test
  void nameNodeThatHearsNoDataNodePlacesByTheWordOfOthers() throws Exception {
    NameNode third = company.start();
    third.manager.exchangeNow();
    assertThat(third.manager.datanodeReport(DatanodeReportType.LIVE))
        .hasSize(NODES)
        .allMatch(node -> node.getCapacity() > 0);
    assertThat(run(tx -> third.manager.allocate(tx, request(1, 3))).getLocations()).hasSize(3);
    clock.advance(Duration.ofMinutes(11));
    third.manager.exchangeNow();
    assertThat(third.manager.liveDatanodes()).isZero();
  }

  @Test
  void newNameNodeTakesItsShareWhenItHasHeardEnough() throws Exception {
    company.kill(second);
    company.expire(second);
    for (int i = 0; i < 4; i++) {
      beat();
    }
    assertThat(epochs(atFirst)).hasSize(NODES);
    second = company.start();
    atSecond.forEach(node -> node.talkTo(second.manager));
    for (int i = 0; i < 8; i++) {
      beat();
    }
    assertThat(epochs(atSecond)).isNotEmpty();
    assertThat(epochs(atFirst).size() + epochs(atSecond).size()).isEqualTo(NODES);
    for (int i = 0; i < NODES; i++) {
      assertThat(commands(owner(i))).as("no full report is needed").isEmpty();
    }
  }

  /** The first NameNode owns all; the second one starts anew, and hears them. */
  private void begin(NameNode starting) {
    second = starting;
    atSecond.forEach(node -> node.talkTo(second.manager));
  }

  @Test
  void anOwnerLeavesADataNodeWhenWhatItWritesForItHasArrived() throws Exception {
    int node = aNodeOf(second);
    Block block = writtenTo(aNodeOf(first), 1);
    company.kill(second);
    company.expire(second);
    for (int i = 0; i < 4; i++) {
      beat();
    }
    first.store.holdUpNext();
    CompletableFuture<Void> report = atFirst.get(node).receiving(block);
    assertThat(first.store.isHeldUp()).isTrue();

    begin(company.start());
    for (int i = 0; i < 30; i++) {
      beat();
      assertThat(isActive(atSecond.get(node).heartbeat(false))).isFalse();
    }
    assertThatThrownBy(() -> atFirst.get(node).deleted(block))
        .hasStackTraceContaining("takes over the DataNode");

    first.store.deliver();
    report.get(30, TimeUnit.SECONDS);
    assertThat(record(block).storages()).hasSize(2);
    for (int i = 0; i < 3; i++) {
      beat();
    }
    assertThat(isActive(atSecond.get(node).heartbeat(false))).isTrue();
    atSecond.get(node).deleted(block);
    atSecond.get(node).heartbeat(false);
    beat();
    assertThat(record(block).storages()).hasSize(1);
  }

  @Test
  void anOwnerLeavesNoDataNodeWhileNobodyKnowsWhatBecameOfItsReport() throws Exception {
    int node = aNodeOf(second);
    Block block = writtenTo(aNodeOf(first), 1);
    company.kill(second);
    company.expire(second);
    for (int i = 0; i < 4; i++) {
      beat();
    }
    first.store.giveUpNext();
    assertThatThrownBy(() -> atFirst.get(node).received(block))
        .hasStackTraceContaining("Nobody knows");

    begin(company.start());
    for (int i = 0; i < 30; i++) {
      beat();
      assertThat(isActive(atSecond.get(node).heartbeat(false))).isFalse();
    }
    first.store.deliver();
    for (int i = 0; i < 3; i++) {
      beat();
    }
    assertThat(isActive(atSecond.get(node).heartbeat(false))).isTrue();
  }

  @Test
  void anOwnerThatHasJustBegunIsNotTakenForADeadOne() throws Exception {
    company.kill(second);
    company.expire(second);
    for (int i = 0; i < 4; i++) {
      beat();
    }
    first.learnsLate = true;
    begin(company.start());
    List<FakeDatanode> fresh = new ArrayList<>();
    for (int i = 0; i < NODES; i++) { // which the new one owns before the first one hears them
      fresh.add(new FakeDatanode(second.manager, IDENTITY, "new" + i, "10.0.3." + i).start());
    }
    clock.advance(Duration.ofSeconds(3));
    for (FakeDatanode each : fresh) {
      each.heartbeat(false);
    }
    second.manager.exchangeNow();
    second.manager.exchangeNow();
    assertThat(ownedBy(fresh)).isEqualTo(NODES);
    for (int i = 0; i < NODES; i++) {
      FakeDatanode atOld =
          new FakeDatanode(first.manager, IDENTITY, "new" + i, "10.0.3." + i).start();
      atOld.heartbeat(false);
    }
    first.manager.exchangeNow();
    assertThat(ownedBy(fresh)).isEqualTo(NODES);
  }

  @Test
  void aReportRestsOnTheRowsOfItsBlockAlone() throws Exception {
    int node = aNodeOf(second);
    Block block = writtenTo(aNodeOf(first), 1);
    long conflicts = second.runner.conflicts();
    second.store.holdUpNext();
    CompletableFuture<Void> report = atSecond.get(node).receiving(block);
    assertThat(second.store.isHeldUp()).isTrue();
    touchRowsOfDatanodes();
    touchDeletionsOf(block);
    second.store.deliver();
    report.get(30, TimeUnit.SECONDS);
    assertThat(record(block).storages()).hasSize(2);
    assertThat(second.runner.conflicts()).isEqualTo(conflicts);
  }

  /** All of them lie in one region. */
  private void touchRowsOfDatanodes() throws Exception {
    run(
        tx -> {
          for (KeyRange range :
              List.of(BlockKeys.datanodes(), BlockKeys.storages(), BlockKeys.owners())) {
            try (Scan scan = store.scan(range)) {
              scan.forEachRemaining(row -> tx.put(row.key(), row.value()));
            }
          }
          return null;
        });
  }

  /** Each is queued, and is gone again. */
  private void touchDeletionsOf(Block block) throws Exception {
    Set<Integer> storages = StoredStorages.read(store).indexes();
    run(
        tx -> {
          storages.forEach(each -> BlockRows.putInvalidation(tx, each, block.getBlockId(), GS));
          return null;
        });
    run(
        tx -> {
          storages.forEach(each -> BlockRows.forgetInvalidation(tx, each, block.getBlockId()));
          return null;
        });
  }

  @Test
  void whereAllNameNodesStartAnewFullReportsAreAskedFor() throws Exception {
    Block block = writtenTo(aNodeOf(second), 1);
    int node = aNodeOf(first);
    atSecond.get(node).received(block); // answered for, and in memory alone
    company.kill(first);
    company.kill(second);
    company.expire(first);
    company.expire(second);
    first = company.start();
    atFirst.forEach(datanode -> datanode.talkTo(first.manager));
    beat();
    assertThat(isActive(atFirst.get(node).heartbeat(false))).isTrue();
    clock.advance(Duration.ofMinutes(1));
    assertThat(commands(atFirst.get(node))).containsExactly(DatanodeProtocol.DNA_REGISTER);
    for (int i = 0; i < 4; i++) {
      beat();
    }
    assertThat(atFirst.get(node).heartbeat(true).getFullBlockReportLeaseId()).isNotZero();
    atFirst.get(node).reportAll(block);
    assertThat(record(block).storages()).hasSize(2);
    clock.advance(Duration.ofMinutes(2));
    assertThat(commands(atFirst.get(node))).isEmpty();
  }

  @Test
  void nameNodeThatWasAloneStartsAnewWithoutFullReports() throws Exception {
    company.kill(second);
    company.expire(second);
    for (int i = 0; i < 6; i++) {
      beat();
    }
    company.kill(first);
    company.expire(first);
    first = company.start();
    atFirst.forEach(datanode -> datanode.talkTo(first.manager));
    for (int i = 0; i < 3; i++) {
      beat();
      for (FakeDatanode node : atFirst) {
        assertThat(commands(node)).isEmpty();
      }
    }
    assertThat(epochs(atFirst)).hasSize(NODES);
  }
}
