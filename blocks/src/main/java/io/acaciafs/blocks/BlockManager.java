package io.acaciafs.blocks;

import io.acaciafs.blocks.datanode.Datanode;
import io.acaciafs.blocks.datanode.DatanodeReports;
import io.acaciafs.blocks.datanode.DatanodeServices;
import io.acaciafs.blocks.datanode.NameNodes;
import io.acaciafs.blocks.datanode.NodeVersion;
import io.acaciafs.blocks.datanode.Silence;
import io.acaciafs.blocks.datanode.UnregisteredHosts;
import io.acaciafs.blocks.placement.FilePolicies;
import io.acaciafs.blocks.placement.ReaderOrder;
import io.acaciafs.blocks.record.BlockKeys;
import io.acaciafs.blocks.record.BlockRequest;
import io.acaciafs.blocks.record.MissingBlocks;
import io.acaciafs.blocks.repair.DecommissionMonitor;
import io.acaciafs.blocks.report.RemoteReplicaPoller;
import io.acaciafs.blocks.safemode.SafeMode;
import io.acaciafs.blocks.settings.BlockContext;
import io.acaciafs.blocks.token.BlockTokens;
import io.acaciafs.blocks.write.BlockRecovery;
import io.acaciafs.blocks.write.Gateways;
import io.acaciafs.blocks.write.PipelineUpdate;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.Store;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.Transaction;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongFunction;
import java.util.function.Predicate;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.ReplicatedBlockStats;
import org.apache.hadoop.hdfs.server.protocol.BlockReportContext;
import org.apache.hadoop.hdfs.server.protocol.BlocksWithLocations;
import org.apache.hadoop.hdfs.server.protocol.DatanodeCommand;
import org.apache.hadoop.hdfs.server.protocol.DatanodeRegistration;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorageReport;
import org.apache.hadoop.hdfs.server.protocol.HeartbeatResponse;
import org.apache.hadoop.hdfs.server.protocol.NamespaceInfo;
import org.apache.hadoop.hdfs.server.protocol.StorageBlockReport;
import org.apache.hadoop.hdfs.server.protocol.StorageReceivedDeletedBlocks;
import org.apache.hadoop.hdfs.server.protocol.StorageReport;
import org.jspecify.annotations.Nullable;

/**
 * Where blocks are, and where new ones go: the outside of this module. It puts the parts together
 * and does nothing by itself.
 *
 * <p>Everything that must outlive the process is a row. Memory holds the DataNodes (read at the
 * start) with their last heartbeats, what they reported to this NameNode and another is to store,
 * and the calls that wait for a replica. There is no lock around I/O, and but for {@link
 * #startRepair} no thread: block operations run in the caller's transaction and on its thread;
 * reports run as transactions of their own. Safe for use by many threads.
 *
 * <p>Methods that take a transaction see the store as committed, never what the same transaction
 * has written; so {@link #isMinimallyReplicated} right after {@link #commit} in one transaction
 * tells of the time before: use what {@code commit} returns. They may run again after a conflict.
 *
 * <p>A returned future completes when what it stands for is durable, often on a thread of the
 * store: do not block there.
 */
public final class BlockManager implements AutoCloseable {
  private final ClusterIdentity identity;
  private final BlockServices services;
  private final Store store;
  private final RollingUpgrades upgrades;
  private final DatanodeService datanodes;
  private final DatanodeReports reports;
  private final ReaderOrder readerOrder;
  private final Silence silence;
  private final BlockInspector inspector;
  private final BlocksOfDatanode blocksOfDatanode;
  private final MetaSave metaSave;
  private final Reconfiguration reconfiguration;

  /**
   * Reads all DataNodes from the store.
   *
   * @param policies of files, for repair
   * @param nameNodes all that serve the store
   */
  public BlockManager(
      ClusterIdentity identity, BlockContext context, FilePolicies policies, NameNodes nameNodes) {
    this.identity = identity;
    services = new BlockServices(context, policies, nameNodes);
    store = context.store();
    DatanodeServices known = services.datanodes();
    upgrades = new RollingUpgrades(context.runner(), identity.blockPoolId());
    datanodes = new DatanodeService(identity, services, upgrades);
    reports =
        new DatanodeReports(
            known.registry(),
            known.liveness(),
            new UnregisteredHosts(services.repair().adminStates().hosts(), context.conf()));
    readerOrder =
        new ReaderOrder(
            known.registry(), services.placement().racks(), known.liveness(), context.random());
    silence = new Silence(known.registry(), known.liveness(), known.version(), context.clock());
    inspector = new BlockInspector(services);
    blocksOfDatanode = new BlocksOfDatanode(store, known.registry());
    metaSave =
        new MetaSave(
            store, known.registry(), reports, inspector, services.redundancy().recordWriter());
    reconfiguration = new Reconfiguration(services);
    if (!nameNodes.onlyReads()) {
      services.safeMode().begin(context.executor());
    }
  }

