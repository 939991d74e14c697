package io.acaciafs.namenode.monitor;

import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.run.FailureText;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
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
 * whose pages wait.
 *
 * <p>A figure has one read under way at most. Safe for use by many threads.
 */
public final class StoreFigures {
  /** No more than this wait for the reader at a time. */
  public static final int MOST = 100;

  private static final long PATIENCE_MS = 500;
  private static final ReplicatedBlockStats NOTHING_KNOWN =
      new ReplicatedBlockStats(0, 0, 0, 0, 0, 0);

  private final RowCounts counts;
  private final Figure<ReplicatedBlockStats> blocks;
  private final Figure<Long> tokens;
  private final Map<String, Figure<Optional<Long>>> rows = new ConcurrentHashMap<>();
  private final Executor reader;

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
    this.blocks = new Figure<>(blocks, NOTHING_KNOWN);
    this.tokens = new Figure<>(tokens, 0L);
    this.reader = reader;
  }

  private Figure<Optional<Long>> rowsOf(String table) {
    return new Figure<>(() -> Optional.ofNullable(counts.of(table)), Optional.empty());
  }

  /** For one bean or page. */
  Look look() {
    return new Look(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MS));
  }

  /** Waits half a second at most for all that it shows. Used by one thread. */
  final class Look {
    private final long untilNs;

    private Look(long untilNs) {
      this.untilNs = untilNs;
    }

    /**
     * How many rows a table has, as {@link RowCounts} counts them; null where that is not known.
     *
     * @throws StoreException when the store cannot be read; so do the others
     */
    @Nullable Long rows(String table) {
      return rows.computeIfAbsent(table, StoreFigures.this::rowsOf).value(untilNs).orElse(null);
    }

    /** Zeros where nothing was read yet, as in HDFS before DataNodes have reported. */
    ReplicatedBlockStats blocks() {
      return blocks.value(untilNs);
    }

    /** How many delegation tokens there are; 0 where nothing was read yet. */
    long tokens() {
      return tokens.value(untilNs);
    }
  }

  private final class Figure<T> {
    private final Supplier<T> source;
    private volatile T last;
    private @Nullable CompletableFuture<T> reading;

    Figure(Supplier<T> source, T first) {
      this.source = source;
      this.last = first;
    }

    T value(long untilNs) {
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

    /** The read that is under way, or a new one. */
    private synchronized CompletableFuture<T> read() {
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
      try {
        last = source.get();
        result.complete(last);
      } catch (RuntimeException e) {
        result.completeExceptionally(e);
      }
    }
  }
}
