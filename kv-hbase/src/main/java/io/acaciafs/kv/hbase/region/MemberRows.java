package io.acaciafs.kv.hbase.region;

import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.hbase.schema.RegionRequest;
import io.acaciafs.kv.hbase.schema.RowKeys;
import java.util.Arrays;

/**
 * Rows of the member table, in which processes find each other. A process writes them without
 * announcing their region's assignment, since it needs them to find the processes to tell.
 * Immutable.
 */
final class MemberRows {
  private final Table table;
  private final byte[] start;
  private final byte[] end;

  /**
   * @throws IllegalArgumentException if the table's rows are not adjacent
   */
  MemberRows(Table table) {
    this.table = table;
    var runs = RowKeys.runs(KeyRange.ofTable(table));
    if (runs.size() != 1) {
      throw new IllegalArgumentException("Not a table with adjacent rows: " + table);
    }
    start = runs.get(0).first();
    end = runs.get(0).end();
  }

  Table table() {
    return table;
  }

  boolean contains(byte[] row) {
    return Arrays.compareUnsigned(row, start) >= 0 && Arrays.compareUnsigned(row, end) < 0;
  }

  /** Whether a request is about nothing else. */
  boolean contains(RegionRequest request) {
    byte[] lowest = request.lowest();
    return lowest != null && contains(lowest) && contains(request.highest());
  }

  /**
   * Whether a range has one of them.
   *
   * @param to the row behind the last one; empty: there is none
   */
  boolean meets(byte[] from, byte[] to) {
    return Arrays.compareUnsigned(from, end) < 0
        && (to.length == 0 || Arrays.compareUnsigned(start, to) < 0);
  }
}
