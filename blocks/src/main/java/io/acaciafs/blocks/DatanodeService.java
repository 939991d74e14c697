package io.acaciafs.blocks;

import io.acaciafs.blocks.datanode.Datanode;
import io.acaciafs.blocks.datanode.DatanodeRegistry;
import io.acaciafs.blocks.datanode.Liveness;
import io.acaciafs.blocks.datanode.Ownership;
import io.acaciafs.blocks.datanode.Storage;
import io.acaciafs.blocks.placement.RackResolver;
import io.acaciafs.blocks.redundancy.Invalidations;
import io.acaciafs.blocks.repair.AdminStateKeeper;
import io.acaciafs.blocks.repair.Transfers;
import io.acaciafs.blocks.report.BlockReportLeases;
import io.acaciafs.blocks.report.FullReports;
import io.acaciafs.blocks.report.SharedReports;
import io.acaciafs.blocks.safemode.SafeMode;
import io.acaciafs.blocks.token.BlockTokens;
import io.acaciafs.blocks.write.BlockRecovery;
import io.acaciafs.kv.Store;
import io.acaciafs.kv.run.InFlight;
import io.acaciafs.kv.run.RepeatedFailures;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.Predicate;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.UnregisteredNodeException;
import org.apache.hadoop.hdfs.server.common.IncorrectVersionException;
import org.apache.hadoop.hdfs.server.protocol.BalancerBandwidthCommand;
import org.apache.hadoop.hdfs.server.protocol.BlockCommand;
import org.apache.hadoop.hdfs.server.protocol.BlockRecoveryCommand;
import org.apache.hadoop.hdfs.server.protocol.BlockRecoveryCommand.RecoveringBlock;
import org.apache.hadoop.hdfs.server.protocol.BlockReportContext;
import org.apache.hadoop.hdfs.server.protocol.DatanodeCommand;
import org.apache.hadoop.hdfs.server.protocol.DatanodeProtocol;
import org.apache.hadoop.hdfs.server.protocol.DatanodeRegistration;
import org.apache.hadoop.hdfs.server.protocol.DisallowedDatanodeException;
import org.apache.hadoop.hdfs.server.protocol.FinalizeCommand;
import org.apache.hadoop.hdfs.server.protocol.HeartbeatResponse;
import org.apache.hadoop.hdfs.server.protocol.InvalidBlockReportLeaseException;
import org.apache.hadoop.hdfs.server.protocol.KeyUpdateCommand;
import org.apache.hadoop.hdfs.server.protocol.NNHAStatusHeartbeat;
import org.apache.hadoop.hdfs.server.protocol.RegisterCommand;
import org.apache.hadoop.hdfs.server.protocol.StorageBlockReport;
import org.apache.hadoop.hdfs.server.protocol.StorageReceivedDeletedBlocks;
import org.apache.hadoop.hdfs.server.protocol.StorageReport;
import org.apache.hadoop.log.LogThrottlingHelper;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.util.VersionUtil;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The calls of DataNodes. Each carries the whole registration, so one whose row is stored is served
 * at once by a process that has never heard of it. See the methods of the same names in {@link
 * BlockManager}.
 */
final class DatanodeService {
  private static final Logger LOG = LoggerFactory.getLogger(DatanodeService.class);
  private static final long REFUSAL_LINES_MS = 1000;
  private static final DatanodeCommand[] NO_COMMANDS = {};
  private static final String WORK_NOT_READ =
      "Work of a DataNode not read, is sent with a later heartbeat";

  private final RepeatedFailures failures = new RepeatedFailures(LOG);
  private final ClusterIdentity identity;
  private final Store store;
  private final DatanodeRegistry registry;
  private final RackResolver racks;
  private final AdminStateKeeper adminStates;
  private final Invalidations invalidations;
  private final BlockRecovery recovery;
  private final Transfers transfers;
  private final BlockReportLeases leases;
  private final SharedReports sharedReports;
  private final FullReports fullReports;
  private final SafeMode safeMode;
  private final Liveness liveness;
  private final Clock clock;
  private final Executor executor;
  private final String minDatanodeVersion;
  private final boolean checksNames;
  private final long reportIntervalMs;
  private final Ownership ownership;
  private final RollingUpgrades upgrades;
  private final BlockTokens tokens;
  private final LogThrottlingHelper refusals = new LogThrottlingHelper(REFUSAL_LINES_MS);

