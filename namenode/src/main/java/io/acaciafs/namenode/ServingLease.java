package io.acaciafs.namenode;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.Store;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.Transaction;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a second NameNode from a store that several machines reach: a row that whoever serves it
 * writes anew, again and again. It has run out when it stays the same for as long as the lease, by
 * the clock of the one who looks, so clocks need not agree.
 *
 * <p>It finds mistakes, and is no fence: a NameNode that stood still for longer than the lease
 * learns at its next renewal that another one serves. Renews on a thread of its own.
 */
final class ServingLease implements AutoCloseable {
  static final Table TABLE = Table.ofSingleRows("serving");

  private static final Logger LOG = LoggerFactory.getLogger(ServingLease.class);
  private static final Key KEY = new Key(TABLE, new byte[] {0});
  private static final int LOOKS = 20;
  private static final int RENEWALS = 4;
  private static final long PATIENCE_MS = 60_000;

  private final Store store;
  private final String holder;
  private final Runnable lost;
  private final ScheduledExecutorService renewals = Threads.scheduler("serving-lease", 1);
  private long count;

  private ServingLease(Store store, String holder, Runnable lost) {
    this.store = store;
    this.holder = holder;
    this.lost = lost;
  }

  /**
   * Takes the lease, and keeps it until the close.
   *
   * @param who for people
   * @param lost told once when another one has it
   * @throws IOException when another one serves
   */
  static ServingLease take(Store store, String who, long leaseMs, Runnable lost)
      throws IOException {
    ServingLease lease = new ServingLease(store, who + " " + UUID.randomUUID(), lost);
    try {
      lease.write(awaitFree(store, leaseMs));
    } catch (IOException | RuntimeException e) {
      lease.renewals.shutdownNow();
      throw e;
    }
    long pauseMs = Math.max(1, leaseMs / RENEWALS);
    lease.renewals.scheduleWithFixedDelay(lease::renew, pauseMs, pauseMs, TimeUnit.MILLISECONDS);
    return lease;
  }

  /**
   * Waits until nobody has renewed for the time of a lease.
   *
   * @return what stands there still, null when nothing
   * @throws IOException when somebody renews
   */
  static byte[] awaitFree(Store store, long leaseMs) throws IOException {
    byte[] first = store.peek(KEY);
    // Looks are counted and not time, as a store that does not answer keeps the other from
    // renewing.
    for (int i = 0; first != null && i < LOOKS; i++) {
      pause(Math.max(1, leaseMs / LOOKS));
      byte[] now = store.peek(KEY);
      if (now == null) {
        return null; // it ended meanwhile
      }
      if (!Arrays.equals(now, first)) {
        throw served(now);
      }
    }
    return first;
  }

  private static IOException served(byte[] row) {
    return new IOException(
        "Another NameNode serves this store: "
            + holderOf(row)
            + ". Two would destroy data: stop that one first");
  }

  private void write(byte[] expected) throws IOException {
    Transaction transaction = store.begin();
    byte[] now = transaction.get(KEY);
    if (!Arrays.equals(now, expected)) {
      throw now == null ? new IOException("Another NameNode just ended; start again") : served(now);
    }
    transaction.put(KEY, (holder + "\n" + count++).getBytes(StandardCharsets.UTF_8));
    commit(transaction);
  }

  private static void commit(Transaction transaction) throws IOException {
    try {
      transaction.commit().get(PATIENCE_MS, TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new IOException("The lease of this store could not be written", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted while the lease of a store was written", e);
    }
  }

  private void renew() {
    try {
      byte[] now = store.peek(KEY);
      if (isMine(now)) {
        write(now);
      } else {
        LOG.error(
            "Another NameNode has taken over this store, so this one ends other={}",
            now == null ? "removed" : holderOf(now));
        renewals.shutdown();
        lost.run();
      }
    } catch (IOException | StoreException e) {
      LOG.warn("The lease of the store is not renewed, which is tried again", e);
    }
  }

  private boolean isMine(byte[] row) {
    return row != null && holderOf(row).equals(holder);
  }

  private static String holderOf(byte[] row) {
    String text = new String(row, StandardCharsets.UTF_8);
    int end = text.indexOf('\n');
    return end < 0 ? text : text.substring(0, end);
  }

  private static void pause(long millis) throws IOException {
    long endNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    for (long left = endNs - System.nanoTime(); left > 0; left = endNs - System.nanoTime()) {
      LockSupport.parkNanos(left);
      if (Thread.currentThread().isInterrupted()) {
        throw new IOException("Interrupted while waiting for the end of another NameNode");
      }
    }
  }

  /** Gives it back, so that the next one need not wait. */
  @Override
  public void close() {
    Threads.shutDown(renewals);
    try {
      Transaction transaction = store.begin();
      if (isMine(transaction.get(KEY))) {
        transaction.delete(KEY);
        commit(transaction);
      }
    } catch (IOException | StoreException e) {
      LOG.warn("The lease of the store is left to run out", e);
    }
  }
}
