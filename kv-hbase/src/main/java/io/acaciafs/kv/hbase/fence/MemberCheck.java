package io.acaciafs.kv.hbase.fence;

import io.acaciafs.kv.FencedOffException;
import io.acaciafs.kv.hbase.client.LostRequest;
import io.acaciafs.kv.hbase.client.Outcome;
import io.acaciafs.kv.hbase.lock.LockResolver;
import io.acaciafs.kv.hbase.region.IdempotentRequests;
import io.acaciafs.kv.hbase.region.Membership;
import java.util.random.RandomGenerator;

/**
 * Finds out whether this process is still a member, and the results of its requests whose replies
 * were lost. Blocks; safe for use by many threads.
 */
public final class MemberCheck {
  private final Membership membership;
  private final IdempotentRequests requests;
  private final LockResolver locks;
  private final RandomGenerator random;

  public MemberCheck(
      Membership membership,
      IdempotentRequests requests,
      LockResolver locks,
      RandomGenerator random) {
    this.membership = membership;
    this.requests = requests;
    this.locks = locks;
    this.random = random;
  }

  /**
   * Checks that HBase may still apply what this process writes; an unbound process is never fenced
   * off.
   *
   * @throws FencedOffException if another process removed this process's row
   */
  public void requireMember() {
    if (membership.isBound()
        && !requests.send(membership.whileMember(random), "see a row")
        && !locks.read(membership.row()).exists()) {
      throw FencingTokens.fencedOff();
    }
  }

  /** Whether a request with a lost reply was applied. */
  public boolean wasApplied(LostRequest lost) {
    return lost.wasApplied(this::requireMember);
  }

  /** The outcome of a request, also if its reply was lost. */
  public Outcome resolve(Outcome outcome) {
    if (outcome instanceof Outcome.Unknown unknown && unknown.lost() != null) {
      return wasApplied(unknown.lost()) ? Outcome.APPLIED : Outcome.REFUSED;
    }
    return outcome;
  }
}
