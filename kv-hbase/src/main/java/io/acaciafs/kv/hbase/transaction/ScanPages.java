package io.acaciafs.kv.hbase.transaction;

import io.acaciafs.kv.hbase.lock.LockResolver;
import io.acaciafs.kv.hbase.read.PageRead;
import io.acaciafs.kv.hbase.read.TableClient;
import io.acaciafs.kv.hbase.read.UnprovenRead;
import io.acaciafs.kv.hbase.schema.RowState;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.client.Scan;
import org.jspecify.annotations.Nullable;

/**
 * What a scan reads its pages by.
 *
 * @param checkOpen throws if the store is closed
 */
record ScanPages(TableClient table, LockResolver locks, Runnable checkOpen) {
  CompletableFuture<PageRead.Page> page(Scan page, @Nullable Consumer<UnprovenRead> unproven) {
    return table.pageLater(page, unproven);
  }

  PageRead.Page await(CompletableFuture<PageRead.Page> page) {
    return table.client().await(page, "scan");
  }

  /** Requests that ran beside another one of the same scan. */
  void noteAlongside(int requests) {
    table.client().noteAlongside(requests);
  }

  /**
   * A row that another transaction has locked, once that transaction is decided: a scan must find
   * what was committed before also if the row was not rolled forward yet, as no guard protects what
   * a scan does not find.
   */
  RowState readSettled(byte[] row) {
    return locks.settle(row, table.read(row));
  }
}
