package io.acaciafs.namespace.summary;

import io.acaciafs.kv.ConflictException;
import io.acaciafs.kv.StoreException;
import io.acaciafs.namespace.context.OperationContext;
import io.acaciafs.namespace.permission.PermissionChecker;
import io.acaciafs.namespace.record.DirectoryInode;
import io.acaciafs.namespace.summary.PendingDirectories.Place;
import java.util.ArrayDeque;
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
public final class SubtreeWalk {
  private static final int FEW_DIRECTORIES = 10_000;

  private static final byte[] NO_NAME = {};

  /** A bucket of a directory may be divided meanwhile, and then some others, but not so often. */
  private static final int MOST_CONFLICTS = 1_000;

  private final Supplier<OperationContext> contexts;
  private final SummaryCache counted;
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
   * @param contexts makes one for each slice
   */
  SubtreeWalk(
      Supplier<OperationContext> contexts,
      SummaryCache counted,
      Executor executor,
      int parallelism,
      PendingDirectories pending) {
    this(contexts, counted, executor, parallelism, false, pending);
  }

  /**
   * @param isAlone whether all is done in one transaction, which somebody else ends
   */
  private SubtreeWalk(
      Supplier<OperationContext> contexts,
      SummaryCache counted,
      Executor executor,
      int parallelism,
      boolean isAlone,
      PendingDirectories pending) {
    this.contexts = contexts;
    this.counted = counted;
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
   * @param context of this thread
   */
  public static SubtreeTotals countAlone(
      OperationContext context, SummaryCache counted, DirectoryInode top)
      throws AccessControlException {
    new PermissionChecker(context).checkDirectory(top, FsAction.READ_EXECUTE);
    Deque<Runnable> tasks = new ArrayDeque<>();
    PendingDirectories pending = new PendingDirectories(new AtomicLong(), FEW_DIRECTORIES);
    CompletableFuture<SubtreeTotals> totals =
        new SubtreeWalk(() -> context, counted, tasks::add, 1, true, pending).start(top);
    while (!tasks.isEmpty()) {
      tasks.remove().run();
    }
    try {
      return totals.join();
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
      SubtreeSlice slice = new SubtreeSlice(contexts.get(), counted, this::take);
      try {
        slice.run();
      } catch (ConflictException e) { // a moment was over
        repeat(slice, e);
        return;
      }
      if (isAlone || !slice.hasGuards()) {
        conclude(slice);
      } else {
        slice
            .context()
            .transaction()
            .validate()
            .whenComplete((held, failure) -> end(slice, failure));
      }
    } catch (Throwable e) { // whatever it is, the caller waits
      fail(e);
    }
  }

  private void end(SubtreeSlice slice, Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    if (cause == null) {
      conclude(slice);
    } else if (cause instanceof ConflictException) {
      repeat(slice, cause);
    } else {
      fail(cause);
    }
  }

  /** A bucket was split while the walk read its directory, or the store changed too fast. */
  private void repeat(SubtreeSlice slice, Throwable conflict) {
    boolean isTooOften;
    synchronized (this) {
      isTooOften = ++conflicts > MOST_CONFLICTS;
      if (!failed) {
        slice.taken().forEach(pending::add);
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

  private void conclude(SubtreeSlice slice) {
    int more = 0;
    boolean isAll;
    synchronized (this) {
      if (failed) {
        return;
      }
      totals = totals.plus(slice.totals());
      pending.add(slice.found());
      slice.foundWithBuckets().forEach(pending::add);
      slice.left().forEach(pending::addTogether);
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
}