  DatanodeService(ClusterIdentity identity, BlockServices services, RollingUpgrades upgrades) {
    this.identity = identity;
    this.upgrades = upgrades;
    this.store = services.context().store();
    this.registry = services.datanodes().registry();
    this.racks = services.placement().racks();
    this.adminStates = services.repair().adminStates();
    this.invalidations = services.redundancy().invalidations();
    this.recovery = services.writes().recovery();
    this.transfers = services.repair().transfers();
    this.leases = services.reports().leases();
    this.sharedReports = services.reports().incremental();
    this.fullReports = services.reports().full();
    this.safeMode = services.safeMode();
    this.liveness = services.datanodes().liveness();
    this.clock = services.context().clock();
    this.executor = services.context().executor();
    this.minDatanodeVersion = services.context().settings().registration().minVersion();
    this.checksNames = services.context().settings().registration().checksNames();
    this.reportIntervalMs = Math.max(1, services.context().settings().reports().intervalMs());
    this.ownership = services.datanodes().ownership();
    this.tokens = services.tokens();
  }

  CompletableFuture<DatanodeRegistration> register(
      DatanodeRegistration registration, @Nullable String remoteIp) {
    return admitted(registration, remoteIp)
        .thenCompose(
            rack -> registry.register(registration, registration.getSoftwareVersion(), rack))
        .thenCompose(
            nothing -> {
              Datanode datanode =
                  Objects.requireNonNull(
                      registry.datanode(registration.getDatanodeUuid()), "it has registered");
              adminStates.mark(datanode);
              return ownership.registered(datanode);
            })
        .thenApply(nothing -> registration);
  }

  CompletableFuture<DatanodeRegistration> admit(
      DatanodeRegistration registration, @Nullable String remoteIp) {
    return CompletableFuture.runAsync(this::rereadHosts, executor)
        .thenCompose(nothing -> admitted(registration, remoteIp))
        .thenApply(rack -> registration);
  }

  private void rereadHosts() {
    try {
      adminStates.hosts().refresh();
    } catch (IOException e) {
      throw new CompletionException(e);
    }
  }

  /** Makes sure that a DataNode may register, and gives it the keys; completes with its rack. */
  private CompletableFuture<String> admitted(
      DatanodeRegistration registration, @Nullable String remoteIp) {
    try {
      identity.check(registration);
      checkVersion(registration);
    } catch (IOException e) {
      refused(registration, e.toString());
      return CompletableFuture.failedFuture(e);
    }
    if (remoteIp != null) {
      registration.setIpAddr(remoteIp);
    }
    if (!adminStates.isAllowed(registration)) {
      refused(registration, "not on the list of hosts");
      return CompletableFuture.failedFuture(new DisallowedDatanodeException(registration));
    }
    registration.setExportedKeys(tokens.exportedKeys());
    return CompletableFuture.supplyAsync(() -> rackOf(registration, remoteIp), executor);
  }

  /** Anybody can send such registrations, so the log has at most one line a second of them. */
  private void refused(DatanodeRegistration registration, @Nullable String reason) {
    LogThrottlingHelper.LogAction line = refusals.record();
    if (line.shouldLog()) {
      LOG.warn(
          "DataNode refused datanode={} reason={}{}",
          registration,
          reason,
          LogThrottlingHelper.getLogSupressionMessage(line));
    } else {
      LOG.debug("DataNode refused datanode={} reason={}", registration, reason);
    }
  }

  /** May take long: it may query DNS and run the site's script. */
  private String rackOf(DatanodeRegistration registration, @Nullable String remoteIp) {
    try {
      if (checksNames && remoteIp != null) {
        checkName(registration, InetAddress.getByName(remoteIp));
      }
      return racks.resolve(registration);
    } catch (IOException e) {
      refused(registration, e.getMessage());
      throw new CompletionException(e);
    }
  }

