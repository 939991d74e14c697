package io.acaciafs.blocks.repair;

import io.acaciafs.blocks.datanode.Datanode;
import io.acaciafs.blocks.datanode.DatanodeRegistry;
import io.acaciafs.blocks.datanode.Storage;
import io.acaciafs.blocks.datanode.StorageWatch;
import io.acaciafs.blocks.record.BlockKeys;
import io.acaciafs.blocks.record.BlockRecord;
import io.acaciafs.blocks.record.BlockRows;
import io.acaciafs.blocks.record.ReportedReplica;
import io.acaciafs.blocks.redundancy.BlockRecordWriter;
import io.acaciafs.blocks.redundancy.Redundancy;
import io.acaciafs.blocks.settings.RepairSettings;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Scan;
import io.acaciafs.kv.Store;
import java.io.IOException;
import java.time.Clock;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.AdminStates;
import org.jspecify.annotations.Nullable;

/**
 * Lets a DataNode go when all its blocks have enough replicas elsewhere. Walks the replica index of
 * each node that is to go, up to the first block that has not; there it goes on the next time. A
 * walk that never had to stop ends it. Run by one thread, but for what it tells.
 */
public final class DecommissionMonitor {
  private static final class Walk {
    private final Iterator<Storage> storages;
    private @Nullable Storage storage;
    private @Nullable KeyRange rest;
    private boolean isClean = true;
    private volatile long passed;
    private volatile long waitsForBlock;

    Walk(Datanode node) {
      storages = List.copyOf(node.storages()).iterator();
    }
  }

  /**
   * How far a DataNode is that is to go, of the walk that is under way.
   *
   * @param blocksLookedThrough up to the one that it waits for: they have enough replicas
   *     elsewhere; of those behind it nothing is known
   * @param waitsForBlock the first one that has not; 0: none was met yet
   */
  public record Progress(long blocksLookedThrough, long waitsForBlock) {}

  private final Store store;
  private final DatanodeRegistry registry;
  private final BlockRecordWriter recordWriter;
  private final StorageWatch watch;
  private final Clock clock;
  private final RepairSettings settings;
  private final Map<Datanode, Walk> walks = new ConcurrentHashMap<>();
  private long nextMs = Long.MIN_VALUE;
  private int left;

  public DecommissionMonitor(
      Store store,
      DatanodeRegistry registry,
      BlockRecordWriter recordWriter,
      StorageWatch watch,
      Clock clock,
      RepairSettings settings) {
    this.store = store;
    this.registry = registry;
    this.recordWriter = recordWriter;
    this.watch = watch;
    this.clock = clock;
    this.settings = settings;
  }

  /** Looks when it is time. Waits until what it decided is durable. */
  void run() throws IOException {
    if (clock.millis() < nextMs) {
      return;
    }
    nextMs = clock.millis() + settings.leaving().intervalMs();
    left = settings.leaving().blocksPerInterval();
    for (Datanode node : registry.view().datanodes()) {
      switch (node.adminState()) {
        case DECOMMISSION_INPROGRESS -> finish(node, AdminStates.DECOMMISSIONED);
        case ENTERING_MAINTENANCE -> finish(node, AdminStates.IN_MAINTENANCE);
        case NORMAL, DECOMMISSIONED, IN_MAINTENANCE -> walks.remove(node);
      }
    }
  }

  private void finish(Datanode node, AdminStates last) throws IOException {
    while (walkToEnd(walks.computeIfAbsent(node, Walk::new), last)) {
      if (walks.remove(node).isClean) {
        watch.adminState(node, last);
        return;
      }
    }
  }

  private boolean walkToEnd(Walk walk, AdminStates last) {
    while (true) {
      Storage storage = walk.storage;
      KeyRange rest = walk.rest;
      if (storage == null || rest == null) {
        if (!walk.storages.hasNext()) {
          return true;
        }
        storage = walk.storages.next();
        rest = BlockKeys.replicasOf(storage.index());
        walk.storage = storage;
        walk.rest = rest;
      }
      if (!walkStorage(walk, storage, rest, last)) {
        return false;
      }
      walk.rest = null;
    }
  }

  private boolean walkStorage(Walk walk, Storage storage, KeyRange rest, AdminStates last) {
    try (Scan scan = store.scan(rest)) {
      while (scan.hasNext()) {
        Key key = scan.next().key();
        if (left-- <= 0) {
          return false;
        }
        long blockId = BlockKeys.blockIdIn(key);
        if (!isDispensable(storage.index(), blockId, last)) {
          walk.isClean = false;
          walk.waitsForBlock = blockId;
          return false;
        }
        walk.waitsForBlock = 0;
        walk.passed++;
        walk.rest = rest.startingAfter(key.bytes());
      }
    }
    return true;
  }

  /**
   * Of the DataNodes that are to go and that this NameNode looks after, by their uuids; any thread.
   */
  public Map<String, Progress> progress() {
    return walks.entrySet().stream()
        .collect(
            Collectors.toMap(
                walk -> walk.getKey().info().getDatanodeUuid(),
                walk -> new Progress(walk.getValue().passed, walk.getValue().waitsForBlock)));
  }

  /** Whether a DataNode that is to go has to wait for this block. */
  public boolean areKeptBy(long blockId) {
    BlockRecord record = BlockRows.read(store, blockId);
    if (record == null) {
      return false;
    }
    return Stream.of(
            record.storages().stream(), record.reported().stream().map(ReportedReplica::storage))
        .flatMap(storages -> storages)
        .map(registry::storage)
        .filter(Objects::nonNull)
        .anyMatch(storage -> isKeptBy(storage, blockId));
  }

  private boolean isKeptBy(Storage storage, long blockId) {
    return switch (storage.datanode().adminState()) {
      case DECOMMISSION_INPROGRESS ->
          !isDispensable(storage.index(), blockId, AdminStates.DECOMMISSIONED);
      case ENTERING_MAINTENANCE ->
          !isDispensable(storage.index(), blockId, AdminStates.IN_MAINTENANCE);
      case NORMAL, DECOMMISSIONED, IN_MAINTENANCE -> false;
    };
  }

  private boolean isDispensable(int storage, long blockId, AdminStates last) {
    BlockRecord record = BlockRows.read(store, blockId);
    if (record == null || !record.holds(storage)) {
      return true;
    }
    int enoughInMaintenance =
        Math.min(settings.leaving().maintenanceMinReplication(), record.replication());
    if (!record.isCommitted()) { // nobody copies it yet: as HDFS, few will do
      return recordWriter.finishedLive(record)
          >= (last == AdminStates.IN_MAINTENANCE
              ? enoughInMaintenance
              : recordWriter.minReplication());
    }
    Redundancy redundancy = recordWriter.redundancy(record);
    int enough =
        last == AdminStates.IN_MAINTENANCE
            ? enoughInMaintenance
            : Math.min(redundancy.wanted(), settings.leaving().defaultReplication());
    return !record.storages().contains(storage) || redundancy.counts().live() >= enough;
  }
}