  /** The tables that the store must be opened with. */
  public static Set<Table> tables() {
    return BlockKeys.TABLES;
  }

  // Inside the namespace's transactions

  /**
   * Chooses targets for a new block and writes its row, under construction, with them as expected
   * storages. For a block that has such a row already it returns the same targets again, or chooses
   * where there are none.
   *
   * @return with the targets in the order of the pipeline, and length 0
   * @throws org.apache.hadoop.hdfs.server.namenode.NotReplicatedYetException when there are fewer
   *     targets than asked for because this process has just started; writers try again on it
   * @throws IOException with HDFS's text when there are fewer than dfs.namenode.replication.min
   */
  public LocatedBlock allocate(Transaction tx, BlockRequest request) throws IOException {
    return services.writes().operations().allocate(tx, request);
  }

  /**
   * Gives a block its final length. Replicas that were reported with another length or an older
   * generation stamp leave the row and are deleted, as long as a good one remains. May be repeated.
   *
   * @param reported as the client names it
   * @return whether the block now has dfs.namenode.replication.min replicas and so is complete
   * @throws IOException when the block is not there, or has another generation stamp, or more
   *     bytes, or was committed with another length
   */
  public boolean commit(Transaction tx, Block reported) throws IOException {
    return services.writes().operations().commit(tx, reported);
  }

  /** The row that says of a block where it is. */
  public static Key rowOf(long blockId) {
    return BlockKeys.block(blockId);
  }

  /**
   * Whether the block is committed and has had, since then, dfs.namenode.replication.min finalized
   * replicas of the right length. Guards the block's row. False where there is no such block.
   */
  public boolean isMinimallyReplicated(Transaction tx, long blockId) {
    return services.writes().operations().isMinimallyReplicated(tx, blockId);
  }

  /** As {@link #isMinimallyReplicated}, and guards nothing. */
  public boolean isComplete(Reader reader, long blockId) {
    return services.writes().operations().isComplete(reader, blockId);
  }

  /**
   * Whether a block is committed with this length and generation stamp, and belongs to this file.
   * Guards nothing.
   */
  public boolean isCommitted(Reader reader, Block block, long fileId) {
    return services.writes().operations().isCommitted(reader, block, fileId);
  }

  /**
   * Removes blocks and has their replicas deleted, wherever they are or were expected. Only ids
   * count; those that are not there are passed over.
   */
  public void remove(Transaction tx, Collection<Block> blocks) {
    services.writes().operations().remove(tx, blocks);
  }

  /** Changes how many replicas are wanted. */
  public void setReplication(Transaction tx, Collection<Block> blocks, short replication) {
    services.writes().operations().setReplication(tx, blocks, replication);
  }

  /** What writers need when their pipeline breaks, or when they append. */
  public PipelineUpdate pipelines() {
    return services.writes().pipelines();
  }

  /** What becomes of blocks whose writer is gone. */
  public BlockRecovery recovery() {
    return services.writes().recovery();
  }

  // For clients

  /**
   * Where a block is, unsorted: the storages with a good replica, except those of DataNodes that
   * are dead or in maintenance. If there is no good replica, the storages with corrupt ones. For a
   * block that is not complete, all storages that are expected to have it or reported it. Guards
   * nothing.
   *
   * @param block as the namespace knows it; its length and stamp go into the answer
   * @param offset of the block in its file, bytes
   * @param underConstruction the answer takes the stamp from the block's row instead, and its
   *     length where that is greater
   * @return without locations where the block is not there
   */
  public LocatedBlock locate(Reader reader, Block block, long offset, boolean underConstruction) {
    return services.writes().locator().locate(reader, block, offset, underConstruction);
  }

  /**
   * Puts locations in the order in which a reader should try them: its own node, its rack, the rest
   * shuffled; stale nodes behind live ones, dead ones last. Reads memory only.
   *
   * @param clientHost IP address of the reader; null where it is not known
   */
  public void sortForReader(@Nullable String clientHost, List<LocatedBlock> blocks) {
    readerOrder.sort(clientHost, blocks);
  }

