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
 * Random transactions of several threads over few rows, recorded, some of which only look. A thread
 * takes any member that believes to lead. Each write stores a number that no other write stores, in
 * a row that its transaction read.
 */
final class TrioClients implements AutoCloseable {
  static final Table TABLE = Table.ofSingleRows("rows");
  static final Set<Table> TABLES = Set.of(TABLE);

  /** At a member; so some are left when others wait for one that is stopped. */
  static final int MOST_AT_ONE = 4;

  private static final int LOOKING = 2;
  private static final int THREADS = LOOKING + MOST_AT_ONE + 1;
  private static final int ROWS = 5;
  private static final int LONGEST_BYTES = 3_000;
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
      boolean looks = i < LOOKING;
      Thread thread = new Thread(() -> run(looks, random), "client-" + i);
      threads.add(thread);
      thread.start();
    }
  }

  private static Key key(int row) {
    return new Key(TABLE, ("row-" + row).getBytes(UTF_8));
  }

  private void run(boolean looks, Random random) {
    try {
      while (!ends) {
        Trio.Member member = trio.member(Trio.NAMES.get(random.nextInt(Trio.NAMES.size())));
        boolean committed =
            member != null
                && (looks ? look(member, random) : attempt(member, random.nextInt(3) == 0, random));
        if (!committed) {
          LockSupport.parkNanos(PAUSE_NS);
        }
      }
    } catch (Throwable e) {
      failure = e;
    }
  }

  /** A member that was stopped is asked as soon as it goes on. */
  private boolean look(Trio.Member member, Random random) throws Exception {
    member.clock.await();
    return transact(member, true, random);
  }

  /** A member that is stopped takes no more; those that it has wait, and some clients go on. */
  private boolean attempt(Trio.Member member, boolean looks, Random random) throws Exception {
    if (member.clock.isStopped() || !member.clients.tryAcquire()) {
      return false;
    }
    try {
      return transact(member, looks, random);
    } finally {
      member.clients.release();
    }
  }

  /**
   * A transaction on a member that leads, or led a moment ago.
   *
   * @param looks at few rows and writes nothing: then it waits for nobody where the lease is held
   * @return whether it was committed
   */
  private boolean transact(Trio.Member member, boolean looks, Random random) throws Exception {
    Store store = member.store;
    if (store == null) {
      return false;
    }
    Map<Key, Long> read = new HashMap<>();
    Map<Key, Long> written = new HashMap<>();
    long begunNs = System.nanoTime();
    try {
      Transaction transaction = store.begin();
      for (int row = 0; row < ROWS; row++) {
        if (random.nextInt(3) > (looks ? 1 : 0)) {
          read.put(key(row), number(transaction.get(key(row))));
        }
      }
      boolean writes = !looks && random.nextInt(3) > 0;
      for (Key key : read.keySet()) {
        if (writes && random.nextBoolean()) {
          long number = numbers.incrementAndGet();
          int bytes =
              Long.BYTES + random.nextInt(LONGEST_BYTES); // of several sectors, some of them
          transaction.put(key, ByteBuffer.allocate(bytes).putLong(number).array());
          written.put(key, number);
        }
      }
      (looks ? transaction.validate() : transaction.commit()).get(PATIENCE_S, TimeUnit.SECONDS);
      if (member.isWithoutPower) {
        unknown.add(new History.Entry(begunNs, Long.MAX_VALUE, read, written));
        return false;
      }
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
    if (!awaitMore(count, TimeUnit.SECONDS.toMillis(PATIENCE_S))) {
      throw new AssertionError(
          "No more transactions are committed: " + committed.size() + ", " + trio.describe());
    }
  }

  /** The same for a while; whether they came. */
  boolean awaitMore(int count, long patienceMs) {
    int wanted = committed.size() + count;
    long beganNs = System.nanoTime();
    while (committed.size() < wanted) {
      if (failure != null) {
        throw new AssertionError("A client failed", failure);
      }
      if (System.nanoTime() - beganNs > TimeUnit.MILLISECONDS.toNanos(patienceMs)) {
        return false;
      }
      LockSupport.parkNanos(PAUSE_NS);
    }
    return true;
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
