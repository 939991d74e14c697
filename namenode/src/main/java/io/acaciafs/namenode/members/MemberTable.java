package io.acaciafs.namenode.members;

import io.acaciafs.kv.ConflictException;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.Scan;
import io.acaciafs.kv.Store;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.Transaction;
import io.acaciafs.kv.run.FailureText;
import io.acaciafs.kv.run.Operation;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

/** The rows of all members: what can be done with them without being one. Stateless. */
public final class MemberTable {
  /** How often {@link #requireNone} reads the rows. */
  private static final int LOOKS = 20;

  private MemberTable() {}

  /** The table that an engine is to be opened with. */
  public static Table table() {
    return MemberRow.TABLE;
  }

  /**
   * For a tool that needs the store for itself: waits until no member has renewed for the time of a
   * lease.
   *
   * @throws StoreException when a NameNode serves
   */
  public static void requireNone(Store store, long leaseMs) {
    awaitStill(store, leaseMs);
  }

  /** The same; returns the rows that nobody renewed. */
  static Map<Key, byte[]> awaitStill(Store store, long leaseMs) {
    Map<Key, byte[]> first = rows(store);
    // Looks are counted and not time, as a store that does not answer keeps others from renewing.
    for (int i = 0; !first.isEmpty() && i < LOOKS; i++) {
      pause(Math.max(1, leaseMs / LOOKS));
      rows(store)
          .forEach(
              (key, value) -> {
                if (!Arrays.equals(value, first.get(key))) {
                  throw serves(value);
                }
              });
    }
    return first;
  }

  static StoreException serves(byte[] row) {
    return new StoreException(
        "A NameNode serves this store: " + MemberRow.decode(row).member() + ". Stop it first");
  }

  /** The numbers of all that are in the store, and the next one: equal while none comes or goes. */
  public static List<Long> numbers(Store store) {
    List<Long> numbers = new ArrayList<>();
    rows(store).values().forEach(row -> numbers.add(MemberRow.decode(row).member().number()));
    Collections.sort(numbers);
    numbers.add(nextNumber(store));
    return numbers;
  }

  /** The number that the next member takes. */
  static long nextNumber(Reader store) {
    byte[] next = store.get(MemberRow.NEXT_NUMBER);
    return next == null ? 1 : ByteBuffer.wrap(next).getLong();
  }

  /** Those that are to be fenced off. */
  static List<Member> ended(Reader store) {
    return rows(store, KeyRange.ofPrefix(MemberRow.TABLE, MemberRow.ENDED)).values().stream()
        .map(row -> MemberRow.decode(row).member())
        .toList();
  }

  /** Removes all of a store that no NameNode serves. */
  public static void forget(Store store, long patienceMs) {
    commit(
        store,
        patienceMs,
        transaction -> {
          rows(store)
              .keySet()
              .forEach(
                  key -> {
                    transaction.get(key);
                    transaction.delete(key);
                  });
          return null;
        });
  }

  static void pause(long millis) {
    long endNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    for (long left = endNs - System.nanoTime(); left > 0; left = endNs - System.nanoTime()) {
      LockSupport.parkNanos(left);
      if (Thread.currentThread().isInterrupted()) {
        throw new StoreException("Interrupted while waiting for the end of other NameNodes");
      }
    }
  }

  private static Map<Key, byte[]> rows(Store store) {
    return rows(store, KeyRange.ofPrefix(MemberRow.TABLE, MemberRow.PREFIX));
  }

  static Map<Key, byte[]> rows(Reader store, KeyRange range) {
    Map<Key, byte[]> rows = new HashMap<>();
    try (Scan scan = store.scan(range)) {
      scan.forEachRemaining(row -> rows.put(row.key(), row.value()));
    }
    return rows;
  }

  /**
   * Runs a transaction once, and waits for it. Not by the runner: its threads may all wait for what
   * depends on this.
   *
   * @throws ConflictException when another process was faster
   * @throws StoreException when the store did not write it in time
   */
  static <T> T commit(Store store, long patienceMs, Operation<T, RuntimeException> work) {
    Transaction transaction = store.begin();
    T result = work.run(transaction);
    try {
      transaction.commit().get(patienceMs, TimeUnit.MILLISECONDS);
      return result;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof ConflictException conflict) {
        throw conflict;
      }
      throw new StoreException(
          "The row of a NameNode could not be written: " + FailureText.of(e),
          Objects.requireNonNullElse(e.getCause(), e));
    } catch (TimeoutException e) {
      throw new StoreException("The row of a NameNode could not be written in time", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreException("Interrupted while the row of a NameNode was written", e);
    }
  }
}
