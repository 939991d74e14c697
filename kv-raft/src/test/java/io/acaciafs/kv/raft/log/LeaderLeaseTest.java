package io.acaciafs.kv.raft.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LeaderLeaseTest {
  private static final long MS = 1_000_000;
  private final AtomicLong nowNs = new AtomicLong(Long.MAX_VALUE - 300 * MS);
  private final LeaderLease lease = new LeaderLease(500, nowNs::get);

  private void pass(long ms) {
    nowNs.addAndGet(ms * MS);
  }

  @Test
  void isHeldForLessThanAnElectionTakesFromWhenAnEntryWasSent() {
    assertThat(lease.isHeld()).isFalse();
    lease.begin();
    assertThat(lease.isHeld()).as("nothing has proved it").isFalse();
    long sentNs = lease.now();
    pass(100);
    lease.prove(sentNs);
    pass(349);
    assertThat(lease.isHeld()).isTrue();
    pass(2);
    assertThat(lease.isHeld()).isFalse();
  }

  @Test
  void anEarlierEntryDoesNotShortenIt() {
    lease.begin();
    long earlierNs = lease.now();
    pass(300);
    lease.prove(lease.now());
    lease.prove(earlierNs);
    pass(400);
    assertThat(lease.isHeld()).isTrue();
  }

  @Test
  void endsWithTheTermAndIsNotProvedAfter() {
    lease.begin();
    lease.prove(lease.now());
    lease.end();
    assertThat(lease.isHeld()).isFalse();
    lease.prove(lease.now());
    assertThat(lease.isHeld()).as("what comes late proves nothing").isFalse();
    lease.begin();
    lease.prove(lease.now());
    assertThat(lease.isHeld()).isTrue();
  }
}
