package io.acaciafs.kv.raft.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class PositionWaitersTest {
  private final AtomicLong current = new AtomicLong(5);
  private final PositionWaiters waiters = new PositionWaiters();

  private CompletableFuture<Void> await(long position) {
    return waiters.await(position, current::get);
  }

  private void reach(long position) {
    current.set(position);
    waiters.reached(position);
  }

  @Test
  void eachWaitEndsWithItsPosition() {
    assertThat(await(5)).isDone();
    CompletableFuture<Void> ninth = await(9);
    CompletableFuture<Void> sixth = await(6);
    CompletableFuture<Void> alsoSixth = await(6);
    reach(6);
    assertThat(sixth).isDone();
    assertThat(alsoSixth).isDone();
    assertThat(ninth).isNotDone();
    reach(10);
    assertThat(ninth).isDone();
    assertThat(waiters.size()).isZero();
  }

  @Test
  void whoGivesUpIsForgotten() {
    CompletableFuture<Void> never = await(Long.MAX_VALUE);
    assertThat(waiters.size()).isEqualTo(1);
    never.cancel(false);
    assertThat(waiters.size()).isZero();
    reach(6);
    assertThat(never).isCancelled();
  }
}
