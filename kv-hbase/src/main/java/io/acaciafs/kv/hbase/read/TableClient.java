package io.acaciafs.kv.hbase.read;

import io.acaciafs.kv.hbase.client.ClusterClient;
import io.acaciafs.kv.hbase.client.HBaseOptions;
import io.acaciafs.kv.hbase.client.Outcome;
import io.acaciafs.kv.hbase.client.RequestSender;
import io.acaciafs.kv.hbase.region.RegionLocator;
import io.acaciafs.kv.hbase.schema.Columns;
import io.acaciafs.kv.hbase.schema.RegionRequest;
import io.acaciafs.kv.hbase.schema.RowState;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.client.Scan;
import org.jspecify.annotations.Nullable;

/**
 * Reads rows of the store's HBase table and sends conditional requests to its regions: what
 * transactions are made of. Safe for use by many threads; methods that return no future block, and
 * futures complete on network threads: do not block there.
 *
 * @param client counts requests and awaits them
 * @param regions locates regions
 * @param sender sends conditional requests, with a fencing token if the process is bound
 */
public record TableClient(
    ClusterClient client,
    RegionLocator regions,
    RowReads rows,
    PageReads pages,
    RequestSender sender) {
  public HBaseOptions options() {
    return client.options();
  }

  public CompletableFuture<RowState> readLater(byte[] row) {
    return rows.readLater(row);
  }

  public RowState read(byte[] row) {
    return client.await(rows.readLater(row), "read a row");
  }

  public CompletableFuture<List<RowState>> readLater(List<byte[]> keys) {
    return rows.readLater(keys);
  }

  /** Reads rows, each at a moment of its own. */
  public List<RowState> read(List<byte[]> keys) {
    return keys.isEmpty() ? List.of() : client.await(rows.readLater(keys), "read rows");
  }

  /** The record of a transaction; null if there is none. */
  public byte @Nullable [] readRecord(byte[] row, long transaction) {
    return client.await(
        rows.readRecordLater(row, Columns.record(transaction)), "read a transaction's record");
  }

  /**
   * A page of rows, as far as the region of the first one reaches.
   *
   * @param unproven receives a read that the caller has to prove; null to have all reads proven
   */
  public CompletableFuture<PageRead.Page> pageLater(
      Scan scan, @Nullable Consumer<UnprovenRead> unproven) {
    return pages.readLater(scan, unproven);
  }

  public PageRead.Page page(Scan scan) {
    return client.await(pages.readLater(scan, null), "scan");
  }

  /** A page of rows that processes write without an announcement, such as fencing tokens. */
  public PageRead.Page provenPage(Scan scan) {
    return client.await(pages.readProvenLater(scan), "scan");
  }

  public CompletableFuture<HRegionLocation> locate(byte[] row) {
    return regions.locate(row);
  }

  public HRegionLocation locateNow(byte[] row) {
    return regions.locateNow(row);
  }

  public void relocate(byte[] row) {
    regions.relocate(row);
  }

  public CompletableFuture<HRegionLocation> relocateLater(byte[] row) {
    return regions.relocateLater(row);
  }

  /** Sends a conditional request once. */
  public CompletableFuture<Outcome> send(HRegionLocation region, RegionRequest request) {
    return sender.send(region, request);
  }

  public Outcome sendNow(HRegionLocation region, RegionRequest request) {
    return client.await(sender.send(region, request), "write rows");
  }
}
