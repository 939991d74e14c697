package io.acaciafs.kv.testkit;

import io.acaciafs.kv.ConflictException;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.Store;
import io.acaciafs.kv.Transaction;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;

/**
 * Random transactions of several threads over few rows, recorded. Each write stores a number that
 * no other write stores, in a row that its transaction read, so what was read tells the order of
 * the versions.
 */
final class HistoryWorkload {
  private static final int THREADS = 4;
  private static final int TRANSACTIONS = 300;
  private static final int ROWS = 5;

  private HistoryWorkload() {}

  static History run(Store store, long seed) throws Exception {
    List<Key> keys = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      keys.add(Rows.key(i % 2 == 0 ? Rows.PARTITIONED : Rows.OTHER, (int) seed, i, 0, 0, i));
    }
    List<List<History.Entry>> recorded =
        Threads.run(THREADS, thread -> () -> runThread(store, keys, seed, thread));
    Map<Key, Long> last = new HashMap<>();
    keys.forEach(key -> last.put(key, number(store.get(key))));
    return new History(recorded.stream().flatMap(List::stream).toList(), last);
  }

  private static List<History.Entry> runThread(Store store, List<Key> keys, long seed, int thread) {
    SplittableRandom random = new SplittableRandom(seed * 31 + thread);
    List<History.Entry> entries = new ArrayList<>();
    for (int i = 0; i < TRANSACTIONS; i++) {
      long unique = (thread + 1L) << 32 | i;
      boolean writes = random.nextInt(4) > 0;
      Map<Key, Long> read = new HashMap<>();
      Map<Key, Long> written = new HashMap<>();
      long begun = System.nanoTime();
      Transaction transaction = store.begin();
      for (Key key : keys) {
        if (random.nextInt(3) > 0) {
          read.put(key, number(transaction.get(key)));
          pause(random);
        }
      }
      for (Key key : read.keySet()) {
        if (writes && random.nextBoolean()) {
          transaction.put(key, ByteBuffer.allocate(8).putLong(unique).array());
          written.put(key, unique);
        }
      }
      pause(random);
      CompletableFuture<Void> commit =
          random.nextInt(8) > 0 || !written.isEmpty()
              ? transaction.commit()
              : transaction.validate();
      Throwable failure = Rows.failureOf(commit);
      long ended = System.nanoTime();
      if (failure == null) {
        entries.add(new History.Entry(begun, ended, read, written));
      } else if (!(failure instanceof ConflictException)) {
        throw new AssertionError("A commit without faults failed", failure);
      }
    }
    return entries;
  }

  private static void pause(SplittableRandom random) {
    if (random.nextInt(3) == 0) {
      Thread.yield();
    }
  }

  private static long number(byte[] value) {
    return value == null ? History.ABSENT : ByteBuffer.wrap(value).getLong();
  }
}
