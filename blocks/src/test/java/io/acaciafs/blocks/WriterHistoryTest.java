package io.acaciafs.blocks;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.blocks.record.BlockKeys;
import io.acaciafs.blocks.record.BlockRows;
import io.acaciafs.blocks.record.BlockStatus;
import io.acaciafs.blocks.testkit.FakeDatanode;
import io.acaciafs.blocks.testkit.HistoryTestBase;
import io.acaciafs.blocks.testkit.SimulatedDatanode;
import io.acaciafs.blocks.testkit.SimulatedDatanode.Replica;
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
import java.util.stream.LongStream;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.BlockUCState;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.ReplicaState;
import org.apache.hadoop.hdfs.server.protocol.BlockCommand;
import org.apache.hadoop.hdfs.server.protocol.BlockRecoveryCommand;
import org.apache.hadoop.hdfs.server.protocol.BlockRecoveryCommand.RecoveringBlock;
import org.apache.hadoop.hdfs.server.protocol.DatanodeCommand;
import org.apache.hadoop.hdfs.server.protocol.DatanodeProtocol;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A random life of blocks that are written: DataNodes die in the middle of pipelines, writers go on
 * with new ones or die themselves at any point, blocks are appended to, recovered and cut, in place
 * or, during rolling upgrades, by a copy, primaries of recoveries die, words of DataNodes come
 * late, and the NameNode is killed. No disk is ever lost: so nothing that was acknowledged may be,
 * whatever was ordered deleted. When calm is back, every block has its replicas with the right
 * bytes, and no disk holds more.
 */
class WriterHistoryTest extends HistoryTestBase {
  private static final int NODES = 5;
  private static final int STEPS = 500;
  private static final int STEPS_TO_HEAL = 400;

  /** A file of one block, as the namespace and its writer know it. */
  private final class File {
    private long id;
    private final int replication;

    /** What a reader was promised. */
    private String acknowledged = "";

    /** What the writer has sent. */
    private String written = "";

    private long generationStamp = GS;
    private long lengthBytes;
    private boolean open = true;
    private boolean committed;

    /** Nobody writes it any more, and it has to be closed all the same. */
    private boolean abandoned;

    private List<SimulatedDatanode> pipeline = new ArrayList<>();

    File(long id, int replication) {
      this.id = id;
      this.replication = replication;
    }

    Block block() {
      return new Block(id, lengthBytes, generationStamp);
    }

    boolean isGood(Replica replica) {
      return replica != null
          && replica.state() == ReplicaState.FINALIZED
          && replica.generationStamp() == generationStamp
          && replica.bytes().equals(acknowledged);
    }

    @Override
    public String toString() {
      return "file "
          + block()
          + (open ? " open" : " closed")
          + (abandoned ? " abandoned " : " ")
          + acknowledged
          + " "
          + BlockRows.read(store, id)
          + " "
          + nodes;
    }
  }

  private final List<SimulatedDatanode> nodes = new ArrayList<>();
  private final Map<Long, File> files = new TreeMap<>();
  private Random dice;
  private long lastId;

