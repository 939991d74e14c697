package io.acaciafs.namenode.monitor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.memory.MemoryStore;
import java.time.Clock;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.hadoop.hdfs.protocol.ReplicatedBlockStats;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class StoreFiguresTest {
  private volatile Supplier<Long> tokens = () -> 1L;
  private final ExecutorService reader = Executors.newSingleThreadExecutor();
  private final CountDownLatch answers = new CountDownLatch(1);
  private final StoreFigures figures =
      new StoreFigures(
          new RowCounts(new MemoryStore(), Set.of(), Clock.systemUTC()),
          () -> new ReplicatedBlockStats(7, 0, 0, 0, 0, 0),
          () -> tokens.get(),
          reader);

  @AfterEach
  void close() {
    answers.countDown();
    reader.shutdownNow();
  }

  private Long whenTheStoreAnswers() {
    try {
      assertThat(answers.await(50, TimeUnit.SECONDS)).isTrue();
      return 2L;
    } catch (InterruptedException e) {
      throw new StoreException("Interrupted", e);
    }
  }

  @Test
  void whatWasReadLastIsShownWhileTheStoreDoesNotAnswer() {
    assertThat(figures.look().tokens()).isEqualTo(1);
    assertThat(figures.look().blocks().getLowRedundancyBlocks()).isEqualTo(7);
    tokens = this::whenTheStoreAnswers;

    StoreFigures.Look look = figures.look();
    for (int i = 0; i < 1_000; i++) { // which would take minutes if each of them waited
      assertThat(look.tokens()).isEqualTo(1);
      assertThat(look.blocks().getLowRedundancyBlocks()).isEqualTo(7);
    }
    answers.countDown();
    awaitTokens(2);
  }

  @Test
  void aStartDoesNotWaitForTheStoreEither() {
    tokens = this::whenTheStoreAnswers;
    StoreFigures.Look look = figures.look();
    assertThat(look.tokens()).isZero();
    assertThat(look.blocks().getLowRedundancyBlocks()).isZero();
    assertThat(look.rows("blocks")).isNull();
    answers.countDown();
    awaitTokens(2);
    assertThat(figures.look().blocks().getLowRedundancyBlocks()).isEqualTo(7);
  }

  private void awaitTokens(long count) {
    while (figures.look().tokens() != count) {
      Thread.onSpinWait();
    }
  }

  @Test
  void aReadThatFailsIsSaidAndTheNextOneIsMade() {
    assertThat(figures.look().tokens()).isEqualTo(1);
    tokens =
        () -> {
          throw new StoreException("No region server");
        };
    assertThatThrownBy(() -> figures.look().tokens())
        .isInstanceOf(StoreException.class)
        .hasMessage("No region server");
    tokens = () -> 3L;
    assertThat(figures.look().tokens()).isEqualTo(3);
  }
}
