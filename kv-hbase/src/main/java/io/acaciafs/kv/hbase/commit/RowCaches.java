package io.acaciafs.kv.hbase.commit;

/**
 * What a process remembers of rows, to send fewer requests. All of it is checked at the commit, so
 * it may be wrong.
 *
 * @param versions numbers that change when this process changes a row, or finds it changed
 * @param present rows that a failed commit took for absent; perhaps it failed by another row
 * @param counters rows of counters that this process has added to
 * @param recent rows as this process saw or wrote them last
 * @param sums the columns of sums, used in turn
 */
public record RowCaches(
    RowVersions versions,
    RecentKeys present,
    RecentKeys counters,
    RecentRows recent,
    SumColumns sums) {
  private static final int MOST_PRESENT = 4_096;
  private static final int MOST_COUNTERS = 16_384;

  public static RowCaches empty() {
    return new RowCaches(
        new RowVersions(),
        new RecentKeys(MOST_PRESENT),
        new RecentKeys(MOST_COUNTERS),
        RecentRows.forThisHeap(),
        new SumColumns());
  }
}
