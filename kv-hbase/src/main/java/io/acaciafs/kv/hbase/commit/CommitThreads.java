package io.acaciafs.kv.hbase.commit;

import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.UnavailableException;
import io.acaciafs.kv.hbase.client.Failures;
import io.acaciafs.kv.hbase.client.HBaseOptions;
import io.acaciafs.kv.hbase.client.ThreadPools;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Limits the commits in flight, runs those that block, and ends them with the store. Safe for use
 * by many threads.
 */
public final class CommitThreads {
  private static final Logger LOG = LoggerFactory.getLogger(CommitThreads.class);

  private static final int FENCE_THREADS = 2;

  private final ExecutorService executor;

  private final ReplyThreads replies = new ReplyThreads();

  /** Apart, as all commits may wait for tasks of these threads. */
  private final ExecutorService isolated;

  private final Semaphore free;

  /** Each task that may have work left after its commit holds one. */
  private final Semaphore rests = new Semaphore(Integer.MAX_VALUE);

  private final int commitsInFlight;
  private final int patienceMs;
  private final AtomicBoolean closed = new AtomicBoolean();

  /** Completes when a pause is over; complete where there is none. */
  private volatile CompletableFuture<Void> resumed = CompletableFuture.completedFuture(null);

  public CommitThreads(HBaseOptions options) {
    this.commitsInFlight = options.commits().inFlight();
    this.free = new Semaphore(commitsInFlight);
    this.patienceMs = 2 * options.operationTimeoutMs();
    this.executor = ThreadPools.of("hbase-commit", options.commits().threads());
    this.isolated = ThreadPools.of("hbase-fence", FENCE_THREADS);
  }

  public void checkOpen() {
    if (closed.get()) {
      throw new StoreException("The store is closed");
    }
  }

  /**
   * Begins a commit when there is room, and counts it until it completes.
   *
   * @param end receives the failure, or null after success, before the caller is told
   */
  CompletableFuture<Void> submit(
      Supplier<CompletableFuture<Void>> commit, Consumer<Throwable> end) {
    checkOpen();
    CompletableFuture<Void> pauseEnd = resumed;
    if (!pauseEnd.isDone()) {
      // No thread waits: the end of the pause may need it.
      return pauseEnd.thenComposeAsync(nothing -> submit(commit, end), replies.threads());
    }
    take(1);
    return begin(commit, end, free::release);
  }

  /** As {@link #submit}, also during a pause; for one that takes a single request. */
  CompletableFuture<Void> submitAnyway(
      Supplier<CompletableFuture<Void>> commit, Consumer<Throwable> end) {
    return begin(commit, end, () -> {});
  }

  private CompletableFuture<Void> begin(
      Supplier<CompletableFuture<Void>> commit, Consumer<Throwable> end, Runnable release) {
    CompletableFuture<Void> reply = new CompletableFuture<>();
    boolean begun = false;
    try {
      checkOpen();
      CompletableFuture<Void> done = commit.get();
      begun = true;
      if (done.isDone() && !done.isCompletedExceptionally()) {
        end.accept(null);
        release.run();
        return done;
      }
      done.whenComplete(
          (nothing, failure) -> answer(reply, Failures.causeOf(failure), end, release));
      return reply;
    } finally {
      if (!begun) {
        release.run();
      }
    }
  }

  private void answer(
      CompletableFuture<Void> reply, Throwable failure, Consumer<Throwable> end, Runnable release) {
    end.accept(failure);
    replies.execute(
        () -> {
          if (failure == null) {
            reply.complete(null);
          } else {
            reply.completeExceptionally(failure);
          }
        },
        release); // a close that has all room ends the threads that are to tell callers
  }

  private void take(int permits) {
    try {
      if (!free.tryAcquire(permits, patienceMs, TimeUnit.MILLISECONDS)) {
        throw new UnavailableException(
            "HBase is so slow that no commit ended in " + patienceMs + " ms");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreException("Interrupted while waiting for other commits", e);
    }
  }

  ReplyThreads replies() {
    return replies;
  }

  CompletableFuture<Void> run(Runnable task) {
    return CompletableFuture.runAsync(task, executor);
  }

  /** Runs a task that commits may wait for; fails if the store is closed. */
  public CompletableFuture<Void> runIsolated(Runnable task) {
    try {
      return CompletableFuture.runAsync(task, isolated);
    } catch (RejectedExecutionException e) {
      return CompletableFuture.failedFuture(new StoreException("The store is closed"));
    }
  }

  /**
   * Runs a task, completes the result, and then does the work that the task left.
   *
   * @param rest does that work
   */
  <T> CompletableFuture<Void> run(Supplier<T> task, Consumer<T> rest) {
    CompletableFuture<Void> result = new CompletableFuture<>();
    rests.acquireUninterruptibly(); // there are always some
    boolean begun = false;
    try {
      executor.execute(
          () -> {
            try {
              run(task, rest, result);
            } finally {
              rests.release();
            }
          });
      begun = true;
    } finally {
      if (!begun) {
        rests.release();
      }
    }
    return result;
  }

  private static <T> void run(Supplier<T> task, Consumer<T> rest, CompletableFuture<Void> result) {
    T left;
    try {
      left = task.get();
    } catch (Throwable e) { // a caller waits for the result
      result.completeExceptionally(e);
      return;
    }
    result.complete(null);
    rest.accept(left);
  }

  /**
   * Waits for all commits in flight and for their remaining work, and lets none begin until {@link
   * #resume}, which must follow.
   *
   * @return false when they did not end in time; then nothing has changed
   */
  boolean pause(long longestMs) throws InterruptedException {
    long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(longestMs);
    resumed = new CompletableFuture<>();
    boolean isPaused = false;
    try {
      if (free.tryAcquire(commitsInFlight, longestMs, TimeUnit.MILLISECONDS)) {
        long leftNs = Math.max(0, deadlineNs - System.nanoTime());
        isPaused = rests.tryAcquire(Integer.MAX_VALUE, leftNs, TimeUnit.NANOSECONDS);
        if (isPaused) {
          rests.release(Integer.MAX_VALUE);
        } else {
          free.release(commitsInFlight);
        }
      }
    } finally {
      if (!isPaused) {
        resumed.complete(null);
      }
    }
    return isPaused;
  }

  /** Ends a pause. */
  void resume() {
    free.release(commitsInFlight);
    resumed.complete(null);
  }

  /**
   * Accepts no more commits, and waits for those in flight.
   *
   * @return whether this call is the one that closed it
   */
  public boolean close() {
    if (!closed.compareAndSet(false, true)) {
      return false;
    }
    try {
      take(commitsInFlight);
    } catch (StoreException e) {
      LOG.warn("Commits are under way still at the close", e);
    }
    isolated.shutdownNow(); // may try for as long as HBase does not answer
    end(executor);
    end(isolated);
    end(replies.threads());
    return true;
  }

  private void end(ExecutorService threads) {
    threads.shutdown();
    try {
      if (!threads.awaitTermination(patienceMs, TimeUnit.MILLISECONDS)) {
        threads.shutdownNow();
      }
    } catch (InterruptedException e) {
      threads.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }
}
