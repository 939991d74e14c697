package io.acaciafs.namenode.members;

import io.acaciafs.kv.ConflictException;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Operation;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.Scan;
import io.acaciafs.kv.Store;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.Transaction;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Members in the store. Each writes its row anew several times a lease, and looks at the others'.
 * One whose row stood still for a whole lease, by the clock of the one who looked at it all the
 * while, is dead: its row is removed, and it never comes back under its number.
 *
 * <p>No clocks are compared. A member counts its lease from before it <em>sent</em> the renewal
 * that it knows to have succeeded, and gives up a margin of it; the others count from after they
 * <em>read</em> it. So it stops trusting its lease before anybody may take it for dead, also when
 * its process stood still meanwhile: the clock has to run on then, as {@link System#nanoTime} does.
 * A renewal that is under way when the row is removed fails, as it requires the row.
 *
 * <p>Looks that lie far apart start the time anew: a store that did not answer kept the others from
 * renewing. Renewals happen on the one thread of the given executor, looks on any.
 */
public final class StoredMembers implements Members {
  private static final Logger LOG = LoggerFactory.getLogger(StoredMembers.class);

  /** Parts of a lease: how often a row is renewed. */
  private static final int RENEWALS = 5;

  /** Of which one is given up, for clocks that do not run alike. */
  private static final int MARGIN = 10;

  /** Of who waits for the end of all members. */
  private static final int LOOKS = 20;

  /** What clocks may differ, and a row be old that was just seen to change. */
  private static final long CLOCK_DIFFERENCE_MS = 60_000;

  private static final int JOIN_ATTEMPTS = 100;
  private static final int SECRET_BYTES = 16;

  private final Store store;
  private final Clock clock;
  private final long leaseNs;
  private final LongSupplier nanoTime;
  private final Runnable lost;
  private final Member self;
  private final Map<Key, Observation> observations = new HashMap<>();
  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
  private MemberRow row;
  private ScheduledExecutorService executor;
  private final Map<Key, CompletableFuture<Void>> fences = new HashMap<>();
  private volatile SortedSet<Member> live;
  private volatile long trustedUntilNs;
  private volatile boolean isLost;

  /** A row that did not change: from when on, and when that was last seen. */
  private record Observation(byte[] row, long sinceNs, long lastNs) {}

  private StoredMembers(
      Store store, Clock clock, long leaseMs, LongSupplier nanoTime, Runnable lost, MemberRow row) {
    this.store = store;
    this.clock = clock;
    this.leaseNs = TimeUnit.MILLISECONDS.toNanos(leaseMs);
    this.nanoTime = nanoTime;
    this.lost = lost;
    this.row = row;
    this.self = row.member();
    this.live = setOf(List.of(self));
  }

  /** The tables that an engine is to be opened with. */
  public static Table table() {
    return MemberRow.TABLE;
  }

  /**
   * Becomes a member, and knows the others when it returns. Nothing is renewed until {@link #run}.
   *
   * @param host where the others reach it
   * @param clock tells the time; all members' have to agree within a minute
   * @param leaseMs the same for all members of a store
   * @param nanoTime as System.nanoTime: goes on when the process stands still
   * @param random makes the secret up: a strong one
   * @param lost run once, when this one must not serve any more: the others took it for dead, or
   *     its clock is wrong
   * @throws StoreException when the store cannot be written
   */
  public static StoredMembers join(
      Store store,
      String host,
      int port,
      Clock clock,
      long leaseMs,
      LongSupplier nanoTime,
      RandomGenerator random,
      Runnable lost) {
    byte[] secret = new byte[SECRET_BYTES];
    random.nextBytes(secret);
    String text = HexFormat.of().formatHex(secret);
    long sentNs = 0;
    MemberRow row = null;
    for (int attempt = 1; row == null; attempt++) {
      sentNs = nanoTime.getAsLong();
      try {
        row =
            commit(
                store,
                leaseMs,
                transaction -> {
                  byte[] next = transaction.get(MemberRow.NEXT_NUMBER);
                  long number = next == null ? 1 : ByteBuffer.wrap(next).getLong();
                  transaction.put(
                      MemberRow.NEXT_NUMBER,
                      ByteBuffer.allocate(Long.BYTES).putLong(number + 1).array());
                  long nowMs = clock.millis();
                  MemberRow own =
                      new MemberRow(new Member(number, host, port, nowMs, text), 0, nowMs);
                  transaction.put(own.key(), own.encode());
                  return own;
                });
      } catch (ConflictException e) {
        if (attempt == JOIN_ATTEMPTS) {
          throw new StoreException("Too many NameNodes start at once", e);
        }
      }
    }
    store.session().bindTo(row.key());
    StoredMembers members = new StoredMembers(store, clock, leaseMs, nanoTime, lost, row);
    members.trustFrom(sentNs);
    members.look();
    members.awaitFences();
    LOG.info("Joined as a NameNode of this store self={} live={}", members.self, members.live);
    return members;
  }

  /**
   * For who wants the store for himself: waits until no member has renewed for the time of a lease.
   *
   * @throws StoreException when one serves
   */
  public static void requireNone(Store store, long leaseMs) {
    Map<Key, byte[]> first = rows(store);
    // Looks are counted and not time, as a store that does not answer keeps others from renewing.
    for (int i = 0; !first.isEmpty() && i < LOOKS; i++) {
      pause(Math.max(1, leaseMs / LOOKS));
      rows(store)
          .forEach(
              (key, value) -> {
                if (!Arrays.equals(value, first.get(key))) {
                  throw new StoreException(
                      "A NameNode serves this store: "
                          + MemberRow.decode(value).member()
                          + ". Stop it first");
                }
              });
    }
  }

  /** The numbers of all that are in the store, and the next one: equal while none comes or goes. */
  public static List<Long> numbers(Store store) {
    List<Long> numbers = new ArrayList<>();
    rows(store).values().forEach(row -> numbers.add(MemberRow.decode(row).member().number()));
    Collections.sort(numbers);
    byte[] next = store.get(MemberRow.NEXT_NUMBER);
    numbers.add(next == null ? 1 : ByteBuffer.wrap(next).getLong());
    return numbers;
  }

  /** Removes all of a store that nobody serves. */
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

  private static void pause(long millis) {
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

  private static Map<Key, byte[]> rows(Reader store, KeyRange range) {
    Map<Key, byte[]> rows = new HashMap<>();
    try (Scan scan = store.scan(range)) {
      scan.forEachRemaining(row -> rows.put(row.key(), row.value()));
    }
    return rows;
  }

  /**
   * Renews from now on, at once for the first time, and looks at the others.
   *
   * @param renewals has one thread; shut down at the close
   */
  public void run(ScheduledExecutorService renewals) {
    executor = renewals;
    long pauseNs = leaseNs / RENEWALS;
    renewals.scheduleWithFixedDelay(this::tick, 0, pauseNs, TimeUnit.NANOSECONDS);
  }

  /**
   * Renews and looks, once, as one transaction. No other thread looks meanwhile, so an older result
   * never replaces a newer one.
   */
  synchronized void tick() {
    if (isLost) {
      return;
    }
    try {
      renew();
    } catch (ConflictException e) {
      LOG.warn("Somebody else wrote the row of this NameNode, which is looked at again");
    } catch (StoreException e) {
      LOG.warn(
          "The lease of this NameNode is not renewed, which is tried again reason={}",
          e.getMessage());
    } catch (RuntimeException e) {
      LOG.error("The lease of this NameNode is not renewed because of a bug", e);
    }
  }

  private void renew() {
    long sentNs = nanoTime.getAsLong();
    // Never the same row twice, also when it is not known what became of the last one: the others
    // would not see that it was written again.
    row = row.renewed(clock.millis());
    Sight sight = write(row);
    if (sight != null) {
      trustFrom(sentNs);
      judge(sight);
    } else {
      isLost = true;
      LOG.error("The other NameNodes took this one for dead, so it ends self={}", self);
      lost.run();
    }
  }

  /**
   * What there is of all members.
   *
   * @param beforeNs from before it was read
   * @param afterNs from after that
   */
  private record Sight(Map<Key, byte[]> rows, long beforeNs, long afterNs) {}

  private Sight see(Reader reader) {
    long beforeNs = nanoTime.getAsLong();
    Map<Key, byte[]> rows = rows(reader, MemberRow.ALL);
    return new Sight(rows, beforeNs, nanoTime.getAsLong());
  }

  /**
   * Writes the own row if it is there still, in one request as long as this one wrote it last.
   *
   * @return null when it is gone
   */
  private Sight write(MemberRow next) {
    for (boolean isFirst = true; ; isFirst = false) {
      try {
        return commit(
            store,
            leaseMs(),
            transaction -> {
              if (transaction.remoteReads().recall(next.key()) == null) {
                return null;
              }
              Sight sight = see(transaction.unguarded()); // which the commit shows to be true
              transaction.put(next.key(), next.encode());
              return sight;
            });
      } catch (ConflictException e) {
        if (!isFirst) {
          throw e;
        } // else it is not what it was remembered as, and is read now
      }
    }
  }

  private void trustFrom(long sentNs) {
    trustedUntilNs = sentNs + leaseNs - leaseNs / MARGIN;
  }

  @Override
  public synchronized void look() {
    judge(see(store));
  }

  private void judge(Sight sight) {
    Map<Key, byte[]> rows = sight.rows;
    rows.remove(row.key());
    rows.keySet().removeIf(key -> !MemberRow.isMember(key));
    observations.keySet().retainAll(rows.keySet());
    fences.keySet().retainAll(rows.keySet());
    SortedSet<Member> found = new TreeSet<>(Set.of(self));
    rows.forEach(
        (key, value) -> {
          Member member = MemberRow.decode(value).member();
          boolean isEnded =
              MemberRow.isEnded(key)
                  || isDead(key, value, sight.beforeNs, sight.afterNs) && remove(key, value);
          if (!isEnded || !isFencedOff(member)) {
            found.add(member);
          }
        });
    publish(found);
  }

  /** Whether nothing that a member wrote can take effect any more, whose row is gone. */
  private boolean isFencedOff(Member member) {
    Key ended = MemberRow.ended(member.number());
    CompletableFuture<Void> fence =
        fences.computeIfAbsent(
            ended, key -> store.session().fenceOff(MemberRow.key(member.number())));
    if (!fence.isDone()) {
      return false;
    }
    fences.remove(ended);
    if (fence.isCompletedExceptionally()) {
      LOG.warn("A NameNode that ended is not fenced off yet member={}", member);
      return false;
    }
    try {
      commit(
          store,
          leaseMs(),
          transaction -> {
            transaction.delete(ended);
            return null;
          });
    } catch (ConflictException e) {
      return false; // of others that did the same
    }
    return true;
  }

  /**
   * Who has just joined has the time to wait for those that ended before; but its row is not
   * renewed meanwhile.
   */
  private void awaitFences() {
    long endNs = nanoTime.getAsLong() + leaseNs / RENEWALS;
    boolean isAny;
    synchronized (this) {
      isAny = !fences.isEmpty();
      for (CompletableFuture<Void> fence : fences.values()) {
        try {
          fence.get(Math.max(0, endNs - nanoTime.getAsLong()), TimeUnit.NANOSECONDS);
        } catch (ExecutionException | TimeoutException e) {
          LOG.warn("A NameNode that ended is not fenced off yet reason={}", e.toString());
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          return;
        }
      }
    }
    if (isAny) {
      look();
    }
  }

  private boolean isDead(Key key, byte[] value, long beforeNs, long afterNs) {
    Observation seen = observations.get(key);
    boolean wasThereLately = seen != null && beforeNs - seen.lastNs <= 2 * (leaseNs / RENEWALS);
    boolean isWatched = wasThereLately && Arrays.equals(seen.row, value);
    if (wasThereLately && !isWatched) {
      checkClock(MemberRow.decode(value)); // which was written since
    }
    long sinceNs = isWatched ? seen.sinceNs : afterNs;
    observations.put(key, new Observation(value, sinceNs, afterNs));
    return beforeNs - sinceNs >= leaseNs;
  }

  /** Of two that do not agree on the time the one that came later ends. */
  private void checkClock(MemberRow other) {
    long differenceMs = clock.millis() - other.writtenMs();
    if (!isLost
        && other.member().number() < self.number()
        && Math.abs(differenceMs) > CLOCK_DIFFERENCE_MS) {
      isLost = true;
      LOG.error(
          "The clock of this machine is wrong, or that of another NameNode: set them by NTP. This"
              + " one ends differenceMs={} other={}",
          differenceMs,
          other.member());
      lost.run();
    }
  }

  /** Whether it is gone now; not when it was renewed after all. */
  private boolean remove(Key key, byte[] stoodStill) {
    try {
      boolean isGone =
          commit(
              store,
              leaseMs(),
              transaction -> {
                byte[] now = transaction.get(key);
                if (Arrays.equals(now, stoodStill)) {
                  transaction.delete(key);
                  transaction.put(
                      MemberRow.ended(MemberRow.decode(now).member().number()), stoodStill);
                }
                return now == null || Arrays.equals(now, stoodStill);
              });
      if (isGone) {
        LOG.warn(
            "A NameNode is dead, as it did not renew its lease member={}",
            MemberRow.decode(stoodStill).member());
      }
      return isGone;
    } catch (ConflictException e) {
      return false; // it lives, or another one removed it: the next look tells
    }
  }

  private void publish(SortedSet<Member> found) {
    if (!found.equals(live)) {
      live = setOf(found);
      LOG.info("The NameNodes of this store changed live={}", live);
      listeners.forEach(Runnable::run);
    }
  }

  @Override
  public Member self() {
    return self;
  }

  @Override
  public SortedSet<Member> live() {
    return live;
  }

  @Override
  public void onChange(Runnable listener) {
    listeners.add(listener);
  }

  @Override
  public boolean leaseHolds() {
    return !isLost && nanoTime.getAsLong() - trustedUntilNs < 0;
  }

  @Override
  public void requireSelf(Transaction transaction) {
    transaction.guardExists(MemberRow.key(self.number()));
  }

  /** Leaves, so that nobody waits for the end of its lease. */
  @Override
  public void close() {
    if (executor != null) {
      executor.shutdownNow();
      try {
        if (!executor.awaitTermination(leaseMs(), TimeUnit.MILLISECONDS)) {
          LOG.warn("A renewal does not end self={}", self);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    isLost = true;
    try {
      commit(
          store,
          leaseMs(),
          transaction -> {
            transaction.delete(row.key());
            transaction.put(MemberRow.ended(self.number()), row.encode()); // others fence it off
            return null;
          });
    } catch (ConflictException | StoreException e) {
      LOG.warn(
          "The lease of this NameNode is left to run out self={} reason={}", self, e.toString());
    }
  }

  private long leaseMs() {
    return TimeUnit.NANOSECONDS.toMillis(leaseNs);
  }

  private static SortedSet<Member> setOf(Collection<Member> members) {
    return Collections.unmodifiableSortedSet(new TreeSet<>(members));
  }

  /**
   * Not by the runner: its threads may all wait for what hangs on this.
   *
   * @throws ConflictException when somebody was faster
   */
  private static <T> T commit(Store store, long patienceMs, Operation<T, RuntimeException> work) {
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
          "The row of a NameNode could not be written: " + e.getCause().getMessage(), e.getCause());
    } catch (TimeoutException e) {
      throw new StoreException("The row of a NameNode could not be written in time", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreException("Interrupted while the row of a NameNode was written", e);
    }
  }
}
