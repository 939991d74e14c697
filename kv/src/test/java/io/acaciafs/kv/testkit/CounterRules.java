package io.acaciafs.kv.testkit;

import static io.acaciafs.kv.testkit.Rows.OTHER;
import static io.acaciafs.kv.testkit.Rows.assertCommits;
import static io.acaciafs.kv.testkit.Rows.assertConflicts;
import static io.acaciafs.kv.testkit.Rows.assertHolds;
import static io.acaciafs.kv.testkit.Rows.delete;
import static io.acaciafs.kv.testkit.Rows.key;
import static io.acaciafs.kv.testkit.Rows.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.kv.Counters;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.Transaction;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Rows of counters. */
interface CounterRules extends Fixture {
  Key COUNTER = key(1, 1, 1);

  @Test
  default void sumsAddUpAndMaximaKeepTheLarger() {
    add(counters(5, 100));
    add(counters(-7, 90));
    add(counters(3, 110));
    assertThat(counter()).isEqualTo(counters(1, 110));
  }

  @Test
  default void aLongerDeltaWidensTheRow() {
    add(counters(5, 100));
    add(new Counters(new long[] {1, 2}, new long[0]));
    assertThat(counter()).isEqualTo(new Counters(new long[] {6, 2}, new long[] {100}));
  }

  @Test
  default void deltasOfOneTransactionAddUp() {
    Transaction transaction = store().begin();
    transaction.add(COUNTER, counters(1, 7));
    transaction.add(COUNTER, counters(2, 3));
    assertCommits(transaction);
    assertThat(counter()).isEqualTo(counters(3, 7));
  }

  @Test
  default void aRemovedCounterBeginsAnew() {
    add(counters(5, 100));
    delete(store(), COUNTER);
    add(counters(1, 2));
    assertThat(counter()).isEqualTo(counters(1, 2));
  }

  @Test
  default void aRowIsWrittenOrAccumulatedButNotBoth() {
    Transaction accumulated = store().begin();
    accumulated.add(COUNTER, counters(1, 1));
    assertThatThrownBy(() -> accumulated.put(COUNTER, value(1)))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> accumulated.delete(COUNTER)).isInstanceOf(IllegalStateException.class);
    Transaction written = store().begin();
    written.put(COUNTER, value(1));
    assertThatThrownBy(() -> written.add(COUNTER, counters(1, 1)))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  default void whoGuardsACounterConflictsWithADelta() {
    Transaction guarding = store().begin();
    guarding.get(COUNTER);
    guarding.put(key(2), value(2));
    Transaction requiring = store().begin();
    requiring.guardExists(COUNTER);
    requiring.put(key(3), value(3));
    add(counters(1, 1));
    assertConflicts(guarding.commit());
    assertHolds(requiring.commit());
  }

  @Test
  default void aGuardOfTheSameTransactionHolds() {
    Transaction transaction = store().begin();
    transaction.get(COUNTER);
    transaction.add(COUNTER, counters(4, 4));
    assertHolds(transaction.commit());
    assertThat(counter()).isEqualTo(counters(4, 4));
  }

  @Test
  default void whoAddsToWhatHeHasReadConflictsWithADelta() {
    Transaction transaction = store().begin();
    transaction.get(COUNTER);
    transaction.add(COUNTER, counters(4, 4));
    add(counters(1, 1));
    assertConflicts(transaction.commit());
    assertThat(counter()).isEqualTo(counters(1, 1));
  }

  @Test
  default void whoRequiresACounterDoesNotMakeIt() {
    Transaction transaction = store().begin();
    transaction.guardExists(COUNTER);
    transaction.add(COUNTER, counters(1, 1));
    assertConflicts(transaction.commit());
    assertThat(store().get(COUNTER)).isNull();
  }

  @Test
  default void deltasOfTransactionsUnderWayDoNotConflict() {
    Transaction first = store().begin();
    first.add(COUNTER, counters(1, 1));
    Transaction second = store().begin();
    second.add(COUNTER, counters(2, 2));
    assertHolds(second.commit());
    assertHolds(first.commit());
    assertThat(counter()).isEqualTo(counters(3, 2));
  }

  @Test
  default void manyThreadsAddWithoutASingleConflict() throws Exception {
    Key far = key(OTHER, 8, 8, 8, 8);
    Threads.run(
        4,
        thread ->
            () -> {
              List<CompletableFuture<Void>> commits = new ArrayList<>();
              for (int i = 1; i <= 250; i++) {
                Transaction transaction = store().begin();
                transaction.add(COUNTER, counters(1, 1_000L * thread + i));
                transaction.add(far, counters(2, i));
                commits.add(transaction.commit());
              }
              commits.forEach(Rows::assertHolds);
              return null;
            });
    assertThat(counter()).isEqualTo(counters(1_000, 3_250));
    assertThat(Counters.decode(store().get(far))).isEqualTo(counters(2_000, 250));
  }

  private void add(Counters delta) {
    Transaction transaction = store().begin();
    transaction.add(COUNTER, delta);
    assertCommits(transaction);
  }

  private Counters counter() {
    return Counters.decode(store().get(COUNTER));
  }

  private static Counters counters(long sum, long maximum) {
    return new Counters(new long[] {sum}, new long[] {maximum});
  }
}
