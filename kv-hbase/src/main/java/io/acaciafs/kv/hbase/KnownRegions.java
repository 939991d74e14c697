package io.acaciafs.kv.hbase;

import java.util.Map;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Where regions were when somebody asked. Whoever believes it and is wrong is told so by the region
 * server, and forgets it here. HBase's client knows the same, but takes longer to say it than the
 * rest of a read takes. Safe for use by many threads.
 */
final class KnownRegions {
  private final ConcurrentNavigableMap<byte[], HRegionLocation> byStartKey =
      new ConcurrentSkipListMap<>(Bytes.BYTES_COMPARATOR);

  /** Null where nobody knows. */
  HRegionLocation of(byte[] row) {
    Map.Entry<byte[], HRegionLocation> known = byStartKey.floorEntry(row);
    return known == null || !known.getValue().getRegion().containsRow(row)
        ? null
        : known.getValue();
  }

  void add(HRegionLocation region) {
    byStartKey.put(region.getRegion().getStartKey(), region);
  }

  void forget(HRegionLocation region) {
    byStartKey.remove(region.getRegion().getStartKey(), region);
  }
}
