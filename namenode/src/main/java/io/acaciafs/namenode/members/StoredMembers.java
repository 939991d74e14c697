package io.acaciafs.namenode.members;

import io.acaciafs.kv.ConflictException;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.Store;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.Transaction;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Members in the store. Each renews its row several times a lease ({@link OwnLease}), and watches
 * the rows of the others ({@link LeaseWatch}). A member whose lease has expired is dead: its row is
 * removed, it is fenced off ({@link MemberFences}), and it never comes back under its number.
 *
 * <p>No clocks of two machines are compared. A member stops relying on its lease before another one
 * may take it for dead, also when its process stood still meanwhile: the clock has to run on then,
 * as {@link System#nanoTime} does. A renewal that is under way when the row is removed fails, as it
 * requires the row.
 *
 * <p>Renewals happen on the one thread of the given executor, looks on any thread.
 */
public final class StoredMembers implements Members {
  private static final Logger LOG = LoggerFactory.getLogger(StoredMembers.class);

  /** What clocks may differ, and a row be old that was just seen to change. */
  private static final long CLOCK_DIFFERENCE_MS = 60_000;

  private final Store store;
  private final LeaseTimes times;
  private final OwnLease lease;
  private final Predicate<Member> hasEnded;
  private final Runnable lost;
  private final Member self;
  private final LeaseWatch watch;
  private final MemberFences fences;
  private final DepartedMembers departed;
  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
  private @Nullable ScheduledExecutorService executor;
  private volatile SortedSet<Member> live;

  private StoredMembers(
      Store store, LeaseTimes times, OwnLease lease, Predicate<Member> hasEnded, Runnable lost) {
    this.store = store;
    this.times = times;
    this.lease = lease;
    this.hasEnded = hasEnded;
    this.lost = lost;
    this.self = lease.owner();
    this.watch = new LeaseWatch(times, this::checkClock);
    this.fences = new MemberFences(store, times);
    this.departed = new DepartedMembers(times);
    this.live = setOf(List.of(self));
  }

  /**
   * Becomes a member, and knows the others when it returns. Nothing is renewed until {@link #run}.
   *
   * @param host where the others reach it
   * @param random makes the secret up: a strong one
   * @param last whose end this process knows; this member is the next one
   * @param lost run once, when this NameNode must not serve any more: the others took it for dead,
   *     or its clock is wrong
   * @throws StoreException when the store cannot be written
   */
  public static StoredMembers join(
      Store store,
      String host,
      int port,
      LeaseTimes times,
      RandomGenerator random,
      LastMember last,
      Runnable lost) {
    Predicate<Member> hasEnded = last.read();
    OwnLease lease = OwnLease.take(store, host, port, times, random);
    last.write(lease.owner());
    store.session().bindTo(MemberRow.key(lease.owner().number()));
    StoredMembers members = new StoredMembers(store, times, lease, hasEnded, lost);
    members.look();
    members.awaitFences();
    LOG.info("Joined as a NameNode of this store self={} live={}", members.self, members.live);
    return members;
  }

  /**
   * Renews from now on, at once for the first time, and looks at the others.
   *
   * @param renewals has one thread; shut down at the close
   */
  public void run(ScheduledExecutorService renewals) {
    executor = renewals;
    renewals.scheduleWithFixedDelay(this::tick, 0, times.renewalNs(), TimeUnit.NANOSECONDS);
  }

  /**
   * Renews and looks, once, as one transaction. No other thread looks meanwhile, so an older result
   * never replaces a newer one.
   */
  synchronized void tick() {
    if (lease.isLost()) {
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
    MemberSight sight = lease.renew();
    if (sight != null) {
      judge(sight);
    } else {
      lease.lose();
      LOG.error("The other NameNodes took this one for dead, so it ends self={}", self);
      lost.run();
    }
  }

  @Override
  public synchronized void look() {
    judge(MemberSight.of(store, times));
  }

  /** Decides which members are alive. */
  private void judge(MemberSight sight) {
    Map<Key, byte[]> rows = sight.rows();
    rows.remove(MemberRow.key(self.number()));
    rows.keySet().removeIf(key -> !MemberRow.isMember(key));
    watch.retain(rows.keySet()).forEach(departed::add);
    fences.retain(rows.keySet());
    SortedSet<Member> found = new TreeSet<>(Set.of(self));
    rows.forEach(
        (key, value) -> {
          Member member = MemberRow.decode(value).member();
          boolean isEnded =
              MemberRow.isEnded(key)
                  || (watch.hasExpired(key, value, sight.beforeNs(), sight.afterNs())
                          || hasEnded.test(member))
                      && remove(key, value);
          if (!isEnded || !fences.isFencedOff(member)) {
            found.add(member);
          }
        });
    publish(found);
  }

  /**
   * A member that has just joined has the time to wait for those that ended before; but its row is
   * not renewed meanwhile.
   */
  private void awaitFences() {
    boolean isAny;
    synchronized (this) {
      isAny = fences.await();
    }
    if (isAny) {
      look();
    }
  }

  /** Of two members that do not agree on the time the one that came later ends. */
  private void checkClock(MemberRow other) {
    long differenceMs = times.nowMs() - other.writtenMs();
    if (!lease.isLost()
        && other.member().number() < self.number()
        && Math.abs(differenceMs) > CLOCK_DIFFERENCE_MS) {
      lease.lose();
      LOG.error(
          "The clock of this machine is wrong, or that of another NameNode: set them by NTP. This"
              + " one ends differenceMs={} other={}",
          differenceMs,
          other.member());
      lost.run();
    }
  }

  /** Whether the row is gone now; not when it was renewed after all. */
  private boolean remove(Key key, byte[] stoodStill) {
    try {
      boolean isGone =
          MemberTable.commit(
              store,
              times.leaseMs(),
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
            "A NameNode is dead, as it did not renew its lease, or has a successor here member={}",
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
  public List<DepartedMember> departed() {
    return departed.known(live);
  }

  @Override
  public void onChange(Runnable listener) {
    listeners.add(listener);
  }

  @Override
  public boolean leaseHolds() {
    return lease.holds();
  }

  @Override
  public void requireSelf(Transaction transaction) {
    transaction.guardExists(MemberRow.key(self.number()));
  }

  /** Leaves, so that no member waits for the end of its lease. */
  @Override
  public void close() {
    if (executor != null) {
      executor.shutdownNow();
      try {
        if (!executor.awaitTermination(times.leaseMs(), TimeUnit.MILLISECONDS)) {
          LOG.warn("A renewal does not end self={}", self);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    try {
      lease.giveBack();
    } catch (ConflictException | StoreException e) {
      LOG.warn(
          "The lease of this NameNode is left to run out self={} reason={}", self, e.toString());
    }
  }

  private static SortedSet<Member> setOf(Collection<Member> members) {
    return Collections.unmodifiableSortedSet(new TreeSet<>(members));
  }
}
