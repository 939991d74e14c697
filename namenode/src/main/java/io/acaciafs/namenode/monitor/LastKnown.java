package io.acaciafs.namenode.monitor;

import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.run.FailureText;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A figure that takes long to read, at times: a caller gets what was read last if the next reading
 * is not done in time. One reading is under way at most. Safe for use by many threads.
 */
public final class LastKnown<T> {
  private final Supplier<T> source;
  private final Executor reader;
  private final long keepNs;
  private volatile T last;
  private @Nullable CompletableFuture<T> reading;
  private long begunNs;

  /**
   * @param first what is known before anything was read
   * @param keepMs for so long after its begin a reading is not repeated
   * @param reader may refuse
   */
  public LastKnown(Supplier<T> source, T first, long keepMs, Executor reader) {
    this.source = source;
    this.last = first;
    this.keepNs = TimeUnit.MILLISECONDS.toNanos(keepMs);
    this.reader = reader;
  }

  /**
   * Waits until then at most.
   *
   * @param untilNs by System.nanoTime
   * @throws StoreException when it cannot be read
   */
  public T value(long untilNs) {
    try {
      return read().get(Math.max(0, untilNs - System.nanoTime()), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      return last;
    } catch (ExecutionException e) {
      throw new StoreException(FailureText.of(e), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreException("Interrupted while the store was read", e);
    }
  }

  /** For how long the reading that is under way has lasted, in milliseconds; 0: there is none. */
  public synchronized long pendingMs() {
    CompletableFuture<T> underWay = reading;
    return underWay == null || underWay.isDone()
        ? 0
        : TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begunNs);
  }

  /** The reading that is under way or fresh, or a new one. */
  private synchronized CompletableFuture<T> read() {
    CompletableFuture<T> known = reading;
    if (known != null && (!known.isDone() || isFresh(known))) {
      return known;
    }
    CompletableFuture<T> next = new CompletableFuture<>();
    reading = next;
    begunNs = System.nanoTime();
    try {
      reader.execute(() -> read(next));
    } catch (RejectedExecutionException e) {
      next.completeExceptionally(new StoreException("This NameNode ends, or reads too much", e));
    }
    return next;
  }

  private boolean isFresh(CompletableFuture<T> known) {
    return !known.isCompletedExceptionally() && System.nanoTime() - begunNs < keepNs;
  }

  private void read(CompletableFuture<T> result) {
    try {
      last = source.get();
      result.complete(last);
    } catch (RuntimeException e) {
      result.completeExceptionally(e);
    }
  }
}
