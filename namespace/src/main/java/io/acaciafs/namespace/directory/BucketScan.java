package io.acaciafs.namespace.directory;

import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.Row;
import io.acaciafs.kv.RowView;
import io.acaciafs.kv.RowVisitor;
import io.acaciafs.kv.Scan;
import io.acaciafs.namespace.record.Buckets;
import io.acaciafs.namespace.record.Locator;
import io.acaciafs.namespace.record.NamespaceKeys;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The entries of a directory in the order of their names, out of all its buckets. Guards nothing;
 * an operation that followed a path to the directory guards what its inode says of the buckets.
 * Each entry that is there all the time is shown exactly once, also while it moves from bucket to
 * bucket. Used by one thread.
 */
public final class BucketScan {
  /** Of all buckets together; so memory is bounded however many there are. */
  private static final int ROWS_HELD = 2048;

  private static final int MOST_ROWS_OF_A_BUCKET = 512;
  private static final int FEWEST_ROWS_OF_A_BUCKET = 8;

  private final Reader reader;
  private final Locator directory;
  private final int rowsOfABucket;
  private final PriorityQueue<Source> sources =
      new PriorityQueue<>((a, b) -> NamespaceKeys.compareNames(a.first(), b.first()));

  private BucketScan(
      Reader reader,
      Locator directory,
      Buckets buckets,
      IntPredicate which,
      byte[] startAfter,
      boolean asksAll) {
    this.reader = reader;
    this.directory = directory;
    int share = ROWS_HELD / buckets.count();
    this.rowsOfABucket = Math.max(FEWEST_ROWS_OF_A_BUCKET, Math.min(MOST_ROWS_OF_A_BUCKET, share));
    int filling = buckets.filling();
    List<Source> all = new ArrayList<>(buckets.count());
    for (int bucket : buckets.numbers()) {
      if (filling == 0 || bucket != filling) {
        boolean isEmptying = filling != 0 && bucket == buckets.emptying();
        if (which.test(bucket) || isEmptying && which.test(filling)) {
          all.add(new Source(bucket, isEmptying ? filling : bucket, startAfter));
        }
      }
    }
    if (asksAll) {
      all.forEach(Source::ask);
    }
    all.forEach(this::add);
  }

  /**
   * Shows the rows of a directory's entries behind a name, while the visitor wants more.
   *
   * @param startAfter empty for all
   */
  public static <E extends Exception> void forEachRow(
      Reader reader, Locator directory, Buckets buckets, byte[] startAfter, RowVisitor<E> visitor)
      throws E {
    forEachRow(reader, directory, buckets, startAfter, 0, visitor);
  }

  /**
   * The same for a caller that probably needs only some rows. A store on other servers then reads
   * all buckets at once.
   *
   * @param rows how many; 0 if unknown, or if the store is local
   * @return whether all rows are certainly of one moment
   */
  public static <E extends Exception> boolean forEachRow(
      Reader reader,
      Locator directory,
      Buckets buckets,
      byte[] startAfter,
      int rows,
      RowVisitor<E> visitor)
      throws E {
    if (buckets.isOne()) {
      KeyRange range = NamespaceKeys.entriesBehind(directory, 0, startAfter);
      try (Scan scan = rows == 0 ? reader.scan(range) : reader.scan(range, rows)) {
        scan.forEachRow(visitor);
        return scan.isOfOneMoment();
      }
    }
    forEachRow(reader, directory, buckets, bucket -> true, startAfter, rows != 0, visitor);
    return false;
  }

  /**
   * The same for some buckets.
   *
   * @param which by the number of a bucket
   * @param asksAll whether to ask all buckets before one is waited for
   */
  static <E extends Exception> void forEachRow(
      Reader reader,
      Locator directory,
      Buckets buckets,
      IntPredicate which,
      byte[] startAfter,
      boolean asksAll,
      RowVisitor<E> visitor)
      throws E {
    BucketScan scan = new BucketScan(reader, directory, buckets, which, startAfter, asksAll);
    RowView view = new RowView();
    for (Row row = scan.next(); row != null; row = scan.next()) {
      view.showKey(row.key().bytes(), 0, row.key().bytes().length);
      view.showValue(row.value(), 0, row.value().length);
      if (!visitor.visit(view)) {
        return;
      }
    }
  }

