package io.acaciafs.blocks.report;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ReplicaWaitersTest {
  private static final Duration LONG = Duration.ofMinutes(10);

  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
  private final ReplicaWaiters waiters = new ReplicaWaiters(timer, 3);

  @AfterEach
  void stop() {
    timer.shutdownNow();
  }

  @Test
  void everyWaiterOfTheBlockIsWoken() {
    CompletableFuture<Boolean> one = waiters.await(1, LONG);
    CompletableFuture<Boolean> two = waiters.await(1, LONG);
    CompletableFuture<Boolean> other = waiters.await(2, LONG);
    waiters.arrived(1);
    assertThat(one).isCompletedWithValue(true);
    assertThat(two).isCompletedWithValue(true);
    assertThat(other).isNotDone();
    assertThat(waiters.waiting()).isOne();
  }

  @Test
  void waitEndsWithItsTime() throws Exception {
    assertThat(waiters.await(1, Duration.ofMillis(1)).get(10, SECONDS)).isFalse();
    timer.shutdown(); // the wait is forgotten on the timer's thread, behind its end
    assertThat(timer.awaitTermination(10, SECONDS)).isTrue();
    assertThat(waiters.waiting()).isZero();
  }

  @Test
  void cancelledWaitLeavesNothing() {
    waiters.await(1, LONG).cancel(false);
    assertThat(waiters.waiting()).isZero();
    waiters.arrived(1);
  }

  @Test
  void onlySoManyWait() {
    List<CompletableFuture<Boolean>> all = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      all.add(waiters.await(i, LONG));
    }
    assertThat(waiters.await(9, LONG)).isCompletedWithValue(false);
    waiters.arrived(0);
    assertThat(waiters.await(9, LONG)).isNotDone();
  }

  @Test
  void closingEndsAllWaitsAndAllowsNoMore() {
    CompletableFuture<Boolean> wait = waiters.await(1, LONG);
    waiters.close();
    assertThat(wait).isCompletedWithValue(false);
    assertThat(waiters.await(2, LONG)).isCompletedWithValue(false);
    assertThat(waiters.waiting()).isZero();
  }
}
