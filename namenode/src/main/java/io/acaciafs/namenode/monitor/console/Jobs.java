package io.acaciafs.namenode.monitor.console;

import io.acaciafs.kv.Reader;
import io.acaciafs.kv.Scan;
import io.acaciafs.kv.StoreException;
import io.acaciafs.namenode.monitor.LastKnown;
import io.acaciafs.namenode.monitor.StoreFigures;
import io.acaciafs.namenode.monitor.Watched;
import io.acaciafs.namespace.record.NamespaceKeys;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** What is left of the jobs of a NameNode that leads. Safe for use by many threads. */
public final class Jobs {
  private static final int MOST_SPLITS = 1_000;
  private static final long PATIENCE_MS = 500;
  private static final long KEEP_MS = 2_000;
  private static final long NOT_KNOWN = -1;

  private final Watched watched;
  private final StoreFigures figures;
  private final LastKnown<Long> splits;

  /**
   * @param reader of the namespace
   * @param executor where it is read
   */
  public Jobs(Watched watched, StoreFigures figures, Reader reader, Executor executor) {
    this.watched = watched;
    this.figures = figures;
    this.splits = new LastKnown<>(() -> splits(reader), 0L, KEEP_MS, executor);
  }

  /** What is left of each, by name for people; negative: not known. */
  public Map<String, LongSupplier> left() {
    Map<String, LongSupplier> jobs = new LinkedHashMap<>();
    jobs.put("Deleted directories to be swept", this::sweeps);
    jobs.put("Large directories to be divided", this::splits);
    jobs.put(
        "Blocks to be repaired", () -> read(() -> figures.recentBlocks().getLowRedundancyBlocks()));
    jobs.put(
        "Replicas to be deleted",
        () -> read(() -> figures.recentBlocks().getPendingDeletionBlocks()));
    jobs.put("Copies to be made by DataNodes", watched.blocks()::waitingTransfers);
    watched.calls().queues().forEach((name, pool) -> jobs.put("Tasks: " + name, () -> left(pool)));
    return jobs;
  }

  /** Both kinds stand in one table. */
  private long sweeps() {
    long all = all();
    return all == NOT_KNOWN ? NOT_KNOWN : Math.max(0, all - Math.max(0, splits()));
  }

  private long splits() {
    if (all() == 0) { // so there is nothing to read
      return 0;
    }
    return read(() -> splits.value(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MS)));
  }

  private long all() {
    return read(
        () -> {
          @Nullable Long rows = figures.look().rows("jobs");
          return rows == null ? NOT_KNOWN : rows;
        });
  }

  private static long read(LongSupplier figure) {
    try {
      return figure.getAsLong();
    } catch (StoreException e) { // a problem that another page shows
      return NOT_KNOWN;
    }
  }

  private static long left(ThreadPoolExecutor pool) {
    return (long) pool.getActiveCount() + pool.getQueue().size();
  }

  private static long splits(Reader reader) {
    long count = 0;
    try (Scan jobs = reader.scan(NamespaceKeys.splitJobs(), MOST_SPLITS)) {
      while (jobs.hasNext()) {
        jobs.next();
        count++;
      }
    }
    return count;
  }
}
