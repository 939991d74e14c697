package io.acaciafs.kv.copy;

import io.acaciafs.kv.Store;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.Table;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Runs a job for each table, some at a time, the large ones first. Stateless. */
final class TableJobs {
  private static final long PATIENCE_S = 60;

  private TableJobs() {}

  interface Job {
    RowDigest run(Table table) throws IOException;
  }

  /**
   * Runs all; after the first failure the others are interrupted.
   *
   * @param store knows about how many rows a table has
   * @return the sum of what the jobs returned
   */
  static RowDigest run(Store store, Set<Table> tables, int threads, String name, Job job)
      throws IOException {
    AtomicInteger number = new AtomicInteger();
    ExecutorService pool =
        Executors.newFixedThreadPool(
            threads, task -> new Thread(task, name + "-" + number.incrementAndGet()));
    CompletionService<RowDigest> jobs = new ExecutorCompletionService<>(pool);
    List<Table> ordered =
        tables.stream()
            .sorted(
                Comparator.comparingLong((Table each) -> -store.estimatedRows(each).orElse(0))
                    .thenComparing(Table::name))
            .toList();
    try {
      ordered.forEach(table -> jobs.submit(() -> job.run(table)));
      RowDigest sum = RowDigest.EMPTY;
      for (int i = 0; i < ordered.size(); i++) {
        sum = sum.plus(jobs.take().get());
      }
      return sum;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted");
    } catch (ExecutionException e) {
      Throwable cause = Objects.requireNonNullElse(e.getCause(), e);
      throw cause instanceof IOException || cause instanceof StoreException
          ? new IOException(cause.getMessage(), cause)
          : new IOException("A table could not be read or written: " + cause, cause);
    } finally {
      pool.shutdownNow();
      awaitEnd(pool);
    }
  }

  private static void awaitEnd(ExecutorService pool) throws IOException {
    try {
      if (!pool.awaitTermination(PATIENCE_S, TimeUnit.SECONDS)) {
        throw new IOException("A thread that reads or writes a table does not end");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
