package io.acaciafs.kv.run;

import io.acaciafs.kv.ConflictException;
import io.acaciafs.kv.Store;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.Transaction;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Gives out ids of one kind, each once in the life of the store. They come from ranges that this
 * process has leased with a durable write, so an id costs no I/O; what is left of a range when the
 * process ends is never used. The next range is asked for when half of the present one is gone.
 * Safe for use by many threads.
 */
public final class IdSequence {
  private static final long WAIT_SECONDS = 30;
  private static final int MAX_ATTEMPTS = 100;

  /** So often the wanted place is missed once in five hundred times, if there are sixteen. */
  private static final int MOST_LOOKED_AT = 100;

  /** Of each place. */
  private static final int MOST_KEPT = 1_000;

  /** The row that says which ids of a kind are free. */
  @FunctionalInterface
  public interface FreeIds {
    /**
     * Takes ids out of the row.
     *
     * @return the first of them
     */
    long reserve(Transaction transaction, long count);
  }

  private final Store store;
  private final String kind;
  private final FreeIds free;
  private final int rangeSize;

  /** Ids that were passed over, by their place; see {@link #next(int, LongToIntFunction)}. */
  private final Map<Integer, Deque<Long>> passedOver = new HashMap<>();

  private long next;
  private long end;
  private @Nullable CompletableFuture<Long> nextRange;

  /**
   * @param kind names the ids in errors
   */
  public IdSequence(Store store, String kind, FreeIds free, int rangeSize) {
    this.store = store;
    this.kind = kind;
    this.free = free;
    this.rangeSize = rangeSize;
  }

  /**
   * @throws StoreException when a new range was needed at once and could not be had
   */
  public synchronized long next() {
    if (next == end) {
      if (nextRange == null || nextRange.isCompletedExceptionally()) {
        nextRange = lease(1);
      }
      next = await(nextRange);
      end = next + rangeSize;
      nextRange = null;
    }
    if (nextRange == null && end - next <= rangeSize / 2) {
      nextRange = lease(1);
    }
    return next++;
  }

  /**
   * The same for a thread that must not wait: the id comes when there is a range. Not of a sequence
   * of which others wait for {@link #next}.
   *
   * @return fails as the write of the range did; the next call tries again
   */
  public CompletableFuture<Long> nextNonBlocking() {
    CompletableFuture<Long> range;
    synchronized (this) {
      boolean isLeased =
          nextRange != null && nextRange.isDone() && !nextRange.isCompletedExceptionally();
      try {
        if (next < end || isLeased) {
          return CompletableFuture.completedFuture(next());
        }
        if (nextRange == null || nextRange.isCompletedExceptionally()) {
          nextRange = lease(1);
        }
      } catch (StoreException e) {
        return CompletableFuture.failedFuture(e);
      }
      range = nextRange;
    }
    return range.thenCompose(first -> nextNonBlocking());
  }

  /**
   * An id whose rows lie in a certain place, most likely. The others that are met on the way are
   * kept for later calls.
   *
   * @param placeOf where rows of an id lie: one of few places, each with as many ids
   */
  public synchronized long next(int place, LongToIntFunction placeOf) {
    Deque<Long> kept = passedOver.get(place);
    if (kept != null && !kept.isEmpty()) {
      return kept.remove();
    }
    for (int i = 0; i < MOST_LOOKED_AT; i++) {
      long id = next();
      int found = placeOf.applyAsInt(id);
      if (found == place) {
        return id;
      }
      Deque<Long> others = passedOver.computeIfAbsent(found, key -> new ArrayDeque<>());
      if (others.size() < MOST_KEPT) {
        others.add(id);
      }
    }
    return next();
  }

  /**
   * Tries again at once after a conflict, and not by the runner: its executor may be the very
   * thread that waits for the range.
   */
  private CompletableFuture<Long> lease(int attempt) {
    Transaction transaction = store.begin();
    long first = free.reserve(transaction, rangeSize);
    return transaction
        .commit()
        .thenApply(nothing -> first)
        .exceptionallyCompose(
            failure ->
                isConflict(failure) && attempt < MAX_ATTEMPTS
                    ? lease(attempt + 1)
                    : CompletableFuture.failedFuture(failure));
  }

  private static boolean isConflict(Throwable failure) {
    return failure instanceof ConflictException || failure.getCause() instanceof ConflictException;
  }

  private long await(CompletableFuture<Long> range) {
    try {
      return range.get(WAIT_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      nextRange = null;
      throw new StoreException(
          "No new range of ids kind=" + kind, Objects.requireNonNullElse(e.getCause(), e));
    } catch (TimeoutException e) {
      throw new StoreException("No new range of ids in time kind=" + kind, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreException("Interrupted while waiting for ids kind=" + kind, e);
    }
  }
}
