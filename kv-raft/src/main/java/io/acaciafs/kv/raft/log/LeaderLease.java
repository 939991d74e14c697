package io.acaciafs.kv.raft.log;

import java.util.function.LongSupplier;

/**
 * For how long no other member can lead: a follower that has heard from the leader votes for nobody
 * for the least election timeout. An entry that a majority took proves that it heard the leader
 * after the entry was sent. Safe for use by many threads.
 *
 * <p>Source: Ongaro, Consensus: Bridging Theory and Practice (2014), section 6.4.1.
 */
public final class LeaderLease {
  /** Clocks of two machines may run at different speeds. */
  private static final double SHARE_OF_TIMEOUT = 0.9;

  private final long lengthNs;
  private final LongSupplier nanoTime;

  /** Until when it is held; of the clock. */
  private volatile long endNs;

  private volatile boolean held;
  private boolean leads;

  /**
   * @param electionTimeoutMs the least time after which a follower may stand for election
   * @param nanoTime goes on while the process is stopped
   */
  public LeaderLease(long electionTimeoutMs, LongSupplier nanoTime) {
    this.lengthNs = (long) (electionTimeoutMs * 1_000_000 * SHARE_OF_TIMEOUT);
    this.nanoTime = nanoTime;
  }

  public long now() {
    return nanoTime.getAsLong();
  }

  /** This server leads; the first entry will prove it. */
  public synchronized void begin() {
    leads = true;
  }

  /** A majority took an entry. */
  public synchronized void prove(long sentNs) {
    long end = sentNs + lengthNs;
    if (leads && (!held || end - endNs > 0)) {
      endNs = end;
      held = true;
    }
  }

  /** This server leads no more, or is about to hand over. */
  public synchronized void end() {
    leads = false;
    held = false;
  }

  public boolean isHeld() {
    return held && endNs - nanoTime.getAsLong() > 0;
  }
}