  /** Source: HDFS 3.5's DatanodeManager.isNameResolved. */
  private static void checkName(DatanodeRegistration registration, InetAddress address)
      throws DisallowedDatanodeException {
    String ip = address.getHostAddress();
    String name = address.getHostName();
    if (name.equals(ip) && !NetUtils.isLocalAddress(address)) {
      throw new DisallowedDatanodeException(
          registration, "hostname cannot be resolved (ip=" + ip + ", hostname=" + name + ")");
    }
  }

  private void checkVersion(DatanodeRegistration registration) throws IncorrectVersionException {
    String version = registration.getSoftwareVersion();
    if (VersionUtil.compareVersions(version, minDatanodeVersion) < 0) {
      throw new IncorrectVersionException(minDatanodeVersion, version, "DataNode", "NameNode");
    }
  }

  void takeOver(Predicate<String> isHeard) {
    long nowMs = clock.millis();
    for (Datanode datanode : registry.view().datanodes()) {
      if (isHeard.test(datanode.uuid())) {
        // Some have never made one to this process, and would all make it now.
        datanode.postponeReport(
            nowMs + Math.floorMod(datanode.uuid().hashCode(), reportIntervalMs));
      } else {
        datanode.missesReport(true);
      }
    }
  }

  HeartbeatResponse heartbeat(
      DatanodeRegistration registration,
      StorageReport[] reports,
      Datanode.Load load,
      boolean requestsFullReportLease)
      throws IOException {
    identity.check(registration);
    Datanode datanode = registry.datanode(registration.getDatanodeUuid());
    if (datanode == null || !isAt(datanode, registration)) {
      return response(datanode, new DatanodeCommand[] {RegisterCommand.REGISTER}, 0);
    }
    if (datanode.isDisallowed()) {
      datanode.gone(); // as HDFS: at once
      throw new DisallowedDatanodeException(registration);
    }
    take(datanode, reports, load);
    return ownership.isAlone()
        ? answer(datanode, requestsFullReportLease)
        : shared(datanode, requestsFullReportLease);
  }

  void takeUnanswered(
      DatanodeRegistration registration, StorageReport[] reports, Datanode.Load load)
      throws IOException {
    Datanode datanode = atItsAddress(registration);
    if (datanode != null) {
      take(datanode, reports, load);
    }
  }

  void answerLost(DatanodeRegistration registration) {
    Datanode datanode = registry.datanode(registration.getDatanodeUuid());
    if (datanode != null) {
      datanode.toldKeys(0);
    }
  }

  void reportLost(DatanodeRegistration registration) {
    Datanode datanode = registry.datanode(registration.getDatanodeUuid());
    if (datanode != null) {
      datanode.missesReport(true);
    }
  }

  private void take(Datanode datanode, StorageReport[] reports, Datanode.Load load) {
    CompletableFuture<Void> described =
        registry.describe(datanode, Arrays.stream(reports).map(StorageReport::getStorage).toList());
    if (described.isDone() && !described.isCompletedExceptionally()) {
      datanode.heartbeat(reports, load, clock.millis(), liveness);
    } else {
      // The new storages are known in a moment, and with them what this heartbeat says of them.
      described.whenComplete(
          (nothing, failure) -> {
            if (failure != null) {
              failures.failed("Storages of a DataNode not stored", failure);
            }
            datanode.heartbeat(reports, load, clock.millis(), liveness);
          });
    }
  }

  void lifeline(DatanodeRegistration registration, StorageReport[] reports, Datanode.Load load)
      throws IOException {
    Datanode datanode = atItsAddress(registration);
    if (datanode != null && !liveness.isDead(datanode)) {
      datanode.heartbeat(reports, load, clock.millis(), liveness);
    }
  }

  void hear(DatanodeRegistration registration, StorageReport[] reports, Datanode.Load load)
      throws IOException {
    Datanode datanode = atItsAddress(registration);
    if (datanode != null) {
      datanode.heartbeat(reports, load, clock.millis(), liveness);
    }
  }

