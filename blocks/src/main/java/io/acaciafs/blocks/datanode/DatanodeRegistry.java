package io.acaciafs.blocks.datanode;

import io.acaciafs.blocks.proto.StorageRow;
import io.acaciafs.blocks.record.BlockKeys;
import io.acaciafs.blocks.record.Owner;
import io.acaciafs.blocks.record.StorageTypes;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.Row;
import io.acaciafs.kv.Scan;
import io.acaciafs.kv.run.IdSequence;
import io.acaciafs.kv.run.TransactionRunner;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
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
  private static final int INDEXES_PER_RANGE = 100;

  private final TransactionRunner runner;
  private final IdSequence indexes;
  private final Clock clock;
  private final NodeChanges changes;
  private final Ownership ownership;
  private final NodeVersion version;
  private final Map<String, Datanode> datanodes = new ConcurrentHashMap<>();
  private final Map<Integer, Storage> storages = new ConcurrentHashMap<>();
  private final DatanodeAddresses addresses = new DatanodeAddresses();
  private final Set<Datanode> withoutStorages = ConcurrentHashMap.newKeySet();

  /** Null where a DataNode came, went or moved since: the next use makes it. */
  private volatile @Nullable ClusterView view;

  /** The count of changes up to which memory shows them. */
  private volatile long seenChanges;

  private volatile long nextReadMs = Long.MIN_VALUE;

  /** Held by the thread that reads the rows, and by no other: what is read first is shown first. */
  private final Object reading = new Object();

  /**
   * @param changes as it was counted before the others were read
   */
  private record NodeRows(long changes, List<Row> nodes, List<Row> storages, List<Row> owners) {}

  /** Reads all rows of DataNodes and storages, which are thousands. */
  public DatanodeRegistry(
      TransactionRunner runner,
      Clock clock,
      NodeChanges changes,
      Ownership ownership,
      NodeVersion version) {
    this.version = version;
    this.runner = runner;
    this.indexes =
        new IdSequence(runner.store(), "storage", DatanodeRows::reserveIndexes, INDEXES_PER_RANGE);
    this.clock = clock;
    this.changes = changes;
    this.ownership = ownership;
    read();
    datanodes.values().forEach(Datanode::forgetIfLost);
    if (ownership.isAlone()) {
      removeUnused();
    }
    LOG.info("DataNodes loaded datanodes={} storages={}", datanodes.size(), storages.size());
  }

  /**
   * HDFS forgets all DataNodes at a restart. Where no other NameNode serves, the rows of those
   * without storages go then: nobody uses them yet.
   */
  private void removeUnused() {
    List<Datanode> unused =
        datanodes.values().stream().filter(datanode -> datanode.storages().isEmpty()).toList();
    if (unused.isEmpty()) {
      return;
    }
    // Memory first: if the store fails, a DataNode whose row may be there registers anew.
    unused.forEach(this::drop);
    for (int from = 0; from < unused.size(); from += REMOVED_TOGETHER) {
      removeRows(unused.subList(from, Math.min(unused.size(), from + REMOVED_TOGETHER)));
    }
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

  private void drop(Datanode datanode) {
    datanodes.remove(datanode.uuid(), datanode);
    addresses.remove(datanode);
    withoutStorages.remove(datanode);
    view = null;
  }

  private void add(Datanode datanode) {
    datanodes.put(datanode.uuid(), datanode);
    addresses.add(datanode);
    withoutStorages.add(datanode);
    view = null;
  }

  /** Null where no such DataNode is known. */
  public @Nullable Datanode datanode(String uuid) {
    Datanode known = uuid == null ? null : datanodes.get(uuid);
    if (known == null && uuid != null && !ownership.isAlone()) {
      read(uuid);
      known = datanodes.get(uuid);
    }
    return known;
  }

  /** Null where no such index was given out. */
  public @Nullable Storage storage(int index) {
    Storage known = storages.get(index);
    if (known == null && readAgain()) {
      known = storages.get(index);
    }
    return known;
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
    return seenChanges;
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
    return changes != seenChanges && read();
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
    ClusterView known = view;
    return known == null ? makeView() : known;
  }

  private synchronized ClusterView makeView() {
    ClusterView known = view;
    if (known == null) {
      known = ClusterView.of(datanodes.values());
      view = known;
    }
    return known;
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
    Datanode known = datanode(id.getDatanodeUuid());
    Datanode inDoubt = known != null && ownership.isMine(known) ? known : null;
    List<Key> rows = new ArrayList<>(List.of(BlockKeys.datanode(id.getDatanodeUuid())));
    if (inDoubt != null) {
      inDoubt.storages().forEach(storage -> rows.add(DatanodeRows.key(storage)));
    }
    List<Datanode> replaced = addresses.othersAt(id);
    Map<Datanode, Long> makingRoom = new HashMap<>();
    if (known == null) {
      UnusedDatanodes.makingRoom(withoutStorages, replaced)
          .forEach(datanode -> makingRoom.put(datanode, datanode.changes()));
    } else {
      known.beginChange();
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
                  isChanged |= DatanodeRows.setStanding(tx, storage, storage.isLost(), false);
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
              makingRoom.forEach(this::forget);
              show(id, softwareVersion, networkLocation, inDoubt != null);
            })
        .whenComplete(
            (nothing, failure) -> {
              if (known != null) {
                known.endChange();
              }
            });
  }

  /** Unless something happened to it meanwhile: then its row is there again, or soon. */
  private synchronized void forget(Datanode datanode, long changesBefore) {
    if (datanode.changes() == changesBefore && datanode.storages().isEmpty()) {
      LOG.debug("DataNode forgotten that never named a storage datanode={}", datanode.id());
      drop(datanode);
    }
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
                hide(datanode);
              } else {
                byIndex.forEach((index, storage) -> show(index, datanode, storage));
              }
            });
  }

  private int newIndex() {
    return Math.toIntExact(indexes.next());
  }

  /** Its row is gone, so its next heartbeat tells it to register. */
  private synchronized void hide(Datanode datanode) {
    drop(datanode);
  }

  private static boolean isNews(Datanode datanode, DatanodeStorage described) {
    Storage storage = datanode.storage(described.getStorageID());
    return storage == null
        || storage.description().getStorageType() != described.getStorageType()
        || storage.description().getState() != described.getState();
  }

  /**
   * Shows the rows, but not of DataNodes that this process changed while it read: what was read of
   * them may be older than what memory shows.
   */
  private boolean read() {
    synchronized (reading) {
      Reader reader = runner.store();
      Map<String, Long> before = new HashMap<>();
      datanodes.forEach((uuid, datanode) -> before.put(uuid, datanode.changes()));
      show(
          new NodeRows(
              ownership.isAlone() ? 0 : NodeChanges.read(reader),
              rows(reader, BlockKeys.datanodes()),
              rows(reader, BlockKeys.storages()),
              ownership.isAlone() ? List.of() : rows(reader, BlockKeys.owners())),
          before);
    }
    return true;
  }

  /**
   * Reads the rows of a DataNode that another NameNode may know: thousands may come at a time, and
   * reading all rows for each would take minutes.
   */
  private void read(String uuid) {
    Reader reader = runner.store();
    byte[] node = reader.get(BlockKeys.datanode(uuid));
    if (node != null) {
      show(
          DatanodeRows.node(uuid, node),
          rows(reader, BlockKeys.storagesOf(uuid)),
          Owner.decode(reader.get(BlockKeys.owner(uuid))));
    }
  }

  /** Unless memory shows the DataNode by now, perhaps from newer rows. */
  private synchronized void show(
      DatanodeRows.Node node, List<Row> storages, @Nullable Owner owner) {
    String uuid = node.id().getDatanodeUuid();
    if (datanodes.containsKey(uuid)) {
      return;
    }
    Datanode datanode = showNode(node);
    storages.forEach(row -> showStorage(datanode, row));
    if (owner != null) {
      ownership.learned(datanode, owner);
    }
  }

  private synchronized void show(NodeRows rows, Map<String, Long> before) {
    boolean isAllShown = true;
    dropRemoved(rows, before);
    for (Row row : rows.nodes()) {
      String uuid = BlockKeys.datanodeUuidIn(row.key());
      if (isUnchanged(uuid, before)) {
        showNode(DatanodeRows.node(uuid, row.value()));
      } else {
        isAllShown = false;
      }
    }
    for (Row row : rows.storages()) {
      Datanode datanode = datanodes.get(BlockKeys.datanodeUuidInStorage(row.key()));
      if (datanode != null && isUnchanged(datanode.uuid(), before)) {
        showStorage(datanode, row);
      }
    }
    for (Row row : rows.owners()) {
      Datanode datanode = datanodes.get(BlockKeys.datanodeUuidIn(row.key()));
      if (datanode != null && isUnchanged(datanode.uuid(), before)) {
        ownership.learned(datanode, Owner.decodeRow(row.value()));
      }
    }
    if (isAllShown) {
      seenChanges = rows.changes();
    }
  }

  /** Another NameNode has forgotten them. */
  private void dropRemoved(NodeRows rows, Map<String, Long> before) {
    Set<String> stored =
        rows.nodes().stream()
            .map(row -> BlockKeys.datanodeUuidIn(row.key()))
            .collect(Collectors.toSet());
    for (String uuid : before.keySet()) {
      Datanode known = datanodes.get(uuid);
      if (known != null
          && !stored.contains(uuid)
          && known.storages().isEmpty()
          && isUnchanged(uuid, before)) {
        drop(known);
      }
    }
  }

  private boolean isUnchanged(String uuid, Map<String, Long> before) {
    Datanode known = datanodes.get(uuid);
    Long changesBefore = before.get(uuid);
    return known == null
        || changesBefore == null
        || changesBefore >= 0 && changesBefore == known.changes();
  }

  private static List<Row> rows(Reader reader, KeyRange range) {
    List<Row> rows = new ArrayList<>();
    try (Scan scan = reader.scan(range)) {
      scan.forEachRemaining(rows::add);
    }
    return rows;
  }

  private Datanode showNode(DatanodeRows.Node node) {
    String uuid = node.id().getDatanodeUuid();
    Datanode known = datanodes.get(uuid);
    if (known == null) {
      known =
          new Datanode(
              node.id(), node.softwareVersion(), node.networkLocation(), clock.millis(), version);
      add(known);
    } else {
      Datanode moved = known;
      move(
          known,
          node.id(),
          node.networkLocation(),
          () -> moved.described(node.id(), node.softwareVersion(), node.networkLocation()));
    }
    known.adminState(node.adminState());
    known.replaced(node.isReplaced());
    return known;
  }

  private void showStorage(Datanode datanode, Row row) {
    StorageRow stored = DatanodeRows.storage(row.value());
    Storage storage =
        show(
            stored.getIndex(),
            datanode,
            new DatanodeStorage(
                BlockKeys.storageUuidIn(row.key()),
                StorageTypes.state(stored.getState()),
                StorageTypes.type(stored.getType())));
    storage.lost(stored.getLost());
    storage.verified(!stored.getUnverified());
    storage.restored(stored.getRestored());
  }

  private synchronized void show(
      DatanodeID id, String softwareVersion, String networkLocation, boolean isInDoubt) {
    String uuid = id.getDatanodeUuid();
    for (Datanode other : addresses.othersAt(id)) {
      LOG.info("DataNode replaced at its address old={} new={}", other.id(), uuid);
      other.replaced(true);
    }
    Datanode known = datanodes.get(uuid);
    if (known == null) {
      Datanode first = new Datanode(id, softwareVersion, networkLocation, clock.millis(), version);
      first.came();
      add(first);
    } else {
      move(
          known,
          id,
          networkLocation,
          () -> known.registered(id, softwareVersion, networkLocation, isInDoubt, clock.millis()));
    }
    LOG.info("DataNode registered datanode={} rack={}", id, networkLocation);
  }

  /**
   * Changes a DataNode that may have another address or rack then. Most that register have those
   * that they had, and thousands register at a time.
   */
  private void move(Datanode known, DatanodeID id, String networkLocation, Runnable change) {
    boolean stays =
        known.networkLocation().equals(networkLocation)
            && known.id().getXferAddr().equals(id.getXferAddr());
    if (stays) {
      change.run();
      return;
    }
    addresses.remove(known);
    change.run();
    addresses.add(known);
    view = null;
  }

  private synchronized Storage show(int index, Datanode datanode, DatanodeStorage description) {
    Storage known = storages.get(index);
    if (known != null) {
      known.update(description);
      return known;
    }
    Storage storage = new Storage(index, datanode, description);
    storages.put(index, storage);
    datanode.add(storage);
    withoutStorages.remove(datanode);
    return storage;
  }
}
