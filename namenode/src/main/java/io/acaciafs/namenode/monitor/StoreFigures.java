package io.acaciafs.namenode.monitor;

import io.acaciafs.kv.StoreException;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.hadoop.hdfs.protocol.ReplicatedBlockStats;
import org.jspecify.annotations.Nullable;

/**
 * What beans, metrics and pages show of the store. While the store does not answer they show what
 * was read last, as programs that watch a NameNode, such as Hadoop's Router, take one for dead
 * whose pages wait.
 *
 * <p>A figure has one reading under way at most. Safe for use by many threads.
 */
public final class StoreFigures {
  /** No more than this wait for the reader at a time. */
  public static final int MOST = 100;

  private static final long PATIENCE_MS = 500;
  private static final ReplicatedBlockStats NOTHING_KNOWN =
      new ReplicatedBlockStats(0, 0, 0, 0, 0, 0);

  private final RowCounts counts;
  private final LastKnown<ReplicatedBlockStats> blocks;
  private final LastKnown<Long> tokens;
  private final Map<String, LastKnown<Optional<Long>>> rows = new ConcurrentHashMap<>();
  private final Executor reader;
  private final EachInterval<ReplicatedBlockStats> recentBlocks =
      EachInterval.shared(() -> look().blocks());

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
    this.blocks = new LastKnown<>(blocks, NOTHING_KNOWN, 0, reader);
    this.tokens = new LastKnown<>(tokens, 0L, 0, reader);
    this.reader = reader;
  }

  private LastKnown<Optional<Long>> rowsOf(String table) {
    return new LastKnown<>(
        () -> Optional.ofNullable(counts.of(table)), Optional.empty(), 0, reader);
  }

  /**
   * Blocks as they were two seconds ago at most, for what looks often and by itself, as each
   * reading is a request where the store is a cluster.
   *
   * @throws StoreException when the store cannot be read
   */
  public ReplicatedBlockStats recentBlocks() {
    return recentBlocks.get();
  }

  /** For one bean or page. */
  public Look look() {
    return new Look(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MS));
  }

  /** Waits half a second at most for all that it shows. Used by one thread. */
  public final class Look {
    private final long untilNs;

    private Look(long untilNs) {
      this.untilNs = untilNs;
    }

    /**
     * How many rows a table has, as {@link RowCounts} counts them; null where that is not known.
     *
     * @throws StoreException when the store cannot be read; so do the others
     */
    public @Nullable Long rows(String table) {
      return rows.computeIfAbsent(table, StoreFigures.this::rowsOf).value(untilNs).orElse(null);
    }

    /** Files and directories; null where that is not known. */
    @Nullable Long files() {
      Long inodes = rows("inodes");
      return inodes == null ? null : inodes + 1; // the root has no row there
    }

    /** Zeros where nothing was read yet, as in HDFS before DataNodes have reported. */
    public ReplicatedBlockStats blocks() {
      return blocks.value(untilNs);
    }

    /** How many delegation tokens there are; 0 where nothing was read yet. */
    long tokens() {
      return tokens.value(untilNs);
    }
  }
}
