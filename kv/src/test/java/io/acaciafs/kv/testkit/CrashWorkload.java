package io.acaciafs.kv.testkit;

import static io.acaciafs.kv.testkit.Rows.OTHER;
import static io.acaciafs.kv.testkit.Rows.PARTITIONED;
import static io.acaciafs.kv.testkit.Rows.numbered;

import io.acaciafs.kv.Counters;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.Store;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.Transaction;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;

/**
 * Commits without end, each of several rows that belong together: number n writes a row in one
 * table, some in another, and counts itself in a third place. Runs on the caller's thread, many
 * commits at a time.
 */
public final class CrashWorkload {
  /** Rows of one commit in the second table: the more, the likelier a crash would part them. */
  static final int PARTS = 8;

  private static final int COMMITS_AT_A_TIME = 32;

  /** Longer than a region server takes to come back on a machine that has other things to do. */
  private static final long LONGEST_WAIT_S = 60;

  /** A store for the workload opens with these. */
  public static Set<Table> tables() {
    return Rows.TABLES;
  }

  /**
   * Runs until the store ends.
   *
   * @param acknowledged told the number of each commit once it is durable, on any thread
   */
  public void run(Store store, IntConsumer acknowledged) {
    Semaphore free = new Semaphore(COMMITS_AT_A_TIME);
    try {
      for (int number = 0; number < Integer.MAX_VALUE; number++) {
        if (!free.tryAcquire(LONGEST_WAIT_S, TimeUnit.SECONDS)) {
          throw new AssertionError("No commit completed in " + LONGEST_WAIT_S + " s");
        }
        int current = number;
        Transaction transaction = store.begin();
        transaction.put(first(current), new byte[] {1});
        for (int part = 0; part < PARTS; part++) {
          transaction.put(second(current, part), new byte[50]);
        }
        transaction.add(counter(), new Counters(new long[] {1}, new long[] {current}));
        transaction
            .commit()
            .whenComplete(
                (nothing, failure) -> {
                  if (failure == null) {
                    acknowledged.accept(current);
                  }
                  free.release();
                });
      }
    } catch (StoreException e) {
      // The end that the caller brought about.
      return;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  static Key first(int number) {
    return numbered(PARTITIONED, 1, number);
  }

  static Key second(int number, int part) {
    return numbered(OTHER, 2, number * PARTS + part);
  }

  static Key counter() {
    return numbered(OTHER, 3, 0);
  }
}
