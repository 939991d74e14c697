package io.acaciafs.namenode.monitor;

import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.run.FailureText;
import java.time.Clock;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.apache.hadoop.hdfs.protocol.ReplicatedBlockStats;
import org.jspecify.annotations.Nullable;

/**
 * What beans, metrics and pages show of the store. While the store does not answer they show what
 * was read last, as programs that watch a NameNode, such as Hadoop's Router, take one for dead
 * whose pages wait. Only the first read of a figure is waited for.
 *
 * <p>A figure has one read under way at most. Safe for use by many threads.
 */
public final class StoreFigures {
  private static final long PATIENCE_MS = 500;
  private static final long FIRST_READ_MS = 60_000;

  /** No more than this wait for the reader at a time. */
  public static final int MOST = 100;

  private final RowCounts counts;
  private final Figure<ReplicatedBlockStats> blocks;
  private final Figure<Long> tokens;
  private final Map<String, Figure<@Nullable Long>> rows = new ConcurrentHashMap<>();
  private final Executor reader;

  /** When the read began that is under way, by {@link System#nanoTime}; null: none is. */
  private volatile @Nullable Long readingSinceNs;

  /**
   * @param reader reads, one after the other
   */
  public StoreFigures(Watched watched, Clock clock, Executor reader) {
    this(
        new RowCounts(watched.store().opened(), watched.store().tables(), clock),
        watched.blocks()::blockStats,
        watched.users().tokens()::getAsLong,
        reader);
  }

  StoreFigures(
      RowCounts counts,
      Supplier<ReplicatedBlockStats> blocks,
      Supplier<Long> tokens,
      Executor reader) {
    this.counts = counts;
    this.blocks = new Figure<>(blocks);
    this.tokens = new Figure<>(tokens);
    this.reader = reader;
  }

  /**
   * How many rows a table has, as {@link RowCounts} counts them; null where that is not known.
   *
   * @throws StoreException when the store cannot be read; so do the others
   */
  @Nullable Long rows(String table) {
    return rows.computeIfAbsent(table, name -> new Figure<>(() -> counts.of(name))).value();
  }

  ReplicatedBlockStats blocks() {
    return blocks.value();
  }

  /** How many delegation tokens there are. */
  long tokens() {
    return tokens.value();
  }

  /** None for a read that waits behind one that has used it up. */
  private long patienceLeftMs() {
    Long sinceNs = readingSinceNs;
    return sinceNs == null
        ? PATIENCE_MS
        : Math.max(0, PATIENCE_MS - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - sinceNs));
  }

  private final class Figure<T extends @Nullable Object> {
    private final Supplier<T> source;
    private @Nullable CompletableFuture<T> reading;

    /** The last one that was read; null: none was. */
    private volatile @Nullable CompletableFuture<T> last;

    Figure(Supplier<T> source) {
      this.source = source;
    }

    T value() {
      CompletableFuture<T> known = last;
      CompletableFuture<T> next = next();
      try {
        return next.get(known == null ? FIRST_READ_MS : patienceLeftMs(), TimeUnit.MILLISECONDS);
      } catch (TimeoutException e) {
        if (known == null) {
          throw new StoreException("The store did not answer in " + FIRST_READ_MS + " ms", e);
        }
        return known.join();
      } catch (ExecutionException e) {
        throw new StoreException(FailureText.of(e), e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new StoreException("Interrupted while the store was read", e);
      }
    }

    private synchronized CompletableFuture<T> next() {
      CompletableFuture<T> underWay = reading;
      if (underWay != null && !underWay.isDone()) {
        return underWay;
      }
      CompletableFuture<T> next = new CompletableFuture<>();
      reading = next;
      try {
        reader.execute(() -> read(next));
      } catch (RejectedExecutionException e) {
        next.completeExceptionally(new StoreException("This NameNode ends", e));
      }
      return next;
    }

    private void read(CompletableFuture<T> result) {
      readingSinceNs = System.nanoTime();
      try {
        result.complete(source.get());
        last = result;
      } catch (RuntimeException e) {
        result.completeExceptionally(e);
      } finally {
        readingSinceNs = null;
      }
    }
  }
}
