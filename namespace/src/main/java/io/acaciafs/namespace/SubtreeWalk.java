package io.acaciafs.namespace;

import io.acaciafs.kv.ConflictException;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.RowView;
import io.acaciafs.kv.Scan;
import io.acaciafs.kv.StoreException;
import io.acaciafs.namespace.PendingDirectories.Place;
import io.acaciafs.namespace.record.Buckets;
import io.acaciafs.namespace.record.DirectoryInode;
import io.acaciafs.namespace.record.EntryReader;
import io.acaciafs.namespace.record.Locator;
import io.acaciafs.namespace.record.NamespaceKeys;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.security.AccessControlException;

/**
 * One count of what is below a directory, by many threads in short slices: between two slices
 * others have their turn. Holds no lock while it reads, and guards nothing.
 */
final class SubtreeWalk {
  /** A slice ends behind so many rows, some milliseconds; to begin a directory counts as a few. */
  private static final int SLICE_ROWS = 8_192;

  private static final int ROWS_OF_A_BEGINNING = 16;

  /** Neighbours that are read by one scan. */
  private static final int DIRECTORIES_OF_A_SCAN = 64;

  /** Directories found in a slice; so memory is bounded where a directory has millions of them. */
  private static final int SLICE_DIRECTORIES = 1_024;

  private static final int FEW_DIRECTORIES = 10_000;

  private static final byte[] NO_NAME = {};

  /** A bucket of a directory may be divided meanwhile, and then some others, but not so often. */
  private static final int MOST_CONFLICTS = 1_000;

  private final Supplier<Tree> trees;
  private final Executor executor;
  private final int parallelism;
  private final boolean isAlone;
  private final PendingDirectories pending;
  private final CompletableFuture<SubtreeTotals> result = new CompletableFuture<>();
  private SubtreeTotals totals = SubtreeTotals.NONE;

  private boolean failed;

  /** Slices that wait for a thread or run. */
  private int slices;

  private int conflicts;

  /**
   * @param trees makes one for each slice
   */
  SubtreeWalk(
      Supplier<Tree> trees, Executor executor, int parallelism, PendingDirectories pending) {
    this(trees, executor, parallelism, false, pending);
  }

  /**
   * @param isAlone whether all is done in one transaction, which somebody else ends
   */
  private SubtreeWalk(
      Supplier<Tree> trees,
      Executor executor,
      int parallelism,
      boolean isAlone,
      PendingDirectories pending) {
    this.trees = trees;
    this.executor = executor;
    this.parallelism = parallelism;
    this.isAlone = isAlone;
    this.pending = pending;
  }

  CompletableFuture<SubtreeTotals> start(DirectoryInode top) {
    synchronized (this) {
      pending.add(new Place(top.locator(), top.buckets(), NO_NAME));
      slices = 1;
    }
    submit(1);
    return result;
  }

