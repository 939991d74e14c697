package io.acaciafs.kv.raft;

import io.acaciafs.kv.engine.ReplicaStatus.LeaderChange;
import io.acaciafs.kv.engine.ReplicaStatus.Leaders;
import java.time.Clock;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Which leaders this member has known since its start, and why one took the place of another one.
 * It tells a reason only where this member knows it: a member that is elected though it heard the
 * leader within the least election timeout was asked to stand by that leader. Safe for use by many
 * threads, none of which waits.
 */
final class LeaderHistory {
  private final String self;
  private final long electionTimeoutMs;
  private final LongSupplier nanoTime;
  private final Clock clock;

  /** The last one that was known; empty: none was. */
  private String leader = "";

  private long term;

  /** When that leader was last heard, or when this member began; of the clock. */
  private long heardNs;

  /** Whether this member follows no leader now, and since when; of the clock. */
  private boolean isLost;

  private long lostNs;

  /** Why this member is about to lead no more; empty: it is not. */
  private String handsOver = "";

  private long changes;
  private @Nullable LeaderChange last;

  /**
   * @param electionTimeoutMs the least time after which a follower may stand for election
   * @param clock tells when a leader changed
   */
  LeaderHistory(String self, long electionTimeoutMs, LongSupplier nanoTime, Clock clock) {
    this.self = self;
    this.electionTimeoutMs = electionTimeoutMs;
    this.nanoTime = nanoTime;
    this.clock = clock;
    this.heardNs = nanoTime.getAsLong();
  }

  /** The leader was heard, some time ago; is told several times in an election timeout. */
  synchronized void heard(String from, long silentMs) {
    long atNs = nanoTime.getAsLong() - TimeUnit.MILLISECONDS.toNanos(silentMs);
    if (from.equals(leader) && atNs - heardNs > 0) {
      heardNs = atNs;
    }
  }

  /** No leader is known, since some time ago: an election is under way. */
  synchronized void lost(long sinceMs) {
    if (!isLost) {
      lostNs = nanoTime.getAsLong() - TimeUnit.MILLISECONDS.toNanos(sinceMs);
      isLost = true;
    }
  }

  /** This member, which leads, is about to lead no more. */
  synchronized void handsOver(String why) {
    handsOver = why;
  }

  synchronized void leaderIs(String newLeader, long newTerm) {
    boolean isSame = newLeader.equals(leader) && newTerm == term; // it was out of reach
    if (leader.isEmpty()) {
      if (newLeader.equals(self)) {
        last = change(newLeader, "first election since " + self + " started");
      }
    } else if (!isSame) {
      changes++;
      last = change(newLeader, reason(newLeader));
    }
    if (!isSame) {
      leader = newLeader;
      term = newTerm;
      handsOver = "";
    }
    heardNs = nanoTime.getAsLong();
    isLost = false;
  }

  private LeaderChange change(String to, String why) {
    return new LeaderChange(clock.millis(), leader, to, why);
  }

  private String reason(String newLeader) {
    if (leader.equals(self)) {
      return handsOver;
    }
    long silentMs = silentMs(isLost ? lostNs : nanoTime.getAsLong());
    if (silentMs >= electionTimeoutMs) {
      return leader + " was not heard for " + silentMs + " ms";
    }
    return newLeader.equals(self) ? leader + " handed over" : "";
  }

  private long silentMs(long untilNs) {
    return TimeUnit.NANOSECONDS.toMillis(Math.max(0, untilNs - heardNs));
  }

  /**
   * @param leads whether this member does
   */
  synchronized Leaders read(boolean leads) {
    return new Leaders(leads ? 0 : silentMs(nanoTime.getAsLong()), changes, last);
  }
}