  /**
   * Version of the DataNode data that {@link #locate} and {@link #sortForReader} return, without
   * the data of rows.
   */
  public NodeVersion nodeVersion() {
    return services.datanodes().version();
  }

  /**
   * How long, at most, an answer of one version stays valid: silent DataNodes become stale, and
   * figures of others are as old as their heartbeats.
   */
  public long nodesLastMs() {
    return Math.min(heartbeatMs(), silence.changesNothingForMs());
  }

  /**
   * Waits for the next finalized replica of a block to become durable, whichever it is. Call it
   * first, then look at the block's row, then wait: so no replica is missed. Cancel it when it is
   * not needed. Where several NameNodes serve the report may reach another one: then the row is
   * looked at a few times.
   *
   * @return true when one came; false when none did in time, or too many calls wait already
   */
  public CompletableFuture<Boolean> awaitReplica(long blockId, Duration timeout) {
    CompletableFuture<Boolean> replica = services.reports().waiters().await(blockId, timeout);
    RemoteReplicaPoller poller = services.reports().poller();
    if (poller != null) {
      poller.watch(blockId, replica);
    }
    return replica;
  }

  /** The interval of heartbeats. */
  public long heartbeatMs() {
    return services.datanodes().liveness().heartbeatMs();
  }

  /** The silence after which a DataNode is stale. */
  public long staleMs() {
    return services.datanodes().liveness().staleMs();
  }

  public DatanodeInfo[] datanodeReport(DatanodeReportType type) {
    return reports.datanodes(type);
  }

  public DatanodeStorageReport[] datanodeStorageReport(DatanodeReportType type) {
    return reports.storages(type);
  }

  /**
   * In the order of {@link org.apache.hadoop.hdfs.protocol.ClientProtocol#getStats}. Reads one row
   * of the store.
   */
  public long[] stats() {
    return reports.stats(store);
  }

  /** The same of blocks alone. */
  public ReplicatedBlockStats blockStats() {
    return reports.blockStats(store);
  }

  /**
   * Blocks that nobody can read, a page of them: dfs.namenode.max-corrupt-file-blocks-returned.
   *
   * @param cookie of the page before; null or empty for the first page
   * @throws IOException when the cookie is none of ours
   */
  public MissingBlocks missingBlocks(@Nullable String cookie) throws IOException {
    return MissingBlocks.read(
        store, cookie, services.context().repairSettings().maxCorruptFileBlocks());
  }

  /** What DataNodes ask of clients before they let them read or write a block. */
  public BlockTokens tokens() {
    return services.tokens();
  }

  /** Through whom clients go that do not speak to DataNodes as HDFS's do. */
  public Gateways gateways() {
    return services.writes().gateways();
  }

  /** What becomes of single blocks. */
  public BlockInspector inspector() {
    return inspector;
  }

  public int liveDatanodes() {
    return reports.live();
  }

  /** Live, but silent for dfs.namenode.stale.datanode.interval. */
  public int staleDatanodes() {
    return reports.stale();
  }

  /** Copies that DataNodes are to make and have not been told of yet, nearly. */
  public long waitingTransfers() {
    return reports.waitingTransfers();
  }

  /**
   * Complete blocks of a DataNode, from which the balancer chooses; the next ones each time. May
   * walk over all blocks of the DataNode.
   *
   * @param sizeBytes how many bytes of blocks are enough
   * @param minBlockBytes smaller blocks are left out
   * @param storageType null: any
   * @throws org.apache.hadoop.HadoopIllegalArgumentException when the DataNode is not known
   */
  public BlocksWithLocations blocksOf(
      DatanodeID datanode, long sizeBytes, long minBlockBytes, @Nullable StorageType storageType) {
    return blocksOfDatanode.next(datanode, sizeBytes, minBlockBytes, storageType);
  }

  /**
   * Tells all DataNodes, with their next heartbeats, how much of the network balancing may take;
   * those of other NameNodes some seconds later. As in HDFS, a restarted DataNode goes by its own
   * configuration again.
   */
  public void setBalancerBandwidth(long bytesPerSecond) {
    services.bandwidth().say(bytesPerSecond);
  }

  /**
   * Writes what is to be done about blocks, and what DataNodes there are, as HDFS's metasave does.
   *
   * @param pathOf the path of a file by its id; null where it has none
   */
  public void metaSave(PrintWriter out, LongFunction<@Nullable String> pathOf) {
    metaSave.write(out, pathOf);
  }

