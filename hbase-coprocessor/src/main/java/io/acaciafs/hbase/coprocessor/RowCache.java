package io.acaciafs.hbase.coprocessor;

import io.acaciafs.hbase.protocol.Family;
import io.acaciafs.hbase.protocol.StoredCell;
import io.acaciafs.hbase.protocol.StoredRow;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;

/**
 * Rows that were lately read or written, of all regions of a region server, by least recent use. A
 * change of a row takes it out of the cache before HBase begins to write it, and a read that began
 * before does not put it back. Safe for use by many threads.
 */
final class RowCache {
  /** Part of the heap that rows may take. */
  static final String FRACTION_KEY = "hbase.coprocessor.acacia.row.cache.fraction";

  static final float DEFAULT_FRACTION = 0.1f;

  private static final int STRIPES = 256;
  private static final int BYTES_A_ROW = 160;
  private static final int BYTES_A_CELL = 88;

  private static @Nullable RowCache ofServer;

  private final Stripe[] stripes = new Stripe[STRIPES];

  RowCache(long mostBytes) {
    for (int i = 0; i < STRIPES; i++) {
      stripes[i] = new Stripe(mostBytes / STRIPES);
    }
  }

  /** The one of this process. */
  static synchronized RowCache of(Configuration configuration) {
    if (ofServer == null) {
      float fraction = configuration.getFloat(FRACTION_KEY, DEFAULT_FRACTION);
      ofServer = new RowCache((long) (Runtime.getRuntime().maxMemory() * (double) fraction));
    }
    return ofServer;
  }

  /** The stripe that a row is in, with both of its families. */
  Stripe stripeOf(byte[] row) {
    return stripes[hashOf(row) >>> (Integer.SIZE - 8)];
  }

  /** Rows differ by a few bits of their last bytes, which Arrays.hashCode keeps together. */
  private static int hashOf(byte[] row) {
    int hash = 0x811C9DC5;
    for (byte next : row) {
      hash = (hash ^ next) * 0x01000193;
    }
    hash ^= hash >>> 15;
    hash *= 0x9E3779B9;
    return hash ^ hash >>> 13;
  }

  void forgetAll(Object region) {
    for (Stripe stripe : stripes) {
      stripe.forgetAll(region);
    }
  }

  /** One family of a row of a region. */
  private static final class RowKey {
    private final Object region;
    private final byte[] row;
    private final Family family;
    private final int hash;

    RowKey(Object region, byte[] row, Family family) {
      this.region = region;
      this.row = row;
      this.family = family;
      this.hash = hashOf(row) + family.ordinal();
    }

    @Override
    public boolean equals(Object other) {
      if (!(other instanceof RowKey)) {
        return false;
      }
      RowKey key = (RowKey) other;
      return region == key.region && family == key.family && Arrays.equals(row, key.row);
    }

    @Override
    public int hashCode() {
      return hash;
    }
  }

  /** Rows whose hashes are alike; guarded by itself. */
  static final class Stripe {
    private final LinkedHashMap<RowKey, StoredRow> rows = new LinkedHashMap<>(16, 0.75f, true);
    private final long mostBytes;
    private long bytes;

    /** Changes that began so far. */
    private long changes;

    private int underWay;

    Stripe(long mostBytes) {
      this.mostBytes = mostBytes;
    }

    synchronized @Nullable StoredRow get(Object region, byte[] row, Family family) {
      return rows.get(new RowKey(region, row, family));
    }

    /**
     * To be taken before a row is read, and given to {@link #offer}; a negative one is never taken.
     */
    synchronized long ticket() {
      return underWay == 0 ? changes : -1;
    }

    /** Keeps a row that was read after the ticket was taken, if none has changed since. */
    synchronized void offer(
        Object region, byte[] row, Family family, StoredRow content, long ticket) {
      if (ticket == changes) {
        put(region, row, family, content);
      }
    }

    /** Keeps a row whose lock the caller holds, and that is as it says. */
    synchronized void put(Object region, byte[] row, Family family, StoredRow content) {
      StoredRow before = rows.put(new RowKey(region, row, family), content);
      bytes += sizeOf(row, content) - (before == null ? 0 : sizeOf(row, before));
      Iterator<Map.Entry<RowKey, StoredRow>> oldest = rows.entrySet().iterator();
      while (bytes > mostBytes && oldest.hasNext()) {
        Map.Entry<RowKey, StoredRow> entry = oldest.next();
        bytes -= sizeOf(entry.getKey().row, entry.getValue());
        oldest.remove();
      }
    }

    synchronized void beginChange(Object region, byte[] row) {
      changes++;
      underWay++;
      for (Family family : Family.values()) {
        StoredRow before = rows.remove(new RowKey(region, row, family));
        bytes -= before == null ? 0 : sizeOf(row, before);
      }
    }

    synchronized void endChange() {
      underWay--;
    }

    private synchronized void forgetAll(Object region) {
      changes++;
      rows.entrySet()
          .removeIf(
              entry -> {
                boolean isOfRegion = entry.getKey().region == region;
                bytes -= isOfRegion ? sizeOf(entry.getKey().row, entry.getValue()) : 0;
                return isOfRegion;
              });
    }

    private static long sizeOf(byte[] row, StoredRow content) {
      long size = BYTES_A_ROW + row.length;
      for (StoredCell cell : content.cells()) {
        size += BYTES_A_CELL + cell.qualifier().length + cell.value().length;
      }
      return size;
    }
  }
}
