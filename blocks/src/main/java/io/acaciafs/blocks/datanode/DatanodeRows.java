package io.acaciafs.blocks.datanode;

import com.google.protobuf.InvalidProtocolBufferException;
import io.acaciafs.blocks.proto.DatanodeRow;
import io.acaciafs.blocks.proto.StorageIndexRow;
import io.acaciafs.blocks.proto.StorageRow;
import io.acaciafs.blocks.record.BlockKeys;
import io.acaciafs.blocks.record.StorageCheckRows;
import io.acaciafs.blocks.record.StorageTypes;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.Scan;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.Transaction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntSupplier;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.AdminStates;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.jspecify.annotations.Nullable;

/** Reads and writes of the rows of DataNodes and storages. Stateless. */
public final class DatanodeRows {
  private DatanodeRows() {}

  /** A stored DataNode. */
  record Node(
      DatanodeID id,
      String softwareVersion,
      String networkLocation,
      AdminStates adminState,
      boolean isReplaced) {}

  /**
   * Its administrative state stays what it was.
   *
   * @return whether anything has changed
   */
  public static boolean register(
      Transaction tx, DatanodeID id, String softwareVersion, String networkLocation) {
    Key key = BlockKeys.datanode(id.getDatanodeUuid());
    return putIfChanged(
        tx,
        key,
        builder(tx.get(key))
            .setIpAddress(id.getIpAddr())
            .setHostName(id.getHostName())
            .setXferPort(id.getXferPort())
            .setInfoPort(id.getInfoPort())
            .setInfoSecurePort(id.getInfoSecurePort())
            .setIpcPort(id.getIpcPort())
            .setSoftwareVersion(softwareVersion)
            .setNetworkLocation(networkLocation)
            .setReplaced(false)
            .build()
            .toByteArray());
  }

  /**
   * Another DataNode has registered at its address.
   *
   * @return whether anything has changed
   */
  static boolean replaced(Transaction tx, String uuid) {
    Key key = BlockKeys.datanode(uuid);
    byte[] row = tx.get(key);
    return row != null
        && putIfChanged(tx, key, builder(row).setReplaced(true).build().toByteArray());
  }

  /**
   * Removes all that is stored of a DataNode, unless a storage of it is stored.
   *
   * @return whether nothing is stored of it any more
   */
  static boolean removeWithoutStorages(Transaction tx, String uuid) {
    boolean isKnown = isKnown(tx, uuid); // a new storage changes this row, so none comes unnoticed
    if (hasStorages(tx, uuid)) {
      return false;
    }
    if (isKnown) {
      tx.delete(BlockKeys.datanode(uuid));
      tx.delete(BlockKeys.owner(uuid));
    }
    return true;
  }

  private static boolean hasStorages(Transaction tx, String uuid) {
    try (Scan storages = tx.unguarded().scan(BlockKeys.storagesOf(uuid), 1)) {
      return storages.hasNext();
    }
  }

  /** Whether the DataNode is stored, guarded. */
  static boolean isKnown(Transaction tx, String uuid) {
    return tx.get(BlockKeys.datanode(uuid)) != null;
  }

  static void setAdminState(Transaction tx, String uuid, AdminStates state) {
    Key key = BlockKeys.datanode(uuid);
    putIfChanged(
        tx,
        key,
        builder(tx.get(key))
            .setAdminState(DatanodeRow.AdminState.valueOf(state.name()))
            .build()
            .toByteArray());
  }

  private static DatanodeRow.Builder builder(byte @Nullable [] old) {
    try {
      return old == null ? DatanodeRow.newBuilder() : DatanodeRow.parseFrom(old).toBuilder();
    } catch (InvalidProtocolBufferException e) {
      throw new StoreException("Not a row of a DataNode", e);
    }
  }

  public static Node node(String uuid, byte[] value) {
    try {
      DatanodeRow row = DatanodeRow.parseFrom(value);
      if (row.getAdminState() == DatanodeRow.AdminState.UNRECOGNIZED) {
        throw new StoreException("A DataNode of an unknown state: " + row.getAdminStateValue());
      }
      return new Node(
          new DatanodeID(
              row.getIpAddress(),
              row.getHostName(),
              uuid,
              row.getXferPort(),
              row.getInfoPort(),
              row.getInfoSecurePort(),
              row.getIpcPort()),
          row.getSoftwareVersion(),
          row.getNetworkLocation(),
          AdminStates.valueOf(row.getAdminState().name()),
          row.getReplaced());
    } catch (InvalidProtocolBufferException e) {
      throw new StoreException("Not a row of a DataNode", e);
    }
  }