  /** How far DataNodes are that are to be decommissioned or maintained, by their uuids. */
  public Map<String, DecommissionMonitor.Progress> leavingDatanodes() {
    return services.repair().decommissionMonitor().progress();
  }

  /** Whether a DataNode that is to be decommissioned or maintained has to wait for this block. */
  public boolean keepsNodeFromLeaving(long blockId) {
    return services.repair().decommissionMonitor().areKeptBy(blockId);
  }

  /** Settings that may change while it serves. */
  public Reconfiguration reconfiguration() {
    return reconfiguration;
  }

  /** While it is on no DataNode is told to copy or delete, and no copy is planned. */
  public SafeMode safeMode() {
    return services.safeMode();
  }

  /** Rolling upgrades: begun and ended by administrators, told to DataNodes. */
  public RollingUpgrades upgrades() {
    return upgrades;
  }

  // Repair

  /**
   * Begins to repair by itself, every dfs.namenode.redundancy.interval.seconds, on a thread of its
   * own that {@link #close} ends; and to exchange with other NameNodes what is known of DataNodes,
   * if there can be others, every acacia.datanode.exchange.interval, on another one. The keys of
   * block tokens are looked at on the executor's.
   */
  public void startRepair() {
    services.tokens().start();
    startHearing();
    services.exchange().start(services.context().repairSettings().exchangeIntervalMs());
    services.repair().monitor().start(services.context().repairSettings().intervalMs());
  }

  /**
   * From now on a DataNode is dead only after a silence in which it could have been heard. By
   * itself only for tests: {@link #startRepair} does it.
   */
  public void startHearing() {
    services.datanodes().hearing().start(services.context().repairSettings().exchangeIntervalMs());
  }

  /** One look whether DataNodes can be heard, on this thread; for tests. */
  public void hearNow() {
    services.datanodes().hearing().look();
  }

  /** One round of exchange with other NameNodes, on this thread; for tests. */
  public void exchangeNow() throws IOException {
    services.exchange().round();
  }

  /** One round of repair, on this thread; for tests, which have no other. */
  public void repairNow() {
    services.repair().monitor().round();
  }

  /**
   * Takes the word of a client or of a DataNode that replicas have wrong bytes.
   *
   * @param blocks each with the locations of its bad replicas
   * @return completes when that is durable
   */
  public CompletableFuture<Void> reportBadBlocks(LocatedBlock[] blocks) {
    return services.reports().badBlocks().report(blocks);
  }

  /**
   * Reads the files of dfs.hosts and dfs.hosts.exclude anew, and lets DataNodes begin to leave or
   * return. Blocks the caller until that is durable.
   */
  public void refreshNodes() throws IOException {
    services.repair().adminStates().refresh();
  }

  // For DataNodes (DatanodeProtocol)

  public NamespaceInfo versionRequest() {
    return identity.namespaceInfo();
  }

  /**
   * Stores a DataNode's address and rack.
   *
   * @param registration gets the peer's address and is what the DataNode must be answered
   * @param remoteIp address of the peer; null keeps what the DataNode says
   * @return fails with UnregisteredNodeException for a DataNode of another cluster, and with
   *     IncorrectVersionException for one whose software is too old
   */
  public CompletableFuture<DatanodeRegistration> register(
      DatanodeRegistration registration, @Nullable String remoteIp) {
    return datanodes.register(registration, remoteIp);
  }

  /**
   * Where another NameNode commands it: makes sure that a DataNode may register, by the files of
   * dfs.hosts as they are now, and tells it the keys of block tokens. Stores nothing.
   *
   * @return as {@link #register}
   */
  public CompletableFuture<DatanodeRegistration> admit(
      DatanodeRegistration registration, @Nullable String remoteIp) {
    return datanodes.admit(registration, remoteIp);
  }

  /**
   * Where this NameNode only reads: notes that a DataNode lives, and what it has. One that is not
   * stored is passed over, as the NameNode that serves will store it.
   *
   * @throws IOException for a DataNode of another cluster
   */
  public void hear(DatanodeRegistration registration, StorageReport[] reports, Datanode.Load load)
      throws IOException {
    datanodes.hear(registration, reports, load);
  }

  /**
   * Where this NameNode only reads: reads what the one that serves has changed of DataNodes, and of
   * the keys of block tokens.
   */
  public void refreshDatanodes() {
    services.datanodes().registry().refresh();
    services.repair().adminStates().mark();
    services.tokens().refresh();
  }

