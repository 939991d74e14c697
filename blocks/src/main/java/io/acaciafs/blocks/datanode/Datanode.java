package io.acaciafs.blocks.datanode;

import io.acaciafs.blocks.record.Owner;
import io.acaciafs.kv.value.Saturated;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.AdminStates;
import org.apache.hadoop.hdfs.server.protocol.StorageReport;
import org.jspecify.annotations.Nullable;

/**
 * A DataNode as memory holds it: its stored address and rack, and what its last heartbeat said.
 * Safe for use by many threads; the calls of one DataNode come one after the other.
 */
public final class Datanode {
  /** What a heartbeat says of the whole node. */
  public record Load(long cacheCapacityBytes, long cacheUsedBytes, int xceivers, int transfers) {
    static final Load NONE = new Load(0, 0, 0, 0);
  }

  private static final long ASK_AGAIN_MS = 60_000;
  private static final long NEVER = Long.MIN_VALUE / 2;

  private final String uuid;
  private final NodeVersion version;
  private final Map<String, Storage> storages = new ConcurrentHashMap<>();
  private volatile DatanodeID id;
  private volatile String softwareVersion;
  private volatile String networkLocation;
  private volatile Load load = Load.NONE;
  private volatile AdminStates adminState = AdminStates.NORMAL;
  private volatile boolean disallowed;
  private volatile @Nullable String upgradeDomain;

  /** Since this process began. */
  private volatile boolean heard;

  private volatile boolean replaced;
  private volatile boolean forgotten;

  /** Bytes a second that it is to be told of with its next heartbeat; 0 for nothing. */
  private final AtomicLong balancerBandwidth = new AtomicLong();

  /** Which keys of block tokens it was told of by this process; 0: of none. */
  private final AtomicLong toldKeys = new AtomicLong();

  private volatile long askedToReportMs;
  private final AtomicLong lastHeardMs;
  private volatile boolean hasHeartbeat;
  private volatile long lastFullReportMs;
  private volatile DatanodeInfo info;
  private final AtomicLong lastReport = new AtomicLong();
  private final ReportStream stream = new ReportStream();
  private final OwnersWork ownersWork = new OwnersWork();
  private final AtomicInteger changesUnderWay = new AtomicInteger();
  private final AtomicLong changes = new AtomicLong();
  private volatile @Nullable Owner owner;
  private volatile boolean isListenedTo;
  private volatile boolean missesReport;
  private volatile long reportFromMs = Long.MIN_VALUE;
  private volatile long lastBeatMs = NEVER;

  /**
   * @param nowMs counts as the last sign of life: a node that comes from the store gets as much
   *     time as any other before it is taken for dead
   */
  public Datanode(
      DatanodeID id,
      String softwareVersion,
      String networkLocation,
      long nowMs,
      NodeVersion version) {
    this.version = version;
    this.uuid = id.getDatanodeUuid();
    this.id = id;
    this.softwareVersion = softwareVersion;
    this.networkLocation = networkLocation;
    this.lastHeardMs = new AtomicLong(nowMs);
    this.info = describe();
  }

  public String uuid() {
    return uuid;
  }

  public DatanodeID id() {
    return id;
  }

  public String networkLocation() {
    return networkLocation;
  }

  public long lastHeardMs() {
    return lastHeardMs.get();
  }

  /** Its last heartbeat to this process; long ago where there was none. */
  public long lastBeatMs() {
    return lastBeatMs;
  }

  /** Whether it sent a heartbeat since this process began. */
  boolean isHeard() {
    return heard;
  }

  /** Whether somebody had a heartbeat of it, so that its load and its free space are known. */
  public boolean hasHeartbeat() {
    return hasHeartbeat;
  }

  public int xceivers() {
    return load.xceivers();
  }

  /** Copies that it was sending at its last heartbeat. */
  public int transfers() {
    return load.transfers();
  }

  /** Copies that it is to send and has not been told of yet, nearly. */
  public int waitingTransfers() {
    return storages().stream().mapToInt(storage -> storage.transfers().waiting()).sum();
  }

  public void balancerBandwidth(long bytesPerSecond) {
    balancerBandwidth.set(bytesPerSecond);
  }

  /** Once; then 0. */
  public long takeBalancerBandwidth() {
    return balancerBandwidth.get() == 0 ? 0 : balancerBandwidth.getAndSet(0);
  }

  /**
   * Whether it is to be told of these keys with its next heartbeat: once, and by each process, as
   * what it heard before is not known.
   *
   * @param version grows with each change; 0 where there are none
   */
  public boolean needsKeys(long version) {
    return toldKeys.get() != version;
  }

  /**
   * Which keys it is told of by a reply that is about to be sent.
   *
   * @param version 0 after a reply that was not sent: of none
   */
  public void toldKeys(long version) {
    toldKeys.set(version);
  }

