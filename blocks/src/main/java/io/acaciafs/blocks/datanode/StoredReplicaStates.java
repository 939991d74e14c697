package io.acaciafs.blocks.datanode;

import org.apache.hadoop.hdfs.protocol.DatanodeInfo.AdminStates;
import org.jspecify.annotations.Nullable;

/**
 * Says what a replica on a storage is worth now. Reads memory only. Safe for use by many threads.
 *
 * <p>The answer for a storage changes with its DataNode's heartbeats; whenever it changes for good,
 * all blocks of the storage are looked at again ({@code StorageChecks}), which corrects decisions
 * from old answers.
 */
public final class StoredReplicaStates {
  /** What a replica there counts for. */
  public enum StoredReplicaState {
    LIVE,
    /** Its node is (being) decommissioned: it can be read and copied, and is to be replaced. */
    LEAVING,
    /** Its node is away for a while, or soon will be. */
    MAINTENANCE,
    GONE
  }

  private final DatanodeRegistry registry;
  private final Liveness liveness;

  public StoredReplicaStates(DatanodeRegistry registry, Liveness liveness) {
    this.registry = registry;
    this.liveness = liveness;
  }

  public StoredReplicaState of(int storageIndex) {
    Storage storage = registry.storage(storageIndex);
    if (storage == null) {
      return StoredReplicaState.GONE;
    }
    AdminStates state = storage.datanode().adminState();
    if (state == AdminStates.IN_MAINTENANCE) {
      return StoredReplicaState.MAINTENANCE;
    }
    if (!isReadable(storage)) {
      return StoredReplicaState.GONE;
    }
    return switch (state) {
      case NORMAL -> StoredReplicaState.LIVE;
      case DECOMMISSION_INPROGRESS, DECOMMISSIONED -> StoredReplicaState.LEAVING;
      case ENTERING_MAINTENANCE, IN_MAINTENANCE -> StoredReplicaState.MAINTENANCE;
    };
  }

  /** Whether replicas there can be read now, as far as anybody knows. */
  public boolean isReadable(int storageIndex) {
    Storage storage = registry.storage(storageIndex);
    return storage != null && isReadable(storage);
  }

  /** Whether, beyond that, its DataNode has named its replicas since it was last started. */
  public boolean isVerified(int storageIndex) {
    Storage storage = registry.storage(storageIndex);
    return storage != null && isReadable(storage) && storage.isVerified();
  }

  /** Whether its DataNode is in maintenance, so clients should not read there. */
  public boolean isInMaintenance(int storageIndex) {
    Storage storage = registry.storage(storageIndex);
    return storage != null && storage.datanode().adminState() == AdminStates.IN_MAINTENANCE;
  }

  public @Nullable Datanode datanode(int storageIndex) {
    Storage storage = registry.storage(storageIndex);
    return storage == null ? null : storage.datanode();
  }

  public boolean sameNode(int storage, int otherStorage) {
    return registry.sameNode(storage, otherStorage);
  }

  private boolean isReadable(Storage storage) {
    return !storage.isLost() && !storage.isFailed() && !liveness.isDead(storage.datanode());
  }
}
