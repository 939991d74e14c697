package io.acaciafs.blocks.load;

import io.acaciafs.blocks.datanode.DatanodeRows;
import io.acaciafs.blocks.proto.StorageRow;
import io.acaciafs.blocks.record.BlockKeys;
import io.acaciafs.blocks.record.Owner;
import io.acaciafs.blocks.record.OwnershipEpoch;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Row;
import io.acaciafs.kv.Scan;
import io.acaciafs.kv.Store;
import io.acaciafs.kv.Transaction;
import io.acaciafs.kv.run.InFlight;
import io.acaciafs.kv.run.TransactionRunner;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * What a store must forget that other NameNodes are going to serve: those before commanded its
 * DataNodes. Stateless.
 */
public final class MovedBlocks {
  /** DataNodes have heard of higher numbers than are stored; so many changes nobody makes. */
  private static final long EPOCHS = 1L << 32;

  private MovedBlocks() {}

  /**
   * Does it; to be done anew when it was cut off.
   *
   * @throws IOException when it could not be stored
   */
  public static void forgetOwners(TransactionRunner runner) throws IOException {
    Store store = runner.store();
    InFlight inFlight = new InFlight(runner);
    inFlight.submit(
        tx -> {
          forgetOwners(store, tx);
          return null;
        });
    inFlight.await();
    forgetPeers(store, inFlight);
  }

  /**
   * DataNodes follow only a NameNode with a higher epoch than they have heard of. A listener may
   * have answered for reports that nobody stored, so its DataNodes are to report anew.
   */
  static void forgetOwners(Store store, Transaction tx) {
    long epoch = OwnershipEpoch.read(store);
    for (Row row : rows(store, BlockKeys.owners())) {
      Owner owner = Owner.decodeRow(row.value());
      epoch = Math.max(epoch, owner.epoch());
      if (!owner.listeners().isEmpty()) {
        String datanode = BlockKeys.datanodeUuidIn(row.key());
        distrust(tx, rows(store, BlockKeys.storagesOf(datanode)));
      }
      tx.delete(row.key());
    }
    OwnershipEpoch.write(tx, epoch + EPOCHS);
  }

  /** Asks the DataNodes of these storages for full reports. The replicas count as before. */
  static void distrust(Transaction tx, List<Row> storages) {
    for (Row row : storages) {
      StorageRow storage = DatanodeRows.storage(row.value());
      tx.put(
          row.key(),
          storage.toBuilder().setUnverified(true).setRestored(true).build().toByteArray());
    }
  }

  /** What NameNodes let each other know. */
  static void forgetPeers(Store store, InFlight inFlight) throws IOException {
    for (Row state : rows(store, BlockKeys.peerStates())) {
      inFlight.submit(
          tx -> {
            tx.delete(state.key());
            return null;
          });
    }
    inFlight.await();
  }

  static List<Row> rows(Store store, KeyRange range) {
    List<Row> rows = new ArrayList<>();
    try (Scan scan = store.scan(range)) {
      scan.forEachRemaining(rows::add);
    }
    return rows;
  }
}
