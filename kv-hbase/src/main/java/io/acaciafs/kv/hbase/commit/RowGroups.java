package io.acaciafs.kv.hbase.commit;

import io.acaciafs.kv.hbase.read.TableClient;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;

/** Which rows lie together. */
final class RowGroups {
  private RowGroups() {}

  /** Rows of one region. */
  record Group(HRegionLocation region, List<RowPlan> rows) {}

  /** Groups in the order of their regions, which is the same in every process. */
  static List<Group> group(TableClient table, Collection<RowPlan> rows) {
    Map<byte[], Group> groups = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    rows.forEach(row -> add(groups, table.locateNow(row.row()), row));
    return List.copyOf(groups.values());
  }

  private static void add(Map<byte[], Group> groups, HRegionLocation region, RowPlan row) {
    groups
        .computeIfAbsent(
            region.getRegion().getStartKey(), start -> new Group(region, new ArrayList<>()))
        .rows()
        .add(row);
  }

  /** The same as far as is known without a request; null if it is not. */
  static @Nullable List<Group> known(TableClient table, Collection<RowPlan> rows) {
    Map<byte[], Group> groups = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    for (RowPlan row : rows) {
      CompletableFuture<HRegionLocation> region = table.locate(row.row());
      if (!region.isDone() || region.isCompletedExceptionally()) {
        return null;
      }
      add(groups, region.join(), row);
    }
    return List.copyOf(groups.values());
  }

  /** The region that holds all rows, as far as is known without a request; null if none does. */
  static @Nullable HRegionLocation common(TableClient table, Collection<RowPlan> rows) {
    HRegionLocation common = null;
    for (RowPlan row : rows) {
      CompletableFuture<HRegionLocation> region = table.locate(row.row());
      if (!region.isDone() || region.isCompletedExceptionally()) {
        return null;
      }
      HRegionLocation known = region.join();
      if (common != null && !common.getRegion().equals(known.getRegion())) {
        return null;
      }
      common = known;
    }
    return common;
  }
}
