package io.acaciafs.hbase.coprocessor;

import io.acaciafs.hbase.protocol.Family;
import io.acaciafs.hbase.protocol.ReadReply;
import io.acaciafs.hbase.protocol.ReadRequest;
import io.acaciafs.hbase.protocol.StoredCell;
import io.acaciafs.hbase.protocol.StoredRow;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.regionserver.Region;

/**
 * The rows of one region, by way of the {@link RowCache}, and its {@link RegionPages}. A row is as
 * it was committed and durable at a moment during the call. Safe for use by many threads.
 */
final class RegionRows {
  private final Region region;
  private final RowCache cache;
  private final RegionPages pages;

  RegionRows(Region region, RowCache cache, RegionPages pages) {
    this.region = region;
    this.cache = cache;
    this.pages = pages;
  }

  ReadReply read(ReadRequest wanted) throws IOException {
    List<StoredRow> found = new ArrayList<>(wanted.rows().size());
    for (byte[] row : wanted.rows()) {
      found.add(read(row, Family.DATA));
    }
    return new ReadReply(found, pages.read(wanted.pages()));
  }

  StoredRow read(byte[] row, Family family) throws IOException {
    RowCache.Stripe stripe = cache.stripeOf(row);
    StoredRow known = stripe.get(this, row, family);
    if (known != null) {
      return known;
    }
    long ticket = stripe.ticket();
    StoredRow found = readFromStore(row, family);
    stripe.offer(this, row, family, found, ticket);
    return found;
  }

  private StoredRow readFromStore(byte[] row, Family family) throws IOException {
    return stored(region.get(new Get(row).addFamily(family.bytes()), false));
  }

  /** The cells of one family of a row. */
  static StoredRow stored(List<Cell> cells) {
    if (cells.isEmpty()) {
      return StoredRow.EMPTY;
    }
    List<StoredCell> stored = new ArrayList<>(cells.size());
    for (Cell cell : cells) {
      stored.add(
          new StoredCell(
              CellUtil.cloneQualifier(cell), cell.getTimestamp(), CellUtil.cloneValue(cell)));
    }
    return new StoredRow(stored);
  }

  /** Keeps what was written to a row whose lock the caller still holds. */
  void written(byte[] row, Family family, StoredRow content) {
    cache.stripeOf(row).put(this, row, family, content);
  }

  void beginChange(byte[] row) {
    cache.stripeOf(row).beginChange(this, row);
    pages.beginChange(row);
  }

  void endChange(byte[] row) {
    cache.stripeOf(row).endChange();
    pages.endChange(row);
  }

  void forgetAll() {
    cache.forgetAll(this);
    pages.forgetAll();
  }
}