  /**
   * Another NameNode has served before this one, on the same rows. DataNodes of which this one has
   * heard all that may not be in them make their next full report when it is due by the interval;
   * the others are asked for one.
   *
   * @param isHeard says it of a DataNode, by its uuid
   */
  public void takeOver(Predicate<String> isHeard) {
    datanodes.takeOver(isHeard);
  }

  /**
   * Takes in a heartbeat and gives the commands for the DataNode: to register when its row is not
   * stored, to delete replicas. Reads the store, on this thread, where there is something to
   * delete.
   *
   * @throws IOException UnregisteredNodeException for a DataNode of another cluster
   */
  public HeartbeatResponse heartbeat(
      DatanodeRegistration registration,
      StorageReport[] storageReports,
      Datanode.Load load,
      boolean requestsFullReportLease)
      throws IOException {
    return datanodes.heartbeat(registration, storageReports, load, requestsFullReportLease);
  }

  /**
   * Takes in a heartbeat without an answer, as it was answered before this NameNode served: the
   * DataNode gets its commands with the next one. Of a DataNode that is not stored, not allowed or
   * at another address it takes nothing.
   *
   * @throws IOException UnregisteredNodeException for a DataNode of another cluster
   */
  public void takeUnanswered(
      DatanodeRegistration registration, StorageReport[] storageReports, Datanode.Load load)
      throws IOException {
    datanodes.takeUnanswered(registration, storageReports, load);
  }

  /** The commands of the last heartbeat's answer never left: keys of block tokens go again. */
  public void answerLost(DatanodeRegistration registration) {
    datanodes.answerLost(registration);
  }

  /** What a DataNode does not say again could not be stored: it is asked for a full report. */
  public void reportLost(DatanodeRegistration registration) {
    datanodes.reportLost(registration);
  }

  /**
   * Processes a lifeline of a DataNode whose heartbeats may be late. Ignores a DataNode that is not
   * registered: the reply to its heartbeat tells it to register.
   *
   * @throws IOException UnregisteredNodeException for a DataNode of another cluster
   */
  public void lifeline(
      DatanodeRegistration registration, StorageReport[] storageReports, Datanode.Load load)
      throws IOException {
    datanodes.lifeline(registration, storageReports, load);
  }

  /**
   * Takes in what a DataNode received and deleted, a transaction a block.
   *
   * @return fails when something could not be stored, or the DataNode is not registered; then the
   *     DataNode sends the report again
   */
  public CompletableFuture<Void> blockReceivedAndDeleted(
      DatanodeRegistration registration, StorageReceivedDeletedBlocks[] storageReports) {
    return datanodes.blockReceivedAndDeleted(registration, storageReports);
  }

  /**
   * Compares full reports of storages with what is stored and writes the differences. Works on the
   * caller's thread and blocks it, which may take long: call it on a worker.
   *
   * @param context null counts as a report without a lease in one part
   * @return the command to register, or, as HDFS does, to remove what an older upgrade has kept;
   *     null where there is none
   * @throws IOException InvalidBlockReportLeaseException when the lease has ended;
   *     UnregisteredNodeException when another DataNode has registered under the same uuid
   */
  public @Nullable DatanodeCommand blockReport(
      DatanodeRegistration registration,
      StorageBlockReport[] storageReports,
      @Nullable BlockReportContext context)
      throws IOException {
    return datanodes.blockReport(registration, storageReports, context);
  }

  /** Notes what a DataNode complains of in the log. */
  public void errorReport(DatanodeRegistration registration, int errorCode, String message)
      throws IOException {
    datanodes.errorReport(registration, errorCode, message);
  }

  /**
   * Checks the sender of a report of cached replicas. There are no cache directives, so what it
   * reports has no use.
   *
   * @throws IOException UnregisteredNodeException for a DataNode of another cluster, or when
   *     another DataNode has registered under the same uuid; also for one that is dead or not
   *     registered
   */
  public void cacheReport(DatanodeRegistration registration) throws IOException {
    datanodes.cacheReport(registration);
  }

  /** Ends repair and all waits for replicas. The store and the executor stay with their owner. */
  @Override
  public void close() {
    services.tokens().close();
    services.safeMode().close();
    services.datanodes().hearing().close();
    services.repair().monitor().close();
    services.exchange().close();
    services.reports().waiters().close();
  }
}
