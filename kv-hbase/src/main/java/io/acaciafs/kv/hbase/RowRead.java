package io.acaciafs.kv.hbase;

import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.HRegionLocation;

/**
 * A row that is to be read.
 *
 * @param region where it was last known to be; null: HBase's client is to find it
 * @param state completes with the row, or fails as a request to HBase does
 */
record RowRead(HRegionLocation region, byte[] row, CompletableFuture<RowState> state) {
  RowRead(HRegionLocation region, byte[] row) {
    this(region, row, new CompletableFuture<>());
  }
}
