package io.acaciafs.blocks.datanode;

import io.acaciafs.blocks.record.BlockKeys;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.run.IdSequence;
import io.acaciafs.kv.run.InFlight;
import io.acaciafs.kv.run.Slices;
import io.acaciafs.kv.run.TransactionRunner;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All DataNodes and storages: what the store knows, in memory. A DataNode or storage is written
 * before memory shows it, so an index that anybody may meet in a row is known here, or was given
 * out by a transaction whose end is on the way.
 *
 * <p>Safe for use by many threads.
 */
public final class DatanodeRegistry {
  private static final Logger LOG = LoggerFactory.getLogger(DatanodeRegistry.class);

  /** Rows are not read more often than this because somebody met an unknown index. */
  private static final long READ_AGAIN_MS = 200;

  private static final int REMOVED_TOGETHER = 100;

  /** Thousands of DataNodes may come at a time, and those of a range do not wait for each other. */
  static final int INDEXES_PER_RANGE = 100;

  private final TransactionRunner runner;
  private final IdSequence indexes;
  private final Clock clock;
  private final NodeChanges changes;
  private final Ownership ownership;
  private final KnownDatanodes known;
  private final StoredDatanodes stored;
  private volatile long nextReadMs = Long.MIN_VALUE;

  /** Reads all rows of DataNodes and storages, which are thousands. */
  public DatanodeRegistry(
      TransactionRunner runner,
      Clock clock,
      NodeChanges changes,
      Ownership ownership,
      NodeVersion version) {
    this.runner = runner;
    this.indexes =
        new IdSequence(runner.store(), "storage", DatanodeRows::reserveIndexes, INDEXES_PER_RANGE);
    this.clock = clock;
    this.changes = changes;
    this.ownership = ownership;
    this.known = new KnownDatanodes(clock, version);
    this.stored = new StoredDatanodes(runner.store(), ownership, known);
    stored.readAll();
    known.datanodes().forEach(Datanode::forgetIfLost);
    if (ownership.isAlone()) {
      removeUnused();
    }
    LOG.info(
        "DataNodes loaded datanodes={} storages={}",
        known.datanodes().size(),
        known.storageCount());
  }

  /**
   * HDFS forgets all DataNodes at a restart. Where no other NameNode serves, the rows of those
   * without storages go then: nobody uses them yet.
   */
  private void removeUnused() {
    List<Datanode> unused =
        known.datanodes().stream().filter(datanode -> datanode.storages().isEmpty()).toList();
    if (unused.isEmpty()) {
      return;
    }
    // Memory first: if the store fails, a DataNode whose row may be there registers anew.
    unused.forEach(known::drop);
    Slices.of(unused, REMOVED_TOGETHER).forEach(this::removeRows);
    LOG.info("DataNodes forgotten that never named a storage datanodes={}", unused.size());
  }

  private void removeRows(List<Datanode> unused) {
    try {
      InFlight.join(
          runner.submit(
              tx -> {
                unused.forEach(datanode -> DatanodeRows.removeWithoutStorages(tx, datanode.uuid()));
                return null;
              }));
    } catch (IOException e) { // the next start tries again
      LOG.warn("Rows of DataNodes without storages not removed reason={}", e.toString());
    }
  }

  /** Null where no such DataNode is known. */
  public @Nullable Datanode datanode(String uuid) {
    Datanode datanode = uuid == null ? null : known.datanode(uuid);
    if (datanode == null && uuid != null && !ownership.isAlone()) {
      stored.read(uuid);
      datanode = known.datanode(uuid);
    }
    return datanode;
  }

  /** Null where no such index was given out. */
  public @Nullable Storage storage(int index) {
    Storage storage = known.storage(index);
    if (storage == null && readAgain()) {
      storage = known.storage(index);
    }
    return storage;
  }

  /** Another NameNode may have given out an index that this one has never heard of. */
  private boolean readAgain() {
    long nowMs = clock.millis();
    if (ownership.isAlone() || nowMs < nextReadMs) {
      return false;
    }
    nextReadMs = nowMs + READ_AGAIN_MS;
    return refresh();
  }

  /** The count of changes up to which memory shows what all NameNodes did to DataNodes. */
  public long seenChanges() {
    return stored.seenChanges();
  }

  /**
   * Reads what other NameNodes have changed.
   *
   * @return whether there was anything
   */
  public boolean refresh() {
    return refresh(NodeChanges.read(runner.store()));
  }

  /** The same where the count of changes was read already. */
  public boolean refresh(long changes) {
    if (changes == stored.seenChanges()) {
      return false;
    }
    stored.readAll();
    return true;
  }

