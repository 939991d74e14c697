package io.acaciafs.kv.raft;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.acaciafs.kv.ConflictException;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.Store;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.Transaction;
import io.acaciafs.kv.testkit.History;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Random transactions of several threads over few rows, recorded. A thread takes any member that
 * believes to lead. Each write stores a number that no other write stores, in a row that its
 * transaction read.
 */
final class TrioClients implements AutoCloseable {
  static final Table TABLE = Table.ofSingleRows("rows");
  static final Set<Table> TABLES = Set.of(TABLE);
  private static final int THREADS = 4;
  private static final int ROWS = 5;
  private static final long PATIENCE_S = 60;
  private static final long PAUSE_NS = TimeUnit.MICROSECONDS.toNanos(500);

  private final Trio trio;
  private final Queue<History.Entry> committed = new ConcurrentLinkedQueue<>();
  private final Queue<History.Entry> unknown = new ConcurrentLinkedQueue<>();
  private final AtomicLong numbers = new AtomicLong();
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean ends;
  private volatile Throwable failure;

  TrioClients(Trio trio, long seed) {
    this.trio = trio;
    for (int i = 0; i < THREADS; i++) {
      Random random = new Random(seed * THREADS + i);
      Thread thread = new Thread(() -> run(random), "client-" + i);
      threads.add(thread);
      thread.start();
    }
  }

  private static Key key(int row) {
    return new Key(TABLE, ("row-" + row).getBytes(UTF_8));
  }

  private void run(Random random) {
    try {
      while (!ends) {
        Store store = storeOfAny(random);
        if (store == null || !attempt(store, random)) {
          LockSupport.parkNanos(PAUSE_NS);
        }
      }
    } catch (Throwable e) {
      failure = e;
    }
  }

  /** The store of a member that leads, or led a moment ago; null for none. */
  private Store storeOfAny(Random random) {
    Trio.Member member = trio.member(Trio.NAMES.get(random.nextInt(Trio.NAMES.size())));
    return member == null ? null : member.store;
  }

  /** Whether the transaction was committed. */
  private boolean attempt(Store store, Random random) throws Exception {
    Map<Key, Long> read = new HashMap<>();
    Map<Key, Long> written = new HashMap<>();
    long begunNs = System.nanoTime();
    try {
      Transaction transaction = store.begin();
      for (int row = 0; row < ROWS; row++) {
        if (random.nextInt(3) > 0) {
          read.put(key(row), number(transaction.get(key(row))));
        }
      }
      boolean writes = random.nextInt(3) > 0;
      for (Key key : read.keySet()) {
        if (writes && random.nextBoolean()) {
          long number = numbers.incrementAndGet();
          transaction.put(key, ByteBuffer.allocate(Long.BYTES).putLong(number).array());
          written.put(key, number);
        }
      }
      transaction.commit().get(PATIENCE_S, TimeUnit.SECONDS);
      committed.add(new History.Entry(begunNs, System.nanoTime(), read, written));
      return true;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof ConflictException) {
        return true;
      }
      if (!(e.getCause() instanceof StoreException)) {
        throw e;
      }
      unknown.add(new History.Entry(begunNs, Long.MAX_VALUE, read, written));
      return false;
    } catch (ConflictException | StoreException e) {
      return false; // before the commit
    } catch (TimeoutException e) {
      throw new AssertionError("A commit has no end", e);
    }
  }

  private static long number(byte[] value) {
    return value == null ? History.ABSENT : ByteBuffer.wrap(value).getLong();
  }

  /** Waits for more committed transactions. */
  void awaitMore(int count) {
    int wanted = committed.size() + count;
    long beganNs = System.nanoTime();
    while (committed.size() < wanted) {
      if (failure != null) {
        throw new AssertionError("A client failed", failure);
      }
      if (System.nanoTime() - beganNs > TimeUnit.SECONDS.toNanos(PATIENCE_S)) {
        throw new AssertionError(
            "No more transactions are committed: " + committed.size() + ", " + trio.describe());
      }
      LockSupport.parkNanos(PAUSE_NS);
    }
  }

  /** Ends all threads; what they did. */
  History end() throws Exception {
    close();
    if (failure != null) {
      throw new AssertionError("A client failed", failure);
    }
    return new History(List.copyOf(committed), List.copyOf(unknown), last());
  }

  private Map<Key, Long> last() throws InterruptedException, TimeoutException {
    while (true) {
      Store store = trio.member(trio.awaitLeader()).store;
      try {
        if (store != null) {
          Map<Key, Long> last = new HashMap<>();
          Transaction transaction = store.begin();
          for (int row = 0; row < ROWS; row++) {
            last.put(key(row), number(transaction.get(key(row))));
          }
          transaction.commit().get(PATIENCE_S, TimeUnit.SECONDS);
          return last;
        }
      } catch (StoreException | ExecutionException e) {
        LockSupport.parkNanos(PAUSE_NS); // it leads no more
      }
    }
  }

  @Override
  public void close() {
    ends = true;
    for (Thread thread : threads) {
      try {
        thread.join(TimeUnit.SECONDS.toMillis(PATIENCE_S));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
