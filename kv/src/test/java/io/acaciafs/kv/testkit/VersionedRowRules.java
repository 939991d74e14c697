package io.acaciafs.kv.testkit;

import static io.acaciafs.kv.testkit.Rows.assertConflicts;
import static io.acaciafs.kv.testkit.Rows.assertHolds;
import static io.acaciafs.kv.testkit.Rows.delete;
import static io.acaciafs.kv.testkit.Rows.failureOf;
import static io.acaciafs.kv.testkit.Rows.key;
import static io.acaciafs.kv.testkit.Rows.put;
import static io.acaciafs.kv.testkit.Rows.value;
import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.Transaction;
import io.acaciafs.kv.VersionedRow;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What one transaction saw and another relies on. */
interface VersionedRowRules extends Fixture {
  Key SEEN = key(1);

  @Test
  default void whatIsSeenIsReadAndGuarded() {
    put(store(), SEEN, value(1));
    Transaction transaction = store().begin();
    assertThat(transaction.getVersioned(SEEN).value()).isEqualTo(value(1));
    assertThat(transaction.getVersioned(key(2)).value()).isNull();
    transaction.put(key(3), value(3));
    put(store(), key(2), value(2));
    assertConflicts(transaction.commit());
  }

  @Test
  default void whatIsAssumedIsGuarded() {
    put(store(), SEEN, value(1));
    VersionedRow versioned = store().begin().getVersioned(SEEN);
    Transaction holds = store().begin();
    Transaction late = store().begin();
    assertThat(holds.guard(versioned)).isTrue();
    assertThat(late.guard(versioned)).isTrue();
    holds.put(SEEN, value(2));
    late.put(key(3), value(3));
    assertHolds(holds.commit());
    assertConflicts(late.commit());
  }

  @Test
  default void whatChangedIsNotAssumedAndGuardsNothing() {
    put(store(), SEEN, value(1));
    VersionedRow present = store().begin().getVersioned(SEEN);
    VersionedRow absent = store().begin().getVersioned(key(2));
    delete(store(), SEEN);
    put(store(), key(2), value(2));
    Transaction transaction = store().begin();
    assertThat(transaction.guard(present)).isFalse();
    assertThat(transaction.guard(absent)).isFalse();
    transaction.put(key(3), value(3));
    put(store(), SEEN, value(4));
    assertHolds(transaction.commit());
  }

  @Test
  default void whatIsAssumedAbsentConflictsWithWhoWritesIt() {
    Transaction early = store().begin();
    early.guardAbsent(SEEN);
    early.put(key(2), value(2));
    Transaction late = store().begin();
    late.guardAbsent(SEEN);
    late.put(SEEN, value(3));
    assertHolds(early.commit());
    put(store(), SEEN, value(4));
    assertConflicts(late.commit());
    assertThat(store().get(SEEN)).isEqualTo(value(4));
  }

  /** Two rows always change together. */
  @Test
  default void whatIsAssumedHoldsTogetherWithWhatIsRead() throws Exception {
    AtomicInteger rounds = new AtomicInteger();
    Threads.run(
        3,
        thread ->
            () -> {
              VersionedRow versioned = store().begin().getVersioned(SEEN);
              while (rounds.get() < racedCommits()) {
                Transaction transaction = store().begin();
                if (thread == 0) {
                  int round = rounds.incrementAndGet();
                  transaction.put(SEEN, value(round));
                  transaction.put(key(2), value(round));
                  assertHolds(transaction.commit());
                } else {
                  if (!transaction.guard(versioned)) {
                    versioned = transaction.getVersioned(SEEN);
                  }
                  byte[] other = transaction.get(key(2));
                  if (failureOf(transaction.validate()) == null) {
                    assertThat(versioned.value()).isEqualTo(other);
                  }
                }
              }
              return null;
            });
  }
}
