package io.acaciafs.kv.raft;

import io.acaciafs.kv.engine.Replica;
import io.acaciafs.kv.raft.log.LeaderLease;
import io.acaciafs.kv.raft.log.RaftLog;
import io.acaciafs.kv.rocksdb.RocksDbStore;
import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether this member leads. Ratis says so; then the thread {@code raft-role} begins a term of the
 * store and has the NameNode serve, and ends both when leadership is lost. The thread {@code
 * raft-lease} shows again and again that this member leads still. Safe for use by many threads.
 */
final class MemberRole {
  private static final Logger LOG = LoggerFactory.getLogger(MemberRole.class);
  private static final long LONGEST_END_MS = 60_000;

  private final String self;
  private final MemberStore store;
  private final RaftLog log;
  private final LeaderLease lease;
  private final LeaderHistory leaders;
  private final HandOver handOver;
  private final Consumer<Throwable> onFailure;
  private final ExecutorService role =
      Executors.newSingleThreadExecutor(task -> new Thread(task, "raft-role"));
  private final ScheduledExecutorService proofs =
      Executors.newSingleThreadScheduledExecutor(task -> new Thread(task, "raft-lease"));

  private volatile Replica.@Nullable Listener listener;

  /** The term that Ratis has this member lead; 0: none. */
  private final AtomicLong electedTerm = new AtomicLong();

  /** Whether the listener was told to lead, and does. */
  private volatile boolean serves;

  /** Whether the listener failed to lead, so that another member is to. */
  private volatile boolean cannotServe;

  /** Whether another member is asked to lead. */
  private final AtomicBoolean handsOver = new AtomicBoolean();

  private volatile boolean proofUnderWay;
  private volatile boolean ends;

  /**
   * @param onFailure is told when this process no longer knows what it is
   */
  MemberRole(
      String self,
      MemberStore store,
      RaftLog log,
      LeaderLease lease,
      LeaderHistory leaders,
      HandOver handOver,
      Consumer<Throwable> onFailure) {
    this.self = self;
    this.store = store;
    this.log = log;
    this.lease = lease;
    this.leaders = leaders;
    this.handOver = handOver;
    this.onFailure = onFailure;
  }

  /**
   * Before Ratis starts.
   *
   * @param newListener is told to serve, and to serve no more
   */
  void start(Replica.Listener newListener) {
    listener = newListener;
  }

  /**
   * After Ratis has started.
   *
   * @param noteLeader runs each time before it shows that it leads
   */
  void startProofs(long periodMs, Runnable noteLeader) {
    proofs.scheduleAtFixedRate(() -> prove(noteLeader), periodMs, periodMs, TimeUnit.MILLISECONDS);
  }

  /** Shows that this member leads still, also when nobody writes. */
  private void prove(Runnable noteLeader) {
    try {
      noteLeader.run();
      RocksDbStore leading = store.leading();
      boolean failed = leading != null && leading.writeFailure() != null;
      if ((cannotServe || failed) && isElected() && !handsOver.get()) {
        stepDown(failed ? "the store of " + self + " failed" : self + " could not serve");
      } else if (log.term() != 0 && !proofUnderWay) {
        proofUnderWay = true;
        log.readBarrier().whenComplete((nothing, failure) -> proofUnderWay = false);
      }
    } catch (RuntimeException e) {
      LOG.warn("Cannot show that this member leads", e);
    }
  }

  /**
   * It leads, and has applied all entries of its predecessors. Ratis may say so after it has said
   * that the term was lost.
   *
   * @param leads whether it leads in that term still
   */
  void elected(long term, BooleanSupplier leads) {
    electedTerm.set(term);
    onRoleThread(() -> beginTerm(term, leads));
  }

  /** It leads no more, or has never begun to. */
  void lost() {
    electedTerm.set(0);
    log.end();
    onRoleThread(this::endTerm);
  }

  boolean isElected() {
    return electedTerm.get() != 0;
  }

  /** Whether it leads, and the NameNode serves. */
  boolean serves() {
    return serves && isElected();
  }

  private void onRoleThread(Runnable task) {
    if (!role.isShutdown()) {
      role.execute(
          () -> {
            try {
              task.run();
            } catch (Throwable e) { // this process no longer knows what it is
              onFailure.accept(e);
            }
          });
    }
  }

  private void beginTerm(long term, BooleanSupplier leads) {
    if (electedTerm.get() != term || ends) {
      return;
    }
    if (!leads.getAsBoolean()) { // nothing will end the term: it has ended before
      electedTerm.compareAndSet(term, 0);
      return;
    }
    RocksDbStore begun = store.begin(term);
    LOG.info("This member leads member={} term={} position={}", self, term, log.durable());
    if (electedTerm.get() != term) {
      log.end(); // lost in between
    }
    try {
      cannotServe = false;
      listener().lead(begun, term);
      serves = true;
    } catch (IOException | RuntimeException e) {
      LOG.error("This member cannot serve, so another one is to lead member={}", self, e);
      endTerm(); // entries of it that are under way come as those of other leaders
      cannotServe = true;
    }
  }

  private void endTerm() {
    store.end(this::serveNoMore);
  }

  private void serveNoMore() {
    LOG.info("This member leads no more member={} position={}", self, log.durable());
    if (serves) {
      serves = false;
      listener().follow();
    }
  }

  /**
   * @throws IllegalStateException before {@link #start}
   */
  Replica.Listener listener() {
    Replica.Listener told = listener;
    if (told == null) {
      throw new IllegalStateException("Not started");
    }
    return told;
  }

  /** Leads no more: hands over, or has all elect a leader where no other member can lead. */
  void stepDown(String why) {
    try {
      handOver("", why);
    } catch (IOException e) {
      LOG.warn("Cannot hand over member={}", self, e);
      if (!handsOver.get()) {
        endElectedTerm(why);
      }
    }
  }

  /**
   * Hands over, where this member leads; returns when another one does.
   *
   * @param to another member; empty: any
   * @param why in words for people
   * @throws IOException with a sentence for people, when this member leads on, or all elect a
   *     leader
   */
  void handOver(String to, String why) throws IOException {
    if (!isElected() || to.equals(self)) {
      return;
    }
    if (!handsOver.compareAndSet(false, true)) {
      throw new IOException(self + " hands over already");
    }
    try {
      handOverTo(handOver.choose(to), why);
    } finally {
      handsOver.set(false);
    }
  }

  private void handOverTo(String next, String why) throws IOException {
    lease.end(); // the one that is asked stands for election without waiting
    leaders.handsOver(why);
    try {
      handOver.to(next);
    } catch (IOException e) {
      // it may stand for election later in this term, whatever a lease says
      endElectedTerm("the hand-over to " + next + " failed");
      throw e;
    }
  }

  private void endElectedTerm(String why) {
    if (!isElected()) {
      return;
    }
    LOG.warn("All elect a leader: {} member={}", why, self);
    leaders.handsOver(why);
    try {
      handOver.endTerm();
    } catch (IOException e) {
      LOG.warn("Cannot step down member={}", self, e);
    }
  }

  /** Ends the term, if there is one, without handing over. */
  void end() {
    ends = true;
    lease.end();
    proofs.shutdownNow();
    try {
      role.submit(this::endTerm).get(LONGEST_END_MS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      LOG.warn("The store did not end in order member={}", self, e);
    }
    role.shutdown();
  }
}
