package io.acaciafs.namespace.summary;

import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.ReadSet;
import io.acaciafs.kv.ReadTracking;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.RowView;
import io.acaciafs.kv.Scan;
import io.acaciafs.namespace.context.OperationContext;
import io.acaciafs.namespace.directory.BucketScan;
import io.acaciafs.namespace.directory.Directories;
import io.acaciafs.namespace.directory.Entries;
import io.acaciafs.namespace.directory.EntriesAtOneMoment;
import io.acaciafs.namespace.directory.NamedInode;
import io.acaciafs.namespace.permission.PermissionChecker;
import io.acaciafs.namespace.record.Buckets;
import io.acaciafs.namespace.record.DirectoryInode;
import io.acaciafs.namespace.record.Locator;
import io.acaciafs.namespace.record.NamespaceKeys;
import io.acaciafs.namespace.record.codec.EntryReader;
import io.acaciafs.namespace.summary.PendingDirectories.Place;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.security.AccessControlException;
import org.jspecify.annotations.Nullable;

/** What one thread does at a stretch of a {@code SubtreeWalk}. Used by one thread, once. */
final class SubtreeSlice {
  /** It ends behind so many rows, some milliseconds; to begin a directory counts as a few. */
  private static final int SLICE_ROWS = 8_192;

  private static final int ROWS_OF_A_BEGINNING = 16;

  /** Neighbours that are read by one scan. */
  private static final int DIRECTORIES_OF_A_SCAN = 64;

  /** Directories found; so memory is bounded where a directory has millions of them. */
  private static final int SLICE_DIRECTORIES = 1_024;

  /** Of a store that is far away. */
  private static final int ROWS_OF_A_REQUEST = 1_024;

  private static final byte[] NO_NAME = {};

  private final OperationContext context;
  private final SummaryCache counted;
  private final Directories directories;
  private final IntFunction<List<Place>> places;
  private final PermissionChecker permissions;
  private final boolean checks;
  private final EntryReader entry;
  private final List<Locator> found = new ArrayList<>();
  private final List<Place> foundWithBuckets = new ArrayList<>();
  private final List<Place> taken = new ArrayList<>();
  private final List<List<Place>> left = new ArrayList<>();
  private SubtreeTotals totals = SubtreeTotals.NONE;
  private boolean hasGuards;
  private int rows;

  /**
   * @param context of this thread
   * @param places what to count next, at most so many together
   */
  SubtreeSlice(OperationContext context, SummaryCache counted, IntFunction<List<Place>> places) {
    this.context = context;
    this.counted = counted;
    this.directories = new Directories(context);
    this.places = places;
    this.entry = new EntryReader(context.codec());
    this.permissions = new PermissionChecker(context);
    this.checks = !permissions.passes();
  }

  /**
   * @throws AccessControlException where a directory that it finds may not be read
   */
  void run() throws AccessControlException {
    while (!isFull()) {
      boolean mayChange = directories.mayChange(Buckets.ONE);
      List<Place> next = places.apply(mayChange ? 1 : DIRECTORIES_OF_A_SCAN);
      if (next.isEmpty()) {
        return;
      }
      taken.addAll(next);
      if (directories.mayChange(next.get(0).buckets())) {
        countWithBuckets(next.get(0));
      } else {
        countTogether(next);
      }
    }
  }

  OperationContext context() {
    return context;
  }

  /** Whether what it counted is right only if the transaction's guards hold. */
  boolean hasGuards() {
    return hasGuards;
  }

  /** Where it began. */
  List<Place> taken() {
    return taken;
  }

  SubtreeTotals totals() {
    return totals;
  }

  /** Directories to be counted, of one bucket each. */
  List<Locator> found() {
    return found;
  }

  List<Place> foundWithBuckets() {
    return foundWithBuckets;
  }

  /** What it did not come to; together what it was given together. */
  List<List<Place>> left() {
    return left;
  }