  /**
   * Writes what storages say of themselves, and gives new ones an index.
   *
   * @param newIndex gives out indexes that no storage has had
   * @return the storages by their indexes; null where the DataNode is not stored
   */
  public static @Nullable Map<Integer, DatanodeStorage> describe(
      Transaction tx, String uuid, List<DatanodeStorage> storages, IntSupplier newIndex) {
    List<Key> rows = new ArrayList<>(List.of(BlockKeys.datanode(uuid)));
    storages.forEach(storage -> rows.add(BlockKeys.storage(uuid, storage.getStorageID())));
    tx.remoteReads().prefetch(rows);
    byte[] node = tx.get(BlockKeys.datanode(uuid));
    if (node == null) {
      return null;
    }
    Map<Integer, DatanodeStorage> byIndex = new TreeMap<>();
    int added = 0;
    for (DatanodeStorage storage : storages) {
      byte[] old = tx.get(BlockKeys.storage(uuid, storage.getStorageID()));
      int index = old == null ? newIndex.getAsInt() : storage(old).getIndex();
      added += old == null ? 1 : 0;
      describe(tx, uuid, storage, index);
      byIndex.put(index, storage);
    }
    if (added > 0) {
      DatanodeRow.Builder row = builder(node);
      tx.put(
          BlockKeys.datanode(uuid),
          row.setStoragesAdded(row.getStoragesAdded() + added).build().toByteArray());
    }
    return byIndex;
  }

  /** Writes what a storage with a certain index says of itself. */
  public static void describe(
      Transaction tx, String datanodeUuid, DatanodeStorage storage, int index) {
    Key key = BlockKeys.storage(datanodeUuid, storage.getStorageID());
    byte[] old = tx.get(key);
    putIfChanged(
        tx,
        key,
        (old == null ? StorageRow.newBuilder() : storage(old).toBuilder())
            .setIndex(index)
            .setType(StorageTypes.stored(storage.getStorageType()))
            .setState(StorageTypes.stored(storage.getState()))
            .build()
            .toByteArray());
  }

  /**
   * Notes whether the replicas of a storage count, and whether its DataNode has named them. Where
   * they begin or cease to count all of them are looked at, whatever memory shows.
   */
  static void setStanding(Transaction tx, Storage storage, boolean lost, boolean verified) {
    byte[] row = tx.get(key(storage));
    if (row != null) {
      StorageRow old = storage(row);
      if (old.getLost() != lost) {
        StorageCheckRows.begin(tx, storage.index());
      }
      StorageRow.Builder changed = old.toBuilder().setLost(lost).setUnverified(!verified);
      putIfChanged(
          tx,
          key(storage),
          changed.setRestored(old.getRestored() && !verified).build().toByteArray());
    }
  }

  /**
   * The DataNode of a storage has to name its replicas again. They count as before: memory may not
   * show yet that they are lost.
   *
   * @return whether anything has changed
   */
  static boolean setUnverified(Transaction tx, Storage storage) {
    byte[] row = tx.get(key(storage));
    return row != null
        && putIfChanged(
            tx, key(storage), storage(row).toBuilder().setUnverified(true).build().toByteArray());
  }

  static Key key(Storage storage) {
    return BlockKeys.storage(storage.datanode().uuid(), storage.uuid());
  }

  /** Whether its replicas count and have been named by its DataNode, guarded. */
  public static boolean isVerified(Transaction tx, Storage storage) {
    byte[] row = tx.get(key(storage));
    return row != null && !storage(row).getLost() && !storage(row).getUnverified();
  }

  public static StorageRow storage(byte[] value) {
    try {
      return StorageRow.parseFrom(value);
    } catch (InvalidProtocolBufferException e) {
      throw new StoreException("Not a row of a storage", e);
    }
  }

  /**
   * Takes indexes of storages.
   *
   * @return the first of them
   */
  public static long reserveIndexes(Transaction tx, long count) {
    byte[] row = tx.get(BlockKeys.lastStorageIndex());
    try {
      int last = row == null ? 0 : StorageIndexRow.parseFrom(row).getLastIndex();
      tx.put(
          BlockKeys.lastStorageIndex(),
          StorageIndexRow.newBuilder()
              .setLastIndex(Math.toIntExact(last + count))
              .build()
              .toByteArray());
      return last + 1L;
    } catch (InvalidProtocolBufferException e) {
      throw new StoreException("Not a row of the last storage index", e);
    }
  }

  private static boolean putIfChanged(Transaction tx, Key key, byte[] value) {
    boolean isChanged = !Arrays.equals(tx.get(key), value);
    if (isChanged) {
      tx.put(key, value);
    }
    return isChanged;
  }
}
