package io.acaciafs.rpc.limit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Which connections get memory, which wait, and which the server closes. */
class ConnectionMemoryTest {
  private static final int MIB = 1 << 20;

  private final AtomicLong nanos = new AtomicLong();
  private final ConnectionMemory memory = new ConnectionMemory(10 * MIB, nanos::get);

  /** A connection that records its events. */
  private final class Client implements ConnectionMemory.Holder {
    private final ConnectionMemory.Share share = memory.share(this);
    private int evictions;
    private int wakeUps;

    @Override
    public void evicted() {
      evictions++;
    }

    @Override
    public void memoryFreed() {
      wakeUps++;
    }
  }

  @Test
  void smallAmountsAreNotCounted() {
    Client client = new Client();
    assertThat(client.share.growRequest(10_000)).isTrue();
    client.share.calls(5_000);
    assertThat(memory.usedBytes()).isZero();
    client.share.calls(5_000);
    assertThat(memory.usedBytes()).isEqualTo(ConnectionMemory.GRAIN_BYTES);
    client.share.request(0);
    client.share.calls(-5_000);
    assertThat(memory.usedBytes()).isZero();
  }

  @Test
  void theGreatestBurdenIsEvicted() {
    Client large = new Client();
    Client old = new Client();
    Client fresh = new Client();
    assertThat(old.share.growRequest(3 * MIB)).isTrue();
    nanos.addAndGet(1000);
    assertThat(large.share.growRequest(6 * MIB)).isTrue();
    nanos.addAndGet(100);
    assertThat(fresh.share.growRequest(2 * MIB)).isTrue();
    assertThat(old.evictions).isEqualTo(1);
    assertThat(large.evictions + fresh.evictions).isZero();
    assertThat(memory.usedBytes()).isEqualTo(8 * MIB);
    assertThat(old.share.growRequest(4 * MIB)).isFalse();
    old.share.close();
    assertThat(memory.usedBytes()).isEqualTo(8 * MIB);
  }

  @Test
  void theGreatestBurdenWaitsForMemoryItself() {
    Client old = new Client();
    Client other = new Client();
    old.share.growRequest(6 * MIB);
    nanos.addAndGet(1000);
    other.share.growRequest(3 * MIB);
    assertThat(old.share.growRequest(12 * MIB)).isFalse();
    assertThat(old.share.growRequest(8 * MIB)).isFalse();
    assertThat(other.evictions).isZero();
    other.share.request(0);
    assertThat(old.wakeUps).isEqualTo(1);
    assertThat(old.share.growRequest(8 * MIB)).isTrue();
  }

  @Test
  void callsInFlightAreWaitedFor() {
    Client working = new Client();
    Client fresh = new Client();
    working.share.calls(9 * MIB);
    nanos.addAndGet(1000);
    assertThat(fresh.share.growRequest(2 * MIB)).isFalse();
    assertThat(working.evictions + fresh.evictions).isZero();
    working.share.calls(2 * MIB);
    assertThat(memory.isFull()).isTrue();
    working.share.calls(-11 * MIB);
    assertThat(fresh.wakeUps).isEqualTo(1);
    assertThat(memory.isFull()).isFalse();
    assertThat(fresh.share.growRequest(2 * MIB)).isTrue();
  }

  @Test
  void theOldestUnreadRepliesAreEvicted() {
    Client old = new Client();
    Client slow = new Client();
    old.share.replies(6 * MIB);
    nanos.addAndGet(1000);
    slow.share.replies(6 * MIB);
    assertThat(old.evictions).isEqualTo(1);
    assertThat(slow.evictions).isZero();
    slow.share.replies(0);
    assertThat(memory.usedBytes()).isZero();
  }

  @Test
  void callsOfAnEvictedConnectionAreCountedUntilTheyEnd() {
    Client mixed = new Client();
    Client fresh = new Client();
    mixed.share.calls(4 * MIB);
    mixed.share.growRequest(9 * MIB);
    mixed.share.growRequest(6 * MIB);
    nanos.addAndGet(1000);
    assertThat(fresh.share.growRequest(5 * MIB)).isTrue();
    assertThat(mixed.evictions).isEqualTo(1);
    assertThat(memory.usedBytes()).isEqualTo(9 * MIB);
    mixed.share.close();
    mixed.share.calls(-4 * MIB);
    assertThat(memory.usedBytes()).isEqualTo(5 * MIB);
  }

  /** Else both would wait for ever, and the server would not hear that they are gone. */
  @Test
  void ofTwoEqualBurdensTheOlderConnectionIsEvicted() {
    Client first = new Client();
    Client second = new Client();
    assertThat(first.share.growRequest(5 * MIB)).isTrue();
    assertThat(second.share.growRequest(5 * MIB)).isTrue();
    assertThat(first.share.growRequest(8 * MIB)).isFalse();
    assertThat(second.share.growRequest(8 * MIB)).isTrue();
    assertThat(first.evictions).isEqualTo(1);
    assertThat(second.evictions).isZero();
  }

  @Test
  void whoWaitsHearsOfAnEvictionForAnotherWhoWaitsOn() {
    Client working = new Client();
    Client waiting = new Client();
    Client large = new Client();
    Client greedy = new Client();
    working.share.calls(3 * MIB);
    waiting.share.growRequest(MIB);
    nanos.addAndGet(1000);
    large.share.growRequest(3 * MIB);
    greedy.share.growRequest(3 * MIB - 100_000);
    nanos.addAndGet(1);
    assertThat(waiting.share.growRequest(3 * MIB)).isFalse();
    nanos.addAndGet(599);
    assertThat(greedy.share.growRequest(8 * MIB)).isFalse();
    assertThat(large.evictions).isEqualTo(1);
    assertThat(waiting.wakeUps).isEqualTo(1);
    assertThat(waiting.share.growRequest(3 * MIB)).isTrue();
    assertThat(greedy.evictions).isZero();
  }
}
