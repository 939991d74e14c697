package io.acaciafs.blocks.datanode;

import io.acaciafs.blocks.proto.StorageRow;
import io.acaciafs.blocks.record.BlockKeys;
import io.acaciafs.blocks.record.Owner;
import io.acaciafs.blocks.record.StorageTypes;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.Row;
import io.acaciafs.kv.Scan;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;

/**
 * Shows in memory what the rows of DataNodes, storages and owners say: all of them at the start,
 * and later what other NameNodes have changed. Safe for use by many threads.
 */
final class StoredDatanodes {
  private final Reader store;
  private final Ownership ownership;
  private final KnownDatanodes known;

  /** The count of changes up to which memory shows them. */
  private volatile long seenChanges;

  /** Held by the thread that reads all rows, and by no other: what is read first is shown first. */
  private final Object reading = new Object();

  /**
   * @param changes as it was counted before the others were read
   */
  private record NodeRows(long changes, List<Row> nodes, List<Row> storages, List<Row> owners) {}

  StoredDatanodes(Reader store, Ownership ownership, KnownDatanodes known) {
    this.store = store;
    this.ownership = ownership;
    this.known = known;
  }

  long seenChanges() {
    return seenChanges;
  }

  /**
   * Shows the rows, but not of DataNodes that this process changed while it read: what was read of
   * them may be older than what memory shows.
   */
  void readAll() {
    synchronized (reading) {
      Map<String, Long> before = new HashMap<>();
      known.datanodes().forEach(datanode -> before.put(datanode.uuid(), datanode.changes()));
      NodeRows rows =
          new NodeRows(
              ownership.isAlone() ? 0 : NodeChanges.read(store),
              rows(BlockKeys.datanodes()),
              rows(BlockKeys.storages()),
              ownership.isAlone() ? List.of() : rows(BlockKeys.owners()));
      synchronized (known) {
        show(rows, before);
      }
    }
  }

  /**
   * Reads the rows of a DataNode that another NameNode may know: thousands may come at a time, and
   * reading all rows for each would take minutes.
   */
  void read(String uuid) {
    byte[] node = store.get(BlockKeys.datanode(uuid));
    if (node == null) {
      return;
    }
    List<Row> storages = rows(BlockKeys.storagesOf(uuid));
    Owner owner = Owner.decode(store.get(BlockKeys.owner(uuid)));
    synchronized (known) {
      if (known.datanode(uuid) == null) { // else memory shows it by now, perhaps from newer rows
        Datanode datanode = known.show(DatanodeRows.node(uuid, node));
        storages.forEach(row -> showStorage(datanode, row));
        if (owner != null) {
          ownership.learned(datanode, owner);
        }
      }
    }
  }

  private void show(NodeRows rows, Map<String, Long> before) {
    boolean isAllShown = true;
    dropRemoved(rows, before);
    for (Row row : rows.nodes()) {
      String uuid = BlockKeys.datanodeUuidIn(row.key());
      if (isUnchanged(uuid, before)) {
        known.show(DatanodeRows.node(uuid, row.value()));
      } else {
        isAllShown = false;
      }
    }
    for (Row row : rows.storages()) {
      Datanode datanode = known.datanode(BlockKeys.datanodeUuidInStorage(row.key()));
      if (datanode != null && isUnchanged(datanode.uuid(), before)) {
        showStorage(datanode, row);
      }
    }
    for (Row row : rows.owners()) {
      Datanode datanode = known.datanode(BlockKeys.datanodeUuidIn(row.key()));
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
      Datanode datanode = known.datanode(uuid);
      if (datanode != null
          && !stored.contains(uuid)
          && datanode.storages().isEmpty()
          && isUnchanged(uuid, before)) {
        known.drop(datanode);
      }
    }
  }

  private boolean isUnchanged(String uuid, Map<String, Long> before) {
    Datanode datanode = known.datanode(uuid);
    Long changesBefore = before.get(uuid);
    return datanode == null
        || changesBefore == null
        || changesBefore >= 0 && changesBefore == datanode.changes();
  }

  private List<Row> rows(KeyRange range) {
    List<Row> rows = new ArrayList<>();
    try (Scan scan = store.scan(range)) {
      scan.forEachRemaining(rows::add);
    }
    return rows;
  }

  private void showStorage(Datanode datanode, Row row) {
    StorageRow stored = DatanodeRows.storage(row.value());
    Storage storage =
        known.show(
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
}