  /** Null where it is not known, or not allowed. */
  private @Nullable Datanode atItsAddress(DatanodeRegistration registration) throws IOException {
    identity.check(registration);
    Datanode datanode = registry.datanode(registration.getDatanodeUuid());
    return datanode != null && isAt(datanode, registration) && !datanode.isDisallowed()
        ? datanode
        : null;
  }

  private HeartbeatResponse answer(Datanode datanode, boolean requestsFullReportLease) {
    if (datanode.shouldReport(clock.millis())) {
      return response(datanode, new DatanodeCommand[] {RegisterCommand.REGISTER}, 0);
    }
    long leaseId =
        requestsFullReportLease && datanode.mayReport(clock.millis())
            ? leases.request(datanode.uuid())
            : 0;
    return response(datanode, commandsFor(datanode), leaseId);
  }

  /** The others only listen: a DataNode is commanded by its owner alone. */
  private HeartbeatResponse shared(Datanode datanode, boolean requestsFullReportLease) {
    datanode.stream().heartbeat(clock.millis());
    if (!ownership.isMine(datanode)) {
      return response(datanode, NO_COMMANDS, 0);
    }
    sharedReports.catchUp(datanode);
    return answer(datanode, requestsFullReportLease && datanode.stream().isDirect());
  }

  CompletableFuture<Void> blockReceivedAndDeleted(
      DatanodeRegistration registration, StorageReceivedDeletedBlocks[] reports) {
    try {
      Datanode datanode = known(registration);
      datanode.beginReport();
      return sharedReports
          .process(datanode, reports)
          .whenComplete((done, failure) -> replicasChanged(datanode, reports));
    } catch (IOException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private static void replicasChanged(Datanode datanode, StorageReceivedDeletedBlocks[] reports) {
    for (StorageReceivedDeletedBlocks report : reports) {
      Storage storage = datanode.storage(report.getStorage().getStorageID());
      if (storage != null) {
        storage.replicasChanged();
      }
    }
  }

  @Nullable DatanodeCommand blockReport(
      DatanodeRegistration registration,
      StorageBlockReport[] reports,
      @Nullable BlockReportContext context)
      throws IOException {
    identity.check(registration);
    Datanode datanode = registry.datanode(registration.getDatanodeUuid());
    if (datanode == null) {
      return RegisterCommand.REGISTER;
    }
    if (!isAt(datanode, registration)) {
      LOG.error(
          "Full report of a DataNode whose uuid another one has registered datanode={} other={}",
          registration,
          datanode.id());
      throw new UnregisteredNodeException(registration, datanode.info());
    }
    if (!ownership.isMine(datanode)) {
      LOG.info("Full report left to another NameNode datanode={}", datanode.id());
      return null;
    }
    long leaseId = context == null ? 0 : context.getLeaseId();
    if (context != null && !leases.isValid(datanode.uuid(), leaseId)) {
      throw new InvalidBlockReportLeaseException(context.getReportId(), leaseId);
    }
    InFlight.join(
        registry.describe(
            datanode, Arrays.stream(reports).map(StorageBlockReport::getStorage).toList()));
    long number = datanode.beginReport();
    for (StorageBlockReport report : reports) {
      Storage storage = datanode.storage(report.getStorage().getStorageID());
      if (storage == null) { // the DataNode was forgotten meanwhile
        return RegisterCommand.REGISTER;
      }
      fullReports.reconcile(storage, report.getBlocks(), number);
    }
    if (context == null || context.getCurRpc() == context.getTotalRpcs() - 1) {
      leases.release(datanode.uuid(), leaseId);
      datanode.fullReport(clock.millis());
      if (datanode.storages().stream().allMatch(Storage::isVerified)) {
        datanode.missesReport(false);
        return upgrades.isUnderWay() ? null : new FinalizeCommand(identity.blockPoolId());
      }
    }
    return null;
  }

  void errorReport(DatanodeRegistration registration, int errorCode, String message)
      throws IOException {
    identity.check(registration);
    switch (errorCode) {
      case DatanodeProtocol.NOTIFY ->
          LOG.info("DataNode says datanode={} text={}", registration, message);
      case DatanodeProtocol.FATAL_DISK_ERROR -> {
        LOG.error("DataNode lost its disks datanode={} text={}", registration, message);
        Datanode datanode = registry.datanode(registration.getDatanodeUuid());
        if (datanode != null && isAt(datanode, registration)) {
          datanode.gone();
        }
      }
      default ->
          LOG.warn(
              "DataNode reports an error datanode={} code={} text={}",
              registration,
              errorCode,
              message);
    }
  }

  /**
   * Refuses what HDFS refuses. Source: HDFS 3.5's NameNodeRpcServer.cacheReport and
   * CacheManager.processCacheReport.
   */
  void cacheReport(DatanodeRegistration registration) throws IOException {
    identity.check(registration);
    Datanode datanode = registry.datanode(registration.getDatanodeUuid());
    if (datanode != null && !isAt(datanode, registration)) {
      throw new UnregisteredNodeException(registration, datanode.info());
    }
    if (datanode == null || liveness.isDead(datanode)) {
      throw new IOException(
          "processCacheReport from dead or unregistered datanode: "
              + (datanode == null ? null : datanode.id().getXferAddr()));
    }
  }

  /** An exception makes the DataNode keep its report and send it again after it has registered. */
  private Datanode known(DatanodeRegistration registration) throws IOException {
    identity.check(registration);
    Datanode datanode = registry.datanode(registration.getDatanodeUuid());
    if (datanode == null || !isAt(datanode, registration)) {
      throw new IOException("DataNode is not registered yet: " + registration);
    }
    return datanode;
  }

  /**
   * Whether it is this process that registered last under its uuid. Of two with one uuid, as after
   * a copy of a disk, the last one counts, and the other is to register or to give up.
   */
  private static boolean isAt(Datanode datanode, DatanodeRegistration registration) {
    return datanode.id().getXferAddr().equals(registration.getXferAddr());
  }

  private DatanodeCommand[] commandsFor(Datanode datanode) {
    List<DatanodeCommand> commands = new ArrayList<>();
    long keysVersion = tokens.keysVersion(); // before the keys, which may be newer
    if (datanode.needsKeys(keysVersion)) {
      commands.add(new KeyUpdateCommand(tokens.exportedKeys()));
    }
    if (!safeMode.isOn()) { // else what waits goes on waiting
      try {
        addWork(datanode, commands);
        failures.succeeded(WORK_NOT_READ);
      } catch (RuntimeException e) { // what was added so far is said only once, so it has to go out
        failures.failed(WORK_NOT_READ, e);
      }
    }
    datanode.toldKeys(keysVersion);
    return commands.toArray(NO_COMMANDS);
  }

  private void addWork(Datanode datanode, List<DatanodeCommand> commands) {
    List<RecoveringBlock> recoveries = recovery.next(store, datanode);
    if (!recoveries.isEmpty()) {
      commands.add(new BlockRecoveryCommand(recoveries));
    }
    BlockCommand copies = transfers.next(datanode);
    if (copies != null) {
      commands.add(copies);
    }
    Block[] deletions = invalidations.next(store, datanode);
    if (deletions.length > 0) {
      commands.add(
          new BlockCommand(DatanodeProtocol.DNA_INVALIDATE, identity.blockPoolId(), deletions));
    }
    long bandwidth = datanode.takeBalancerBandwidth();
    if (bandwidth > 0) {
      commands.add(new BalancerBandwidthCommand(bandwidth));
    }
  }

  /**
   * @param datanode null where it is not known
   */
  private HeartbeatResponse response(
      @Nullable Datanode datanode, DatanodeCommand[] commands, long leaseId) {
    boolean isMine = datanode == null ? ownership.isAlone() : ownership.isMine(datanode);
    return new HeartbeatResponse(
        commands,
        new NNHAStatusHeartbeat(
            isMine ? HAServiceState.ACTIVE : HAServiceState.STANDBY, ownership.epoch(datanode)),
        upgrades.status(), // after the commands: what was deleted later is told later
        leaseId,
        false);
  }
}
