package io.acaciafs.namespace.summary;

import io.acaciafs.namespace.context.Caller;
import io.acaciafs.namespace.context.OperationContext;
import io.acaciafs.namespace.permission.PermissionChecker;
import io.acaciafs.namespace.record.DirectoryInode;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.security.AccessControlException;

/**
 * Counts what is below directories, on threads of its own that all counts share in turn: a small
 * one does not wait for a large one to end. What is counted may change meanwhile, as in HDFS. Safe
 * for use by many threads.
 */
public final class SubtreeCounter {
  /** All walks together go level by level up to so many directories, of some 60 bytes each. */
  private static final long MANY_DIRECTORIES = 500_000;

  private final Function<Caller, OperationContext> contexts;
  private final SummaryCache counted;
  private final Executor executor;
  private final int parallelism;
  private final int maxWalks;
  private final AtomicInteger walks = new AtomicInteger();
  private final AtomicLong heldByAll = new AtomicLong();

  /**
   * @param contexts makes one for the use of one thread
   */
  public SubtreeCounter(
      Function<Caller, OperationContext> contexts,
      SummaryCache counted,
      Executor executor,
      int parallelism,
      int maxWalks) {
    this.contexts = contexts;
    this.counted = counted;
    this.executor = executor;
    this.parallelism = parallelism;
    this.maxWalks = maxWalks;
  }

  /** How many tasks may wait in the executor's queue at a time. */
  public static int tasks(int parallelism, int maxWalks) {
    return Math.multiplyExact(parallelism, maxWalks);
  }

  /**
   * @return fails with {@link AccessControlException} where a directory in it, or {@code top}
   *     itself, may not be read by the caller
   * @throws RejectedExecutionException when too many counts are under way
   */
  public CompletableFuture<SubtreeTotals> count(Caller caller, DirectoryInode top) {
    try {
      new PermissionChecker(contexts.apply(caller)).checkDirectory(top, FsAction.READ_EXECUTE);
    } catch (AccessControlException e) {
      return CompletableFuture.failedFuture(e);
    }
    if (walks.incrementAndGet() > maxWalks) {
      walks.decrementAndGet();
      throw new RejectedExecutionException("Too many directories are being counted");
    }
    PendingDirectories pending = new PendingDirectories(heldByAll, MANY_DIRECTORIES);
    return new SubtreeWalk(() -> contexts.apply(caller), counted, executor, parallelism, pending)
        .start(top)
        .whenComplete((totals, failure) -> walks.decrementAndGet());
  }
}