  private boolean hasRoomForDirectories() {
    return found.size() + foundWithBuckets.size() < 2 * SLICE_DIRECTORIES;
  }

  private boolean isFull() {
    return rows >= SLICE_ROWS || found.size() + foundWithBuckets.size() >= SLICE_DIRECTORIES;
  }

  private void countWithBuckets(Place place) throws AccessControlException {
    hasGuards = true;
    Buckets buckets = directories.bucketsOf(place.directory(), place.buckets());
    rows += ROWS_OF_A_BEGINNING;
    countAtOneMoment(place, buckets);
  }

  private void countAtOneMoment(Place place, Buckets buckets) throws AccessControlException {
    Reader moment = context.transaction().readView();
    if (moment != null) {
      take(new Stretch(place.directory(), buckets, place.after()).read(moment, 0));
      return;
    }
    Stretch stretch = new Stretch(place.directory(), buckets, place.after());
    stretch.read(context.transaction().unguarded(), ROWS_OF_A_REQUEST);
    if (!stretch.isOfOneMoment) {
      stretch = new Stretch(place.directory(), buckets, place.after());
      stretch.readBeside();
    }
    take(stretch);
  }

  private void take(Stretch stretch) throws AccessControlException {
    rows += stretch.rows;
    totals = totals.plus(stretch.sum.totals());
    for (DirectoryInode directory : stretch.directories) {
      find(directory);
    }
    if (stretch.last != null) {
      left.add(List.of(new Place(stretch.directory, stretch.buckets, stretch.last)));
    }
  }

  /** Some entries of one directory, which are not counted until it is known that they are right. */
  private final class Stretch {
    private final Locator directory;
    private final Buckets buckets;
    private final byte[] after;
    private final SubtreeTotals.Sum sum = new SubtreeTotals.Sum();
    private final List<DirectoryInode> directories = new ArrayList<>();
    private int rows;
    private boolean isOfOneMoment;

    /** Where it ends before the directory does; else null. */
    private byte @Nullable [] last;

    private Stretch(Locator directory, Buckets buckets, byte[] after) {
      this.directory = directory;
      this.buckets = buckets;
      this.after = after;
    }

    private Stretch read(Reader reader, int rowsWanted) {
      isOfOneMoment =
          BucketScan.forEachRow(reader, directory, buckets, after, rowsWanted, this::count);
      return this;
    }

    /** Each inode once, also if others rename it all the time. */
    private void readBeside() {
      Entries entries =
          new EntriesAtOneMoment(context, directory, buckets, after, ROWS_OF_A_REQUEST, Room::new)
              .readBeside();
      for (NamedInode named : entries.list()) {
        sum.add(named.inode());
        rows++;
        if (named.inode() instanceof DirectoryInode below) {
          directories.add(below);
        }
      }
      if (entries.hasMore()) {
        last = rows == 0 ? after : entries.list().get(rows - 1).name();
      }
    }

    private boolean count(RowView row) {
      entry.read(row);
      sum.add(entry);
      rows++;
      if (entry.isDirectory()) {
        directories.add((DirectoryInode) entry.inode());
      }
      if (rows >= SLICE_ROWS || directories.size() >= SLICE_DIRECTORIES) {
        last = NamespaceKeys.nameOf(row);
      }
      return last == null;
    }
  }

  /** For so many entries as a stretch has at most. */
  private static final class Room implements Predicate<NamedInode> {
    private int rows;
    private int directories;

    @Override
    public boolean test(NamedInode entry) {
      boolean hasRoom = rows < SLICE_ROWS && directories < SLICE_DIRECTORIES;
      rows++;
      directories += entry.inode().isDirectory() ? 1 : 0;
      return hasRoom;
    }
  }