  /** More of them with {@code -Dacacia.histories=N}. */
  static LongStream seeds() {
    return LongStream.rangeClosed(1, Integer.getInteger("acacia.histories", 20));
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void whatWasAcknowledgedIsThere(long seed) throws Exception {
    manager.close();
    faults = Faults.seeded(seed, Map.of(Fault.CONFLICT, 0.1, Fault.LOST_REPLY, 0.01));
    open();
    dice = new Random(seed);
    for (int i = 0; i < NODES; i++) {
      FakeDatanode api = node("dn" + i, "10.0." + i % 2 + "." + i);
      nodes.add(new SimulatedDatanode(api));
      insist(api::start);
    }
    for (int step = 0; step < STEPS; step++) {
      event();
      tick();
      checkNothingIsLost();
    }
    calm();
    checkAllIsWell();
  }

  private void event() throws Exception {
    SimulatedDatanode node = nodes.get(dice.nextInt(NODES));
    File file = files.isEmpty() ? null : anyFile();
    switch (dice.nextInt(15)) {
      case 0 -> create();
      case 1, 2, 3, 4 -> write(file);
      case 5 -> append(file);
      case 6 -> cut(file);
      case 7 -> close(file);
      case 8 -> abandon(file);
      case 9 -> {
        if (node.isUp() && nodes.stream().filter(SimulatedDatanode::isUp).count() > 2) {
          node.die();
        }
      }
      case 10 -> {
        if (!node.isUp()) {
          comeBack(node);
        }
      }
      case 11 -> {
        if (node.isUp()) { // restarted in no time
          node.die();
          comeBack(node);
        }
      }
      case 12 -> {
        if (dice.nextInt(3) == 0 && files.size() > 5) {
          remove(file);
        }
      }
      case 13 -> {
        if (dice.nextInt(3) == 0) {
          beginOrEndUpgrade();
        }
      }
      default -> {
        if (dice.nextInt(4) == 0) {
          restart(nodes.stream().map(SimulatedDatanode::api).toArray(FakeDatanode[]::new));
        }
      }
    }
  }

  private void comeBack(SimulatedDatanode node) throws Exception {
    node.comeBack();
    insist(node.api()::start);
  }

  private void beginOrEndUpgrade() throws Exception {
    long nowMs = clock.millis();
    if (insist(() -> manager.upgrades().refresh()) == null || !manager.upgrades().isUnderWay()) {
      insist(() -> manager.upgrades().begin(nowMs, "host:/backup").get());
    } else {
      insist(() -> manager.upgrades().finish(nowMs).get());
    }
  }

  // ---- writers

  private void create() throws Exception {
    File file = new File(++lastId, 1 + dice.nextInt(3));
    LocatedBlock located;
    try {
      located = allocate(file.id, file.replication);
    } catch (Exception e) {
      return; // nobody there to take it, or a fault: the writer gives up
    }
    files.put(file.id, file);
    for (DatanodeInfo target : located.getLocations()) {
      SimulatedDatanode node = named(target.getDatanodeUuid());
      if (node.create(file.id, GS, "", ReplicaState.RBW)) {
        file.pipeline.add(node);
      }
    }
    if (file.pipeline.size() < located.getLocations().length) {
      renewPipeline(file);
    }
  }

  private boolean isWritable(File file) {
    return file != null && file.open && !file.abandoned && !file.committed;
  }

  private boolean isPipelineWhole(File file) {
    return !file.pipeline.isEmpty()
        && file.pipeline.stream()
            .allMatch(node -> node.writable(file.id, file.generationStamp) != null);
  }

  private void write(File file) throws Exception {
    if (!isWritable(file)) {
      return;
    }
    if (!isPipelineWhole(file)) {
      renewPipeline(file);
      return;
    }
    String more = letters();
    int reached = dice.nextInt(4) == 0 ? dice.nextInt(file.pipeline.size() + 1) : NODES;
    for (int i = 0; i < Math.min(reached, file.pipeline.size()); i++) {
      SimulatedDatanode node = file.pipeline.get(i);
      node.write(node.disk().get(file.id), more);
    }
    if (reached == NODES) {
      file.written += more;
      file.acknowledged = file.written;
    } else { // the rest of the pipeline breaks, or the writer dies
      file.pipeline.clear();
      file.abandoned = true;
    }
  }

  /** What DataStreamer does; the writer may die after each step of it. */
  private void renewPipeline(File file) throws Exception {
    List<SimulatedDatanode> left = new ArrayList<>(file.pipeline);
    left.removeIf(node -> node.writable(file.id, file.generationStamp) == null);
    buildPipeline(file, left);
  }

  private void buildPipeline(File file, List<SimulatedDatanode> left) throws Exception {
    file.pipeline.clear();
    if (left.isEmpty()) {
      file.abandoned = true;
      return;
    }
    long stamp =
        insist(() -> run(tx -> manager.pipelines().issueGenerationStamp(tx, file.id)))
            .getBlock()
            .getGenerationStamp();
    if (left.size() < file.replication && dice.nextBoolean()) {
      addDatanode(file, left, stamp);
    }
    for (SimulatedDatanode node : left) {
      if (dies(file)) {
        return;
      }
      node.restamp(node.disk().get(file.id), stamp);
    }
    if (dies(file)) {
      return;
    }
    Block updated = new Block(file.id, file.written.length(), stamp);
    insist(
        () ->
            run(
                tx -> {
                  manager.pipelines().update(tx, updated, registrations(left), storages(left));
                  return null;
                }));
    file.generationStamp = stamp;
    file.lengthBytes = file.written.length();
    file.pipeline = left;
    if (dice.nextInt(8) == 0) {
      file.abandoned = true;
    }
  }

  private void addDatanode(File file, List<SimulatedDatanode> left, long stamp) {
    LocatedBlock more =
        manager
            .pipelines()
            .additional(
                request(file.id, 1),
                left.stream()
                    .map(
                        node ->
                            new DatanodeInfo.DatanodeInfoBuilder()
                                .setNodeID(node.api().registration())
                                .build())
                    .toList(),
                storages(left));
    if (more.getLocations().length > left.size()) {
      SimulatedDatanode added = named(more.getLocations()[left.size()].getDatanodeUuid());
      String bytes = left.get(0).disk().get(file.id).bytes();
      if (added.create(file.id, stamp, bytes, ReplicaState.RBW)) {
        left.add(added);
      }
    }
  }

  private boolean dies(File file) {
    file.abandoned |= dice.nextInt(20) == 0;
    return file.abandoned;
  }

  private void append(File file) throws Exception {
    if (file == null || file.open || !insist(() -> canBeAppendedTo(file))) {
      return;
    }
    LocatedBlock located = insist(() -> run(tx -> manager.pipelines().reopen(tx, file.block(), 0)));
    file.open = true;
    file.committed = false;
    file.abandoned = dice.nextInt(10) == 0;
    file.written = file.acknowledged;
    if (!file.abandoned) {
      List<SimulatedDatanode> pipeline = new ArrayList<>();
      for (DatanodeInfo target : located.getLocations()) {
        SimulatedDatanode node = named(target.getDatanodeUuid());
        if (node.isUp() && file.isGood(node.disk().get(file.id))) {
          pipeline.add(node);
        }
      }
      buildPipeline(file, pipeline);
    }
  }

  private boolean canBeAppendedTo(File file) throws Exception {
    return look(tx -> manager.pipelines().isSufficientlyReplicated(tx, file.id));
  }

  private void close(File file) throws Exception {
    if (!isWritable(file) || file.written.isEmpty()) {
      return;
    }
    if (!isPipelineWhole(file)) {
      renewPipeline(file);
      return;
    }
    file.pipeline.forEach(node -> node.finish(file.id));
    file.pipeline.clear();
    file.lengthBytes = file.written.length();
    boolean complete = insist(() -> commit(file.block()));
    file.committed = true;
    file.open = !complete;
  }

  /** The writer dies, or another client takes the file from him. */
  private void abandon(File file) {
    if (file != null && file.open) {
      file.abandoned = true;
      file.pipeline.clear();
    }
  }

  private void cut(File file) throws Exception {
    if (file == null || file.open || file.acknowledged.length() < 2) {
      return;
    }
    int length = 1 + dice.nextInt(file.acknowledged.length() - 1);
    insist(
        () ->
            run(
                tx -> {
                  manager.recovery().start(tx, file.id, length, () -> ++lastId);
                  return null;
                }));
    file.acknowledged = file.acknowledged.substring(0, length);
    file.lengthBytes = length;
    file.open = true;
    file.abandoned = true;
    file.committed = false;
  }

  private void remove(File file) throws Exception {
    files.remove(file.id);
    insist(
        () -> {
          remove(file.block());
          return null;
        });
  }

  // ---- the namespace's part

  /** What the namespace does with files that wait to be closed. */
  private void closeOpenFiles() throws Exception {
    for (File file : List.copyOf(files.values())) {
      if (!file.open || !file.abandoned && !file.committed) {
        continue;
      }
      BlockStatus status = insist(() -> look(tx -> manager.pipelines().status(tx, file.id)));
      if (status.state() == BlockUCState.COMPLETE) {
        file.open = false;
        file.acknowledged = contentOf(file);
      } else if (!status.isPlaced() && file.lengthBytes == 0) {
        assertThat(file.acknowledged).isEmpty();
        remove(file);
      } else if (file.abandoned) {
        insist(
            () ->
                run(
                    tx -> {
                      manager.recovery().start(tx, file.id, 0, () -> ++lastId);
                      return null;
                    }));
      }
    }
  }

  /** Of a block that is complete: what all its replicas must hold from now on. */
  private String contentOf(File file) {
    String content =
        nodes.stream()
            .map(node -> node.disk().get(file.id))
            .filter(replica -> replica != null)
            .filter(replica -> replica.generationStamp() == file.generationStamp)
            .filter(replica -> replica.state() == ReplicaState.FINALIZED)
            .map(Replica::bytes)
            .filter(bytes -> bytes.length() == file.lengthBytes)
            .findFirst()
            .orElseThrow(() -> new AssertionError("No replica of " + file));
    assertThat(content).as("%s", file).startsWith(file.acknowledged);
    return content;
  }

  /**
   * @param recovered the file's block, or its copy
   */
  private void recovered(File file, Block recovered, List<SimulatedDatanode> took)
      throws Exception {
    long stamp = recovered.getGenerationStamp();
    BlockStatus status = insist(() -> look(tx -> manager.pipelines().status(tx, file.id)));
    if (status == null || status.recoveryId() != stamp) {
      return; // another attempt has begun
    }
    if (took.isEmpty()) {
      assertThat(file.acknowledged).as("deleted by recovery: %s", file).isEmpty();
      remove(file);
      return;
    }
    insist(
        () ->
            run(
                tx -> {
                  BlockStatus now = manager.pipelines().status(tx, file.id);
                  return now != null
                      && now.recoveryId() == stamp
                      && manager
                          .recovery()
                          .finish(tx, file.id, recovered, registrations(took), storages(took));
                }));
    files.remove(file.id);
    file.id = recovered.getBlockId();
    files.put(file.id, file);
    file.generationStamp = stamp;
    file.lengthBytes = recovered.getNumBytes();
    file.abandoned = true;
  }

  // ---- DataNodes

  private void tick() throws Exception {
    clock.advance(Duration.ofSeconds(3));
    for (SimulatedDatanode node : nodes) {
      if (!node.isUp()) {
        continue;
      }
      if (node.owesReport() ? dice.nextInt(4) == 0 : dice.nextInt(40) == 0) {
        tell(node::report);
      } else if (dice.nextInt(3) > 0) {
        tell(node::speak);
      }
      listen(node);
    }
    closeOpenFiles();
    manager.repairNow();
  }

  private void listen(SimulatedDatanode node) throws Exception {
    for (DatanodeCommand command : insist(() -> node.api().heartbeat(false)).getCommands()) {
      obey(node, command);
    }
  }

  private void obey(SimulatedDatanode node, DatanodeCommand command) throws Exception {
    switch (command.getAction()) {
      case DatanodeProtocol.DNA_REGISTER -> comeBack(node);
      case DatanodeProtocol.DNA_TRANSFER ->
          FakeDatanode.copies((BlockCommand) command).forEach(copy -> send(node, copy));
      case DatanodeProtocol.DNA_INVALIDATE ->
          Arrays.stream(((BlockCommand) command).getBlocks()).forEach(node::delete);
      case DatanodeProtocol.DNA_RECOVERBLOCK -> {
        for (RecoveringBlock block : ((BlockRecoveryCommand) command).getRecoveringBlocks()) {
          recover(node, block);
        }
      }
      default -> throw new AssertionError("Unexpected command " + command);
    }
  }

  private void send(SimulatedDatanode source, FakeDatanode.Copy copy) {
    Replica replica = source.disk().get(copy.block().getBlockId());
    boolean has =
        replica != null
            && replica.state() == ReplicaState.FINALIZED
            && replica.generationStamp() == copy.block().getGenerationStamp()
            && replica.bytes().length() >= copy.block().getNumBytes();
    for (String target : copy.targetUuids()) {
      if (has && dice.nextInt(8) > 0) {
        named(target)
            .create(
                copy.block().getBlockId(),
                replica.generationStamp(),
                replica.bytes(),
                ReplicaState.FINALIZED);
      }
    }
  }

  /** As BlockRecoveryWorker does it; the primary may die at either end. */
  private void recover(SimulatedDatanode primary, RecoveringBlock command) throws Exception {
    Block block = command.getBlock().getLocalBlock();
    File file = files.get(block.getBlockId());
    if (file == null || dice.nextInt(8) == 0) {
      return;
    }
    long id = command.getNewGenerationStamp();
    List<SimulatedDatanode> asked =
        Arrays.stream(command.getLocations()).map(i -> named(i.getDatanodeUuid())).toList();
    List<SimulatedDatanode> all = new ArrayList<>(asked);
    all.removeIf(node -> node.beginRecovery(block, id) == null);
    if (all.isEmpty() && asked.stream().noneMatch(SimulatedDatanode::isUp)) {
      return;
    }
    ReplicaState best =
        all.stream()
            .map(node -> node.disk().get(file.id).state())
            .min(ReplicaState::compareTo)
            .orElse(null);
    int shortest = shortest(all, file, best);
    List<SimulatedDatanode> took = new ArrayList<>(all);
    took.removeIf(
        node -> {
          Replica replica = node.disk().get(file.id);
          boolean isAsGood =
              best == ReplicaState.FINALIZED
                  && replica.state() == ReplicaState.RBW
                  && replica.bytes().length() == shortest;
          return replica.state() != best && !isAsGood;
        });
    int length =
        command.getNewBlock() == null ? shortest : (int) command.getNewBlock().getNumBytes();
    if (dice.nextInt(8) == 0) {
      return;
    }
    long newId = command.getNewBlock() == null ? file.id : command.getNewBlock().getBlockId();
    if (newId == file.id) {
      took.forEach(node -> node.endRecovery(file.id, id, length));
    } else {
      took.forEach(node -> node.copyInRecovery(file.id, newId, id, length));
    }
    if (dice.nextInt(3) == 0) { // they are faster than the primary
      for (SimulatedDatanode node : took) {
        tell(node::speak);
        listen(node);
      }
    }
    if (dice.nextInt(8) > 0) {
      recovered(file, new Block(newId, length, id), took);
    }
  }

  private static int shortest(List<SimulatedDatanode> all, File file, ReplicaState state) {
    return all.stream()
        .map(node -> node.disk().get(file.id))
        .filter(replica -> replica.state() == state)
        .mapToInt(replica -> replica.bytes().length())
        .min()
        .orElse(0);
  }

  // ---- what must hold

  private void checkNothingIsLost() {
    for (File file : files.values()) {
      if (!file.acknowledged.isEmpty()) {
        assertThat(nodes)
            .as("%s", file)
            .anyMatch(
                node -> {
                  Replica replica = node.disk().get(file.id);
                  return replica != null
                      && replica.generationStamp() >= file.generationStamp
                      && replica.bytes().startsWith(file.acknowledged);
                });
      }
      if (!file.open) {
        checkReadersGetRightBytes(file);
      }
    }
  }

  /** A DataNode refuses to read from what is older than the reader asks for. */
  private void checkReadersGetRightBytes(File file) {
    for (DatanodeInfo place : locate(file.block()).getLocations()) {
      Replica replica = named(place.getDatanodeUuid()).disk().get(file.id);
      boolean canBeRead =
          replica != null
              && replica.generationStamp() >= file.generationStamp
              && replica.bytes().length() >= file.lengthBytes;
      if (canBeRead) {
        assertThat(replica.bytes().substring(0, (int) file.lengthBytes))
            .as("%s", file)
            .isEqualTo(file.acknowledged);
      }
    }
  }

  private void calm() throws Exception {
    files.values().forEach(file -> file.abandoned |= !file.committed && file.open);
    for (SimulatedDatanode node : nodes) {
      if (!node.isUp()) {
        comeBack(node);
      }
    }
    for (int step = 0; step < STEPS_TO_HEAL; step++) {
      files.values().forEach(file -> file.abandoned |= file.open && file.committed);
      tick();
      checkNothingIsLost();
    }
  }

  private void checkAllIsWell() {
    for (File file : files.values()) {
      assertThat(file.open).as("%s", file).isFalse();
      List<String> holders =
          nodes.stream()
              .filter(node -> node.disk().containsKey(file.id))
              .map(node -> node.api().uuid())
              .sorted()
              .toList();
      assertThat(holders).as("%s", file).hasSize(file.replication);
      assertThat(places(file.block())).as("%s", file).isEqualTo(holders);
      assertThat(nodes)
          .as("%s", file)
          .allMatch(
              node -> !node.disk().containsKey(file.id) || file.isGood(node.disk().get(file.id)));
    }
    for (SimulatedDatanode node : nodes) {
      assertThat(files.keySet()).as("%s", node).containsAll(node.disk().keySet());
    }
    assertThat(rows(KeyRange.ofTable(BlockKeys.INVALIDATIONS))).isZero();
    assertThat(rows(KeyRange.ofTable(BlockKeys.PENDING_REPAIRS))).isZero();
    assertThat(rows(KeyRange.ofTable(BlockKeys.REPAIRS))).isZero();
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

  // ---- short names

  private String letters() {
    StringBuilder letters = new StringBuilder();
    for (int i = 1 + dice.nextInt(3); i > 0; i--) {
      letters.append((char) ('a' + dice.nextInt(26)));
    }
    return letters.toString();
  }

  private File anyFile() {
    return new ArrayList<>(files.values()).get(dice.nextInt(files.size()));
  }

  private SimulatedDatanode named(String uuid) {
    return nodes.stream().filter(node -> node.api().uuid().equals(uuid)).findFirst().orElseThrow();
  }

  private static List<org.apache.hadoop.hdfs.server.protocol.DatanodeRegistration> registrations(
      List<SimulatedDatanode> nodes) {
    return nodes.stream().map(node -> node.api().registration()).toList();
  }

  private static List<String> storages(List<SimulatedDatanode> nodes) {
    return nodes.stream().map(node -> node.api().storage(0)).toList();
  }
}
