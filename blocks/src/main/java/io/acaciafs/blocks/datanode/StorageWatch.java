package io.acaciafs.blocks.datanode;

import io.acaciafs.blocks.record.StorageCheckRows;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.run.InFlight;
import io.acaciafs.kv.run.Operation;
import io.acaciafs.kv.run.TransactionRunner;
import java.io.IOException;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.AdminStates;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices when storages are lost, with their DataNode or alone, and when they are back. Memory
 * changes before the row and its check are written: a decision on a block after the check has
 * passed it decides from the new standing. Safe for use by many threads.
 *
 * <p>A storage that was lost counts again only when its DataNode has reported all its replicas.
 */
public final class StorageWatch {
  private static final Logger LOG = LoggerFactory.getLogger(StorageWatch.class);

  private final TransactionRunner runner;
  private final DatanodeRegistry registry;
  private final Liveness liveness;

  private final NodeChanges changes;
  private final Ownership ownership;

  public StorageWatch(
      TransactionRunner runner,
      DatanodeRegistry registry,
      Liveness liveness,
      NodeChanges changes,
      Ownership ownership) {
    this.runner = runner;
    this.registry = registry;
    this.liveness = liveness;
    this.changes = changes;
    this.ownership = ownership;
  }

  /** Looks at all DataNodes. Waits until what it found is durable. */
  public void look() throws IOException {
    for (Datanode node : registry.view().datanodes()) {
      boolean isDead = liveness.isDead(node);
      for (Storage storage : node.storages()) {
        if ((isDead || storage.isFailed()) && !storage.isLost()) {
          LOG.warn(
              "Storage lost datanode={} storage={} nodeIsDead={}",
              node.id(),
              storage.uuid(),
              isDead);
          change(storage, true, storage.isVerified(), false);
        }
      }
    }
  }

  /** A full report of the storage was taken in. Waits until the consequence is durable. */
  public void confirmed(Storage storage) throws IOException {
    boolean isBack = storage.isLost() && !storage.isFailed();
    if (isBack) {
      LOG.info("Storage is back datanode={} storage={}", storage.datanode().id(), storage.uuid());
    }
    if (isBack || !storage.isVerified()) {
      change(storage, storage.isLost() && !isBack, true, true);
    }
  }

  /** Changes what a DataNode is to do. Waits until that is durable. */
  public void adminState(Datanode datanode, AdminStates state) throws IOException {
    AdminStates old = datanode.adminState();
    datanode.beginChange();
    datanode.adminState(state);
    try {
      InFlight.join(
          runner.submit(
              tx -> {
                DatanodeRows.setAdminState(tx, datanode.uuid(), state);
                changes.note(tx);
                datanode.storages().forEach(storage -> StorageCheckRows.begin(tx, storage.index()));
                return null;
              }));
    } catch (IOException e) {
      datanode.adminState(old);
      throw e;
    } finally {
      datanode.endChange();
    }
    LOG.info("DataNode changes state datanode={} from={} to={}", datanode.id(), old, state);
  }

  /**
   * @param isReported follows from a full report, so only the DataNode's owner may say it
   */
  private void change(Storage storage, boolean lost, boolean verified, boolean isReported)
      throws IOException {
    Datanode datanode = storage.datanode();
    datanode.beginChange();
    boolean wasLost = storage.isLost();
    boolean wasVerified = storage.isVerified();
    storage.lost(lost);
    storage.verified(verified);
    try {
      Operation<Void, StoreException> write =
          tx -> {
            DatanodeRows.setStanding(tx, storage, lost, verified);
            changes.note(tx);
            return null;
          };
      InFlight.join(isReported ? ownership.submit(datanode, write) : runner.submit(write));
    } catch (IOException e) {
      storage.lost(wasLost);
      storage.verified(wasVerified);
      throw e;
    } finally {
      datanode.endChange();
    }
  }
}