  /**
   * The same on the thread that asks, which has nothing else to do.
   *
   * @param tree of this thread
   */
  static SubtreeTotals countAlone(Tree tree, DirectoryInode top) throws AccessControlException {
    tree.permissions().checkDirectory(top, FsAction.READ_EXECUTE);
    Deque<Runnable> tasks = new ArrayDeque<>();
    PendingDirectories pending = new PendingDirectories(new AtomicLong(), FEW_DIRECTORIES);
    CompletableFuture<SubtreeTotals> counted =
        new SubtreeWalk(() -> tree, tasks::add, 1, true, pending).start(top);
    while (!tasks.isEmpty()) {
      tasks.remove().run();
    }
    try {
      return counted.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof AccessControlException refusal) {
        throw refusal;
      }
      if (e.getCause() instanceof StoreException failure) {
        throw failure;
      }
      throw e;
    }
  }

  private void submit(int count) {
    try {
      for (int i = 0; i < count; i++) {
        executor.execute(this::runSlice);
      }
    } catch (Throwable e) {
      fail(e); // shutting down, or out of threads
    }
  }

  private void runSlice() {
    if (result.isDone()) {
      return;
    }
    try {
      Slice slice = new Slice(trees.get());
      slice.run();
      if (isAlone || !slice.hasGuards) {
        conclude(slice);
      } else {
        slice.tree.transaction().validate().whenComplete((held, failure) -> end(slice, failure));
      }
    } catch (Throwable e) { // whatever it is, the caller waits
      fail(e);
    }
  }

  private void end(Slice slice, Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    if (cause == null) {
      conclude(slice);
    } else if (cause instanceof ConflictException) {
      repeat(slice, cause);
    } else {
      fail(cause);
    }
  }

  /** A bucket was divided while its directory was looked at. */
  private void repeat(Slice slice, Throwable conflict) {
    boolean isTooOften;
    synchronized (this) {
      isTooOften = ++conflicts > MOST_CONFLICTS;
      if (!failed) {
        slice.taken.forEach(pending::add);
      }
    }
    if (isTooOften) {
      fail(conflict);
    } else {
      submit(1);
    }
  }

  /** A share of what there is, so that other threads have something to do as well. */
  private synchronized List<Place> take(int most) {
    return pending.take(Math.max(1, Math.min(most, pending.size() / parallelism)));
  }

  private void conclude(Slice slice) {
    int more = 0;
    boolean isAll;
    synchronized (this) {
      if (failed) {
        return;
      }
      totals = totals.plus(slice.sum.totals());
      pending.add(slice.found);
      slice.foundWithBuckets.forEach(pending::add);
      slice.left.forEach(pending::addTogether);
      slices--;
      for (int waiting = pending.size(); slices < parallelism && slices < waiting; slices++) {
        more++;
      }
      isAll = slices == 0;
    }
    submit(more);
    if (isAll) {
      result.complete(totals);
    }
  }

  private void fail(Throwable failure) {
    synchronized (this) {
      failed = true;
      pending.clear();
    }
    result.completeExceptionally(failure);
  }

  /** What one thread does at a stretch. */
  private final class Slice {
    private final PermissionChecker permissions;
    private final boolean checks;
    private final Tree tree;
    private final EntryReader entry;
    private final SubtreeTotals.Sum sum = new SubtreeTotals.Sum();
    private final List<Locator> found = new ArrayList<>();
    private final List<Place> foundWithBuckets = new ArrayList<>();
    private final List<Place> taken = new ArrayList<>();
    private final List<List<Place>> left = new ArrayList<>();
    private boolean hasGuards;
    private int rows;

    Slice(Tree tree) {
      this.tree = tree;
      this.entry = new EntryReader(tree.codec());
      this.permissions = tree.permissions();
      this.checks = !permissions.passes();
    }

    void run() throws AccessControlException {
      while (!isFull()) {
        boolean mayChange = tree.directories().mayChange(Buckets.ONE);
        List<Place> places = take(mayChange ? 1 : DIRECTORIES_OF_A_SCAN);
        if (places.isEmpty()) {
          return;
        }
        taken.addAll(places);
        if (places.size() == 1) {
          count(places.get(0));
        } else {
          countTogether(places);
        }
      }
    }

    private boolean isFull() {
      return rows >= SLICE_ROWS || found.size() + foundWithBuckets.size() >= SLICE_DIRECTORIES;
    }

    private void count(Place place) throws AccessControlException {
      Directories directories = tree.directories();
      hasGuards |= directories.mayChange(place.buckets());
      Buckets buckets = directories.bucketsOf(place.directory(), place.buckets());
      rows += ROWS_OF_A_BEGINNING;
      BucketScan.<AccessControlException>forEachRow(
          tree.transaction(),
          place.directory(),
          buckets,
          place.after(),
          row -> {
            count(row);
            if (isFull()) {
              left.add(List.of(new Place(place.directory(), buckets, NamespaceKeys.nameOf(row))));
            }
            return !isFull();
          });
    }

    /** Neighbours of one bucket each: where the entries of one end those of the next begin. */
    private void countTogether(List<Place> places) throws AccessControlException {
      List<KeyRange> ranges =
          places.stream().map(place -> NamespaceKeys.entries(place.directory(), 0)).toList();
      try (Scan scan = tree.transaction().scan(ranges)) {
        scan.<AccessControlException>forEachRow(
            row -> {
              count(row);
              if (isFull()) {
                leave(places, NamespaceKeys.directoryOf(row), NamespaceKeys.nameOf(row));
              }
              return !isFull();
            });
      }
      rows += ROWS_OF_A_BEGINNING * places.size(); // those without entries as well
    }

    /** What is behind an entry of one of them. */
    private void leave(List<Place> places, Locator directory, byte[] name) {
      int at = 0;
      while (places.get(at).directory().compareTo(directory) < 0) {
        at++;
      }
      if (at + 1 < places.size()) {
        left.add(places.subList(at + 1, places.size()));
      }
      left.add(List.of(new Place(directory, places.get(at).buckets(), name)));
    }

    private void count(RowView row) throws AccessControlException {
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
      if (entry.buckets().isOne()) {
        found.add(entry.locator());
      } else {
        foundWithBuckets.add(new Place(entry.locator(), entry.buckets(), NO_NAME));
      }
    }
  }
}
