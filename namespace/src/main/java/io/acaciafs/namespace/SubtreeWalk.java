package io.acaciafs.namespace;

import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Scan;
import io.acaciafs.kv.StoreException;
import io.acaciafs.namespace.PendingDirectories.Place;
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

  /** Directories found in a slice; so memory is bounded where a directory has millions of them. */
  private static final int SLICE_DIRECTORIES = 1_024;

  private static final int FEW_DIRECTORIES = 10_000;

  private final Supplier<Tree> trees;
  private final Executor executor;
  private final int parallelism;
  private final PendingDirectories pending;
  private final CompletableFuture<SubtreeTotals> result = new CompletableFuture<>();
  private SubtreeTotals totals = SubtreeTotals.NONE;

  private boolean failed;

  /** Slices that wait for a thread or run. */
  private int slices;

  /**
   * @param trees makes one for each slice
   */
  SubtreeWalk(
      Supplier<Tree> trees, Executor executor, int parallelism, PendingDirectories pending) {
    this.trees = trees;
    this.executor = executor;
    this.parallelism = parallelism;
    this.pending = pending;
  }

  CompletableFuture<SubtreeTotals> start(Locator top) {
    synchronized (this) {
      pending.add(List.of(top));
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
        new SubtreeWalk(() -> tree, tasks::add, 1, pending).start(top.locator());
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
      conclude(slice);
    } catch (Throwable e) { // whatever it is, the caller waits
      fail(e);
    }
  }

  private synchronized Place take() {
    return pending.take();
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
      if (slice.begun != null) {
        pending.add(slice.begun);
      }
      slices--;
      for (int left = pending.size(); slices < parallelism && slices < left; slices++) {
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
    private int rows;
    private Place begun;

    Slice(Tree tree) {
      this.tree = tree;
      this.entry = new EntryReader(tree.codec());
      this.permissions = tree.permissions();
      this.checks = !permissions.passes();
    }

    void run() throws AccessControlException {
      while (!isFull()) {
        Place place = take();
        if (place == null) {
          return;
        }
        rows += ROWS_OF_A_BEGINNING;
        count(place);
      }
    }

    private boolean isFull() {
      return rows >= SLICE_ROWS || found.size() >= SLICE_DIRECTORIES;
    }

    private void count(Place place) throws AccessControlException {
      KeyRange entries = NamespaceKeys.entries(place.directory(), Tree.BUCKET);
      KeyRange range = place.after() == null ? entries : entries.startingAfter(place.after());
      try (Scan scan = tree.transaction().scan(range)) {
        scan.<AccessControlException>forEachRow(
            row -> {
              entry.read(row);
              sum.add(entry);
              rows++;
              if (entry.isDirectory()) {
                if (checks) {
                  permissions.checkDirectory((DirectoryInode) entry.inode(), FsAction.READ_EXECUTE);
                }
                found.add(entry.locator());
              }
              if (isFull()) {
                begun = new Place(place.directory(), row.keyFrom(0));
              }
              return begun == null;
            });
      }
    }
  }
}
