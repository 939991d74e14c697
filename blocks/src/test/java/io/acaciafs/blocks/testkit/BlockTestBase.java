package io.acaciafs.blocks.testkit;

import io.acaciafs.blocks.BlockManager;
import io.acaciafs.blocks.ClusterIdentity;
import io.acaciafs.blocks.datanode.DatanodeRegistry;
import io.acaciafs.blocks.datanode.Liveness;
import io.acaciafs.blocks.datanode.NameNodes;
import io.acaciafs.blocks.datanode.NodeChanges;
import io.acaciafs.blocks.datanode.NodeVersion;
import io.acaciafs.blocks.datanode.Ownership;
import io.acaciafs.blocks.datanode.StoredReplicaStates;
import io.acaciafs.blocks.record.BlockRequest;
import io.acaciafs.blocks.redundancy.Invalidations;
import io.acaciafs.blocks.settings.BlockContext;
import io.acaciafs.blocks.settings.BlockSettings;
import io.acaciafs.kv.Store;
import io.acaciafs.kv.memory.Faults;
import io.acaciafs.kv.memory.MemoryStore;
import io.acaciafs.kv.run.Operation;
import io.acaciafs.kv.run.TransactionRunner;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.net.DNSToSwitchMapping;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A block manager over a store in memory, with DataNodes that say what a test wants. */
public abstract class BlockTestBase {
  public static final long GS = 1001;
  public static final long BLOCK_SIZE = 128L << 20;
  public static final ClusterIdentity IDENTITY =
      new ClusterIdentity(77, "CID-test", "BP-1-10.0.0.1-1700000000000", 0);

  public final TestClock clock = new TestClock();

  /** What other machines go by. */
  public Clock wallClock = Clock.systemUTC();

  public final Configuration conf = new Configuration(false);
  public final ScheduledExecutorService executor =
      Executors.newSingleThreadScheduledExecutor(task -> new Thread(task, "blocks-test"));

  /** HDFS's id of the storage policy of all files. */
  public byte policyId;

  public Faults faults = Faults.none();
  public MemoryStore store;
  public BlockManager manager;

  @BeforeEach
  protected void open() {
    conf.setClass(
        DFSConfigKeys.NET_TOPOLOGY_NODE_SWITCH_MAPPING_IMPL_KEY,
        RacksByAddress.class,
        DNSToSwitchMapping.class);
    conf.setBoolean("dfs.namenode.datanode.registration.ip-hostname-check", false);
    configure();
    store = new MemoryStore(faults);
    manager = newManager();
  }

  @AfterEach
  void close() {
    manager.close();
    store.close();
    executor.shutdownNow();
  }

  protected void configure() {}

  protected BlockManager newManager() {
    return newManager(NameNodes.alone());
  }

  /** Another one on the store. */
  protected BlockManager newManager(NameNodes nameNodes) {
    BlockContext context =
        new BlockContext(
            new TransactionRunner(storeOfManager(), executor, new Random(1)),
            IDENTITY.blockPoolId(),
            conf,
            clock,
            wallClock,
            new Random(2),
            executor);
    return new BlockManager(IDENTITY, context, (reader, fileId) -> policyId, nameNodes);
  }

  /** The store as the manager is to see it. */
  protected Store storeOfManager() {
    return store;
  }

  /** Kills the process and the machine, and starts again. */
  protected void restart(FakeDatanode... datanodes) {
    manager.close();
    store = store.crash();
    manager = newManager();
    Arrays.stream(datanodes).forEach(node -> node.talkTo(manager));
  }

  protected FakeDatanode node(String name, String ip) {
    return new FakeDatanode(manager, IDENTITY, name, ip);
  }

  /** Started DataNodes on one rack. */
  protected List<FakeDatanode> nodes(int count) throws IOException {
    List<FakeDatanode> nodes = new ArrayList<>();
    for (int i = 1; i <= count; i++) {
      nodes.add(node("dn" + i, "10.0.1." + i).start());
    }
    return nodes;
  }

  protected <T> T run(Operation<T, ?> operation) throws Exception {
    return result(runner().submit(operation));
  }

  /** Runs what only looks, and so does not wait until that is durable. */
  protected <T> T look(Operation<T, ?> operation) throws Exception {
    return result(runner().read(operation));
  }

  private TransactionRunner runner() {
    return new TransactionRunner(store, executor, new Random(3));
  }

  private static <T> T result(CompletableFuture<T> future) throws Exception {
    try {
      return future.get(30, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    }
  }

  protected BlockRequest request(long blockId, int replication) {
    return request(blockId, replication, List.of());
  }

  protected BlockRequest request(long blockId, int replication, List<String> favoredNodes) {
    return request(blockId, replication, null, favoredNodes, EnumSet.noneOf(AddBlockFlag.class));
  }

  /** For the only replica of a block that a client on this machine writes. */
  protected BlockRequest request(long blockId, String clientMachine, EnumSet<AddBlockFlag> flags) {
    return request(blockId, 1, clientMachine, List.of(), flags);
  }

  private BlockRequest request(
      long blockId,
      int replication,
      String clientMachine,
      List<String> favoredNodes,
      EnumSet<AddBlockFlag> flags) {
    return new BlockRequest(
        new BlockRequest.File("/file", 5, (short) replication, BLOCK_SIZE, policyId),
        new Block(blockId, 0, GS),
        0,
        clientMachine,
        new BlockRequest.Wishes(Set.of(), favoredNodes, flags));
  }

  /** The queues of replicas to delete of a NameNode that knows no DataNode. */
  protected Invalidations newInvalidations() {
    TransactionRunner runner = new TransactionRunner(store, executor, new Random(1));
    NodeChanges changes = new NodeChanges(NameNodes.alone());
    NodeVersion version = new NodeVersion();
    Ownership ownership = new Ownership(NameNodes.alone(), runner, changes);
    DatanodeRegistry registry = new DatanodeRegistry(runner, clock, changes, ownership, version);
    BlockSettings settings = BlockSettings.of(conf);
    return new Invalidations(
        registry,
        new StoredReplicaStates(registry, new Liveness(clock, settings, version)),
        ownership,
        clock,
        settings);
  }

  protected LocatedBlock allocate(long blockId, int replication) throws Exception {
    return run(tx -> manager.allocate(tx, request(blockId, replication)));
  }

  protected boolean commit(Block block) throws Exception {
    return run(tx -> manager.commit(tx, block));
  }

  protected void remove(Block... blocks) throws Exception {
    run(
        tx -> {
          manager.remove(tx, List.of(blocks));
          return null;
        });
  }

  protected boolean isComplete(Block block) throws Exception {
    return look(tx -> manager.isMinimallyReplicated(tx, block.getBlockId()));
  }

  /** A committed block with a replica on each of these. */
  protected Block write(long blockId, FakeDatanode... datanodes) throws Exception {
    Block block = new Block(blockId, 10, GS);
    List<String> favored = Arrays.stream(datanodes).map(FakeDatanode::ip).toList();
    run(tx -> manager.allocate(tx, request(blockId, datanodes.length, favored)));
    for (FakeDatanode datanode : datanodes) {
      datanode.received(block);
    }
    commit(block);
    return block;
  }

  protected LocatedBlock locate(Block block) {
    return manager.locate(store, block, 0, false);
  }

  /** Names of the DataNodes where a reader is sent. */
  protected List<String> places(Block block) {
    return Arrays.stream(locate(block).getLocations())
        .map(location -> location.getDatanodeUuid())
        .sorted()
        .toList();
  }
}