  public AdminStates adminState() {
    return adminState;
  }

  /** Whether new replicas may go there. */
  public boolean isInService() {
    return adminState == AdminStates.NORMAL;
  }

  public void adminState(AdminStates newState) {
    if (newState != adminState) {
      adminState = newState;
      changed();
    }
  }

  /** From now on replies describe it differently, other than by figures. */
  private void changed() {
    info = describe();
    version.raise();
  }

  NodeVersion version() {
    return version;
  }

  /**
   * Whether a DataNode with another uuid has registered at its address since. Then its disks were
   * emptied; this one no longer exists, and reports do not list it.
   */
  boolean isReplaced() {
    return replaced;
  }

  void replaced(boolean isReplaced) {
    if (isReplaced && !replaced) {
      replaced = true;
      gone();
    } else {
      replaced = isReplaced;
    }
  }

  /**
   * Whether reports leave it out: it was replaced, or it was dead when this process began and has
   * not registered since. HDFS forgets dead DataNodes at a restart.
   */
  public boolean isForgotten() {
    return replaced || forgotten && !heard;
  }

  /** Called when this process begins: forgets the DataNode if it is dead already. */
  void forgetIfLost() {
    forgotten = storages().stream().allMatch(Storage::isLost);
  }

  /** Called at its first sign of life to any NameNode. */
  void came() {
    heard = true;
    changed();
  }

  /** The administrator has struck it from the list of DataNodes. */
  public boolean isDisallowed() {
    return disallowed;
  }

  public void disallowed(boolean isDisallowed) {
    disallowed = isDisallowed;
  }

  /**
   * Whether it is to be asked for a full report, by having it register again: it has a storage back
   * that counts as lost, may have reported what nobody stored, or what was stored is from a backup.
   * True once a minute.
   */
  public boolean shouldReport(long nowMs) {
    boolean isBack =
        storages().stream()
            .anyMatch(storage -> (storage.isLost() || storage.isRestored()) && !storage.isFailed());
    if (!isBack && !missesReport || nowMs - askedToReportMs < ASK_AGAIN_MS) {
      return false;
    }
    askedToReportMs = nowMs;
    return true;
  }

  /** Null if the administrator has named none. */
  public @Nullable String upgradeDomain() {
    return upgradeDomain;
  }

  public void upgradeDomain(String domain) {
    if (!Objects.equals(domain, upgradeDomain)) {
      upgradeDomain = domain;
      changed();
    }
  }

  public Collection<Storage> storages() {
    return storages.values();
  }

  /** Null where this DataNode has no such storage yet. */
  public @Nullable Storage storage(String storageUuid) {
    return storages.get(storageUuid);
  }

  public void add(Storage storage) {
    storages.put(storage.uuid(), storage);
    version.raise();
  }

  /**
   * @param isInDoubt its replicas are in doubt until it has reported them
   */
  void registered(
      DatanodeID newId,
      String newSoftwareVersion,
      String newLocation,
      boolean isInDoubt,
      long nowMs) {
    id = newId;
    softwareVersion = newSoftwareVersion;
    networkLocation = newLocation;
    lastHeardMs.set(nowMs);
    heard = true;
    replaced = false;
    lastReport.incrementAndGet(); // what is under way is from before
    stream.registered();
    storages()
        .forEach(
            storage -> {
              storage.deletions().forgetSent();
              storage.verified(storage.isVerified() && !isInDoubt);
            });
    changed();
  }

  /** How this DataNode is told a storage type, which its software may not know. */
  public StorageType told(StorageType type) {
    return OldSoftware.told(type, softwareVersion);
  }

  /** Another NameNode has stored this of it. */
  void described(DatanodeID newId, String newSoftwareVersion, String newLocation) {
    id = newId;
    softwareVersion = newSoftwareVersion;
    networkLocation = newLocation;
    changed();
  }

  /** Storages that the heartbeat does not name are taken as gone, until one does. */
  public void heartbeat(StorageReport[] reports, Load newLoad, long nowMs, Liveness liveness) {
    Map<String, StorageReport> byUuid = new HashMap<>();
    for (StorageReport report : reports) {
      byUuid.put(report.getStorage().getStorageID(), report);
    }
    storages().forEach(storage -> storage.update(byUuid.get(storage.uuid())));
    lastBeatMs = nowMs;
    heard(newLoad, nowMs, liveness);
  }

  /** It gave a sign of life, here or elsewhere; its storages are up to date. */
  public void heard(Load newLoad, long atMs, Liveness liveness) {
    boolean isNew = !heard;
    load = newLoad;
    long beforeMs = lastHeardMs.getAndAccumulate(atMs, Math::max);
    heard = true;
    hasHeartbeat = true;
    info = describe();
    // checked after the change, so no reader saw it stale in between
    if (isNew || !liveness.isFresh(beforeMs)) {
      version.raise();
    }
  }