  /** Null at the end. */
  private @Nullable Row next() {
    Source source = sources.poll();
    if (source == null) {
      return null;
    }
    Row row = source.rows.remove();
    add(source);
    return row;
  }

  private void add(Source source) {
    while (source.rows.isEmpty() && source.hasMore) {
      source.fetch();
    }
    if (!source.rows.isEmpty()) {
      sources.add(source);
    }
  }

  private Scan scan(int bucket, byte[] startAfter) {
    KeyRange range = NamespaceKeys.entriesBehind(directory, bucket, startAfter);
    return reader.scan(range, rowsOfABucket);
  }

  private List<Row> fetch(int bucket, byte[] startAfter) {
    return fetch(scan(bucket, startAfter));
  }

  private List<Row> fetch(Scan scan) {
    List<Row> rows = new ArrayList<>();
    try (scan) {
      while (rows.size() < rowsOfABucket && scan.hasNext()) {
        rows.add(scan.next());
      }
    }
    return rows;
  }

  /** A bucket, or one together with the one that its entries move into. */
  private final class Source {
    private final int bucket;
    private final int filling;
    private final Deque<Row> rows = new ArrayDeque<>();
    private byte[] reached;
    private boolean hasMore = true;

    /** Null if no request for the first rows is under way. */
    private @Nullable Scan asked;

    /**
     * @param filling the bucket itself where nothing moves
     */
    private Source(int bucket, int filling, byte[] startAfter) {
      this.bucket = bucket;
      this.filling = filling;
      this.reached = startAfter;
    }

    private Row first() {
      return rows.element();
    }

    /** All buckets are asked before one is waited for. */
    private void ask() {
      asked = scan(bucket, reached);
      asked.readAhead();
    }

    private List<Row> fetchLower() {
      if (asked == null) {
        return BucketScan.this.fetch(bucket, reached);
      }
      List<Row> first = BucketScan.this.fetch(asked);
      asked = null;
      return first;
    }

    /** In this order, so that what moves between the two is seen at least once. */
    private void fetch() {
      List<Row> lower = fetchLower();
      Row end = endOf(lower);
      if (filling == bucket) {
        rows.addAll(lower);
      } else {
        List<Row> upper = BucketScan.this.fetch(filling, reached);
        Row endOfUpper = endOf(upper);
        if (end == null || endOfUpper != null && NamespaceKeys.compareNames(endOfUpper, end) < 0) {
          end = endOfUpper;
        }
        merge(lower, upper, end);
      }
      hasMore = end != null;
      if (end != null) {
        reached = NamespaceKeys.nameOf(end.key());
      }
    }

    /** Null where there is nothing behind it. */
    private @Nullable Row endOf(List<Row> fetched) {
      return fetched.size() < rowsOfABucket ? null : fetched.get(fetched.size() - 1);
    }

    /** What was seen in both moved in between; the later sight counts. */
    private void merge(List<Row> lower, List<Row> upper, @Nullable Row end) {
      int i = 0;
      int j = 0;
      while (i < lower.size() || j < upper.size()) {
        int order =
            i == lower.size()
                ? 1
                : j == upper.size() ? -1 : NamespaceKeys.compareNames(lower.get(i), upper.get(j));
        Row row = order < 0 ? lower.get(i) : upper.get(j);
        if (end != null && NamespaceKeys.compareNames(row, end) > 0) {
          return;
        }
        rows.add(row);
        i += order <= 0 ? 1 : 0;
        j += order >= 0 ? 1 : 0;
      }
    }
  }
}