  /** Neighbours of one bucket each: where the entries of one end those of the next begin. */
  private void countTogether(List<Place> neighbours) throws AccessControlException {
    rows += ROWS_OF_A_BEGINNING * neighbours.size(); // those without entries as well
    List<Place> unknown = new ArrayList<>(neighbours.size());
    for (Place place : neighbours) {
      SummaryCache.Counted known = counted.find(place.directory(), place.after());
      if (known == null) {
        unknown.add(place);
      } else {
        totals = totals.plus(known.totals());
        if (known.last().length > 0) {
          left.add(List.of(new Place(place.directory(), Buckets.ONE, known.last())));
        }
      }
    }
    if (!unknown.isEmpty() && !new Stretches(unknown).count()) {
      for (Place place : unknown) {
        countAtOneMoment(place, place.buckets());
      }
    }
  }

  private void count(RowView row, SubtreeTotals.Sum sum) throws AccessControlException {
    entry.read(row);
    sum.add(entry);
    rows++;
    if (entry.isDirectory()) {
      find();
    }
  }

  private void find() throws AccessControlException {
    if (checks) {
      permissions.checkDirectory((DirectoryInode) entry.inode(), FsAction.READ_EXECUTE);
    }
    found(entry.locator(), entry.buckets());
  }

  private void find(DirectoryInode directory) throws AccessControlException {
    if (checks) {
      permissions.checkDirectory(directory, FsAction.READ_EXECUTE);
    }
    found(directory.locator(), directory.buckets());
  }

  private void found(Locator directory, Buckets buckets) {
    if (buckets.isOne()) {
      found.add(directory);
    } else {
      foundWithBuckets.add(new Place(directory, buckets, NO_NAME));
    }
  }

  /** Of some neighbours, what is behind the names where they begin. */
  private final class Stretches {
    private final List<Place> begins;
    private final List<KeyRange> ranges = new ArrayList<>();

    /** From before the scan; each null where the engine has none. */
    private final List<ReadSet> readSets = new ArrayList<>();

    private int current;

    /** Entries of the current directory. */
    private int ofCurrent;

    private SubtreeTotals.Sum sum = new SubtreeTotals.Sum();

    private Stretches(List<Place> begins) {
      this.begins = begins;
      for (Place begin : begins) {
        KeyRange range = NamespaceKeys.entriesBehind(begin.directory(), 0, begin.after());
        ranges.add(range);
        ReadTracking tracking = context.transaction().readTracking();
        readSets.add(tracking == null ? null : tracking.watch(range));
      }
    }

    /**
     * @return false, and nothing is done, where they would not be seen at one moment
     */
    private boolean count() throws AccessControlException {
      try (Scan scan = context.transaction().unguarded().scan(ranges)) {
        if (!scan.isOfOneMoment()) {
          return false;
        }
        scan.forEachRow(this::count);
      }
      if (current < begins.size()) {
        end(NO_NAME);
      }
      return true;
    }

    private boolean count(RowView row) throws AccessControlException {
      while (!NamespaceKeys.isIn(begins.get(current).directory(), row)) {
        end(NO_NAME);
        ofCurrent = 0;
        if (isFull()) {
          left.add(begins.subList(current, begins.size()));
          current = begins.size();
          return false;
        }
      }
      SubtreeSlice.this.count(row, sum);
      ofCurrent++;
      // A directory that is not very large is counted at one moment.
      if (!isFull() || ofCurrent < SLICE_ROWS && hasRoomForDirectories()) {
        return true;
      }
      byte[] name = NamespaceKeys.nameOf(row);
      Locator directory = begins.get(current).directory();
      end(name);
      if (current < begins.size()) {
        left.add(begins.subList(current, begins.size()));
      }
      left.add(List.of(new Place(directory, Buckets.ONE, name)));
      current = begins.size();
      return false;
    }

    private void end(byte[] last) {
      Place begin = begins.get(current);
      SummaryCache.Counted stretch =
          new SummaryCache.Counted(sum.totals(), last, readSets.get(current));
      counted.note(begin.directory(), begin.after(), stretch);
      totals = totals.plus(stretch.totals());
      sum = new SubtreeTotals.Sum();
      current++;
    }
  }
}
