package io.acaciafs.blocks.load;

import io.acaciafs.blocks.record.BlockKeys;
import io.acaciafs.blocks.record.RollingUpgrade;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Row;
import io.acaciafs.kv.Scan;
import io.acaciafs.kv.Store;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.run.InFlight;
import io.acaciafs.kv.run.TransactionRunner;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * What a store must forget that came from a backup, before anybody serves it: DataNodes have gone
 * on since. Replicas count as before, so that files can be read, but nothing is deleted on account
 * of them before their DataNode has named them anew, and it is asked to. Stateless.
 */
public final class RestoredBlocks {
  private static final int ROWS_A_TRANSACTION = 1000;

  private RestoredBlocks() {}

  /**
   * Does it, in as many transactions as it takes; to be done anew when it was cut off.
   *
   * @throws IOException when it could not be stored
   */
  public static void distrust(TransactionRunner runner) throws IOException {
    Store store = runner.store();
    List<Row> storages = MovedBlocks.rows(store, BlockKeys.storages());
    InFlight inFlight = new InFlight(runner);
    inFlight.submit(
        tx -> {
          MovedBlocks.distrust(tx, storages);
          MovedBlocks.forgetOwners(store, tx);
          RollingUpgrade.forget(tx); // the way back from it, or else of another time
          return null;
        });
    inFlight.await();
    // What was to be deleted then may be the only good replica now; what has to go is found anew.
    removeAll(store, BlockKeys.INVALIDATIONS, inFlight);
    MovedBlocks.forgetPeers(store, inFlight);
  }

  private static void removeAll(Store store, Table table, InFlight inFlight) throws IOException {
    List<Key> keys = new ArrayList<>();
    try (Scan scan = store.scan(KeyRange.ofTable(table))) {
      while (scan.hasNext()) {
        keys.add(scan.next().key());
        if (keys.size() == ROWS_A_TRANSACTION || !scan.hasNext()) {
          List<Key> some = List.copyOf(keys);
          keys.clear();
          inFlight.submit(
              tx -> {
                some.forEach(tx::delete);
                return null;
              });
        }
      }
    }
  }
}