  /**
   * Indexes of storages that clients and DataNodes name; what is not known among them is passed
   * over.
   *
   * @param storageIds one for each node
   */
  public List<Integer> storages(List<? extends DatanodeID> nodes, List<String> storageIds) {
    List<Integer> indexes = new ArrayList<>();
    for (int i = 0; i < Math.min(nodes.size(), storageIds.size()); i++) {
      Datanode datanode = datanode(nodes.get(i).getDatanodeUuid());
      Storage storage = datanode == null ? null : datanode.storage(storageIds.get(i));
      if (storage != null) {
        indexes.add(storage.index());
      }
    }
    return indexes;
  }

  public ClusterView view() {
    return known.view();
  }

  public boolean sameNode(int storage, int otherStorage) {
    if (storage == otherStorage) {
      return true;
    }
    Storage one = storage(storage);
    Storage other = storage(otherStorage);
    return one != null && other != null && one.datanode() == other.datanode();
  }

  /**
   * Stores an address; completes when it is durable and shown. Its owner takes a DataNode that
   * registers for one that has just started, whose replicas are in doubt until it reports them.
   */
  public CompletableFuture<Void> register(
      DatanodeID id, String softwareVersion, String networkLocation) {
    Datanode before = datanode(id.getDatanodeUuid());
    Datanode inDoubt = before != null && ownership.isMine(before) ? before : null;
    List<Key> rows = new ArrayList<>(List.of(BlockKeys.datanode(id.getDatanodeUuid())));
    if (inDoubt != null) {
      inDoubt.storages().forEach(storage -> rows.add(DatanodeRows.key(storage)));
    }
    List<Datanode> replaced = known.othersAt(id);
    Map<Datanode, Long> makingRoom = new HashMap<>();
    if (before == null) {
      this.known
          .makingRoom(replaced)
          .forEach(datanode -> makingRoom.put(datanode, datanode.changes()));
    } else {
      before.beginChange();
    }
    return runner
        .<List<Datanode>>submit(
            tx -> {
              tx.remoteReads().prefetch(rows);
              List<Datanode> removed = new ArrayList<>();
              for (Datanode unused : makingRoom.keySet()) {
                if (DatanodeRows.removeWithoutStorages(tx, unused.uuid())) {
                  removed.add(unused);
                }
              }
              boolean isChanged = DatanodeRows.register(tx, id, softwareVersion, networkLocation);
              for (Datanode other : replaced) {
                isChanged |= !removed.contains(other) && DatanodeRows.replaced(tx, other.uuid());
              }
              if (inDoubt != null) {
                for (Storage storage : inDoubt.storages()) {
                  isChanged |= DatanodeRows.setUnverified(tx, storage);
                }
              }
              if (isChanged || !removed.isEmpty()) {
                changes.note(tx);
              }
              return removed;
            })
        .thenAccept(
            removed -> {
              makingRoom.keySet().retainAll(removed);
              makingRoom.forEach(known::forget);
              known.registered(id, softwareVersion, networkLocation, inDoubt != null);
            })
        .whenComplete(
            (nothing, failure) -> {
              if (before != null) {
                before.endChange();
              }
            });
  }

  /**
   * Makes sure that storages have an index and that their rows say what they are.
   *
   * @return completes, often at once, when all of them are durable and shown; none are if the
   *     DataNode was forgotten meanwhile
   */
  public CompletableFuture<Void> describe(
      Datanode datanode, Collection<DatanodeStorage> described) {
    List<DatanodeStorage> changed =
        described.stream().filter(storage -> isNews(datanode, storage)).toList();
    if (changed.isEmpty()) {
      return CompletableFuture.completedFuture(null);
    }
    return runner
        .<Map<Integer, DatanodeStorage>>submit(
            tx -> {
              Map<Integer, DatanodeStorage> byIndex =
                  DatanodeRows.describe(tx, datanode.uuid(), changed, this::newIndex);
              if (tx.hasWrites()) {
                changes.note(tx);
              }
              return byIndex;
            })
        .thenAccept(
            byIndex -> {
              if (byIndex == null) {
                known.drop(datanode); // so its next heartbeat tells it to register
              } else {
                byIndex.forEach((index, storage) -> known.show(index, datanode, storage));
              }
            });
  }

  private int newIndex() {
    return Math.toIntExact(indexes.next());
  }

  private static boolean isNews(Datanode datanode, DatanodeStorage described) {
    Storage storage = datanode.storage(described.getStorageID());
    return storage == null
        || storage.description().getStorageType() != described.getStorageType()
        || storage.description().getState() != described.getState();
  }
}