  public Load load() {
    return load;
  }

  /** What it reports to this process, where several hear it. */
  public ReportStream stream() {
    return stream;
  }

  /** As the store said lately; null where there is no row. */
  public @Nullable Owner owner() {
    return owner;
  }

  public void owner(Owner newOwner) {
    owner = newOwner;
  }

  /** What this process has under way as its owner. */
  OwnersWork ownersWork() {
    return ownersWork;
  }

  /** Whether this process stands among the listeners in its owner's row. */
  boolean isListenedTo() {
    return isListenedTo;
  }

  void listenedTo(boolean isListened) {
    isListenedTo = isListened;
  }

  /** It is to be asked for a full report. */
  public void missesReport(boolean misses) {
    missesReport = misses;
  }

  public boolean missesReport() {
    return missesReport;
  }

  /**
   * It is not to make a full report before a time, unless it has made none since it was started.
   *
   * @param untilMs of the clock
   */
  public void postponeReport(long untilMs) {
    reportFromMs = untilMs;
  }

  /** Whether it may make a full report that it has to make by itself. */
  public boolean mayReport(long nowMs) {
    return nowMs >= reportFromMs
        || missesReport
        || storages().stream().anyMatch(storage -> !storage.isVerified());
  }

  /** This process is about to change rows of it; {@link #endChange} follows. */
  void beginChange() {
    changesUnderWay.incrementAndGet();
  }

  void endChange() {
    changes.incrementAndGet();
    changesUnderWay.decrementAndGet();
  }

  /** Changes that this process has made to its rows; less than 0 while one is under way. */
  long changes() {
    return changesUnderWay.get() > 0 ? -1 : changes.get();
  }

  public void fullReport(long nowMs) {
    lastFullReportMs = nowMs;
    info = describe();
  }

  /** A report of replicas has come in: what earlier ones left undone is out of date. */
  public long beginReport() {
    return lastReport.incrementAndGet();
  }

  /** Whether no report has begun since the one that {@link #beginReport} gave this number. */
  public boolean isLatestReport(long report) {
    return lastReport.get() == report;
  }

  /** It is dead from now on: another process has taken its address, or it has no disks left. */
  public void gone() {
    lastHeardMs.set(NEVER);
    changed();
  }

  /**
   * Nobody could be heard for a while: that is no silence of this one, unless it was dead before.
   *
   * @param deadBeforeMs it was dead if it was heard last before this
   */
  void excuse(long gapMs, long deadBeforeMs, long nowMs) {
    lastHeardMs.updateAndGet(
        lastMs ->
            lastMs < deadBeforeMs ? lastMs : Math.max(lastMs, Math.min(nowMs, lastMs + gapMs)));
  }

  /** Replicas on all its storages at the last count. */
  int numBlocks() {
    return storages().stream().mapToInt(Storage::numBlocks).sum();
  }

  /**
   * The description for readers, as of the last heartbeat and without the number of blocks, as in
   * HDFS. Copy it before changing it.
   */
  public DatanodeInfo info() {
    return info;
  }

  private DatanodeInfo describe() {
    long capacity = 0;
    long dfsUsed = 0;
    long nonDfsUsed = 0;
    long remaining = 0;
    long blockPoolUsed = 0;
    for (Storage storage : storages()) {
      StorageReport report = storage.report();
      if (report != null && !report.isFailed()) {
        capacity = Saturated.add(capacity, report.getCapacity());
        dfsUsed = Saturated.add(dfsUsed, report.getDfsUsed());
        nonDfsUsed = Saturated.add(nonDfsUsed, report.getNonDfsUsed());
        remaining = Saturated.add(remaining, report.getRemaining());
        blockPoolUsed = Saturated.add(blockPoolUsed, report.getBlockPoolUsed());
      }
    }
    return new DatanodeInfo.DatanodeInfoBuilder()
        .setNodeID(id)
        .setNetworkLocation(networkLocation)
        .setSoftwareVersion(softwareVersion)
        .setCapacity(capacity)
        .setDfsUsed(dfsUsed)
        .setNonDfsUsed(nonDfsUsed)
        .setRemaining(remaining)
        .setBlockPoolUsed(blockPoolUsed)
        .setCacheCapacity(load.cacheCapacityBytes())
        .setCacheUsed(load.cacheUsedBytes())
        .setXceiverCount(load.xceivers())
        .setLastUpdate(heard ? Math.max(0, lastHeardMs.get()) : 0)
        .setLastBlockReportTime(lastFullReportMs)
        .setAdminState(adminState)
        .setUpgradeDomain(upgradeDomain)
        .build();
  }
}
