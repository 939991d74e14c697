package io.acaciafs.kv.testkit;

import static io.acaciafs.kv.testkit.Rows.OTHER;
import static io.acaciafs.kv.testkit.Rows.PARTITIONED;
import static io.acaciafs.kv.testkit.Rows.assertConflicts;
import static io.acaciafs.kv.testkit.Rows.assertHolds;
import static io.acaciafs.kv.testkit.Rows.delete;
import static io.acaciafs.kv.testkit.Rows.failureOf;
import static io.acaciafs.kv.testkit.Rows.key;
import static io.acaciafs.kv.testkit.Rows.put;
import static io.acaciafs.kv.testkit.Rows.scan;
import static io.acaciafs.kv.testkit.Rows.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Transaction;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** When a commit conflicts, and what it leaves. */
interface GuardRules extends Fixture {
  Key ROW = key(1);
  Key FAR = key(OTHER, 9, 9, 9, 9);

  @Test
  default void aRowThatStaysTheSameHolds() {
    put(store(), ROW, value(1));
    Transaction transaction = reading(ROW);
    transaction.put(ROW, value(2));
    put(store(), key(2), value(3));
    assertHolds(transaction.commit());
    assertThat(store().get(ROW)).isEqualTo(value(2));
  }

  @Test
  default void aRowThatChangedConflictsAndNothingIsWritten() {
    put(store(), ROW, value(1));
    Transaction transaction = reading(ROW);
    transaction.put(key(2), value(2));
    transaction.put(FAR, value(2));
    put(store(), ROW, value(3));
    assertConflicts(transaction.commit());
    assertThat(store().get(key(2))).isNull();
    assertThat(store().get(FAR)).isNull();
  }

  @Test
  default void aRowThatWasRemovedConflicts() {
    put(store(), ROW, value(1));
    Transaction transaction = writing(reading(ROW));
    delete(store(), ROW);
    assertConflicts(transaction.commit());
  }

  @Test
  default void anAbsentRowIsGuardedToo() {
    Transaction holds = reading(ROW);
    holds.put(ROW, value(1));
    Transaction late = reading(key(2));
    late.put(key(2), value(2));
    assertHolds(holds.commit());
    put(store(), key(2), value(3));
    assertConflicts(late.commit());
    assertThat(store().get(key(2))).isEqualTo(value(3));
  }

  /** An engine may remember it, and be wrong once. */
  @Test
  default void whatIsRecalledIsGuarded() {
    put(store(), ROW, value(1));
    assertThat(store().begin().remoteReads().recall(ROW)).isEqualTo(value(1));
    Transaction late = store().begin();
    assertThat(late.remoteReads().recall(ROW)).isEqualTo(value(1));
    late.put(ROW, value(3));
    put(store(), ROW, value(2));
    assertConflicts(late.commit());
    Transaction again = store().begin();
    assertThat(again.remoteReads().recall(ROW)).isEqualTo(value(2));
    again.put(FAR, value(3));
    assertHolds(again.commit());
    delete(store(), ROW);
    Transaction last = store().begin();
    assertThat(last.remoteReads().recall(ROW)).isNull();
    last.put(ROW, value(4));
    assertHolds(last.commit());
    assertThat(store().begin().remoteReads().recall(ROW)).isEqualTo(value(4));
  }

  /** Whether it is there or not: that is a hint. */
  @Test
  default void aRowIsReplacedOrPut() {
    for (int i = 1; i < 3; i++) {
      Transaction transaction = store().begin();
      transaction.remoteReads().replace(ROW, value(i));
      transaction.remoteReads().replace(FAR, value(i));
      assertHolds(transaction.commit());
      assertThat(store().get(ROW)).isEqualTo(value(i));
      assertThat(store().get(FAR)).isEqualTo(value(i));
    }
  }

  @Test
  default void theFirstOfTwoReadsIsTheGuard() {
    put(store(), ROW, value(1));
    Transaction transaction = reading(ROW);
    put(store(), ROW, value(2));
    transaction.get(ROW);
    transaction.put(key(2), value(2));
    assertConflicts(transaction.commit());
  }

  @Test
  default void everyGuardCountsWhereverItsPartition() {
    for (Key guarded : List.of(key(5, 5), FAR)) {
      Transaction transaction = store().begin();
      transaction.get(key(5, 5));
      transaction.get(FAR);
      transaction.put(key(6, 6), value(1));
      put(store(), guarded, value(2));
      assertConflicts(transaction.commit());
    }
    assertThat(store().get(key(6, 6))).isNull();
  }

  @Test
  default void peeksAndScansGuardNothing() {
    put(store(), ROW, value(1));
    Transaction transaction = store().begin();
    transaction.unguarded().get(ROW);
    scan(transaction.unguarded(), KeyRange.ofTable(PARTITIONED));
    transaction.put(key(2), value(2));
    put(store(), ROW, value(3));
    put(store(), key(3), value(3));
    assertHolds(transaction.commit());
  }

  @Test
  default void aRequiredRowMayChangeButNotGo() {
    put(store(), ROW, value(1));
    Transaction changed = writing(requiring(ROW));
    Transaction gone = writing(requiring(ROW));
    put(store(), ROW, value(2));
    assertHolds(changed.commit());
    delete(store(), ROW);
    assertConflicts(gone.commit());
  }

  @Test
  default void aRequiredRowCountsAtTheCommit() {
    Transaction transaction = writing(requiring(ROW));
    put(store(), ROW, value(1));
    assertHolds(transaction.commit());
    assertConflicts(requiring(key(7)).commit());
  }

  @Test
  default void aRequiredRowMayBeWrittenByTheSameTransaction() {
    put(store(), ROW, value(1));
    Transaction transaction = requiring(ROW);
    transaction.delete(ROW);
    assertHolds(transaction.commit());
    Transaction again = requiring(ROW);
    again.put(ROW, value(2));
    assertConflicts(again.commit());
    assertThat(store().get(ROW)).isNull();
  }

  @Test
  default void aCommitWithoutWritesChecksItsGuards() {
    put(store(), ROW, value(1));
    Transaction late = reading(ROW);
    late.get(key(4)); // what was read last may count as of that moment
    assertHolds(reading(ROW).commit());
    put(store(), ROW, value(2));
    assertConflicts(late.commit());
    assertHolds(store().begin().commit());
  }

  @Test
  default void validationChecksGuardsAndWritesNothing() {
    put(store(), ROW, value(1));
    Transaction holds = writing(reading(ROW));
    Transaction late = writing(reading(ROW));
    late.get(key(4));
    Transaction gone = requiring(key(3));
    assertHolds(holds.validate());
    assertThat(store().get(key(2))).isNull();
    put(store(), ROW, value(2));
    assertConflicts(late.validate());
    assertConflicts(gone.validate());
    assertThat(store().get(key(2))).isNull();
  }

  /** A row is there exactly while another says so. */
  @Test
  default void whatIsRequiredHoldsTogetherWithWhatIsRead() throws Exception {
    AtomicInteger rounds = new AtomicInteger();
    Threads.run(
        3,
        thread ->
            () -> {
              while (rounds.get() < racedCommits()) {
                Transaction transaction = store().begin();
                if (thread == 0) {
                  boolean isThere = rounds.incrementAndGet() % 2 == 1;
                  transaction.put(ROW, value(isThere ? 1 : 0));
                  if (isThere) {
                    transaction.put(FAR, value(1));
                  } else {
                    transaction.delete(FAR);
                  }
                  assertHolds(transaction.commit());
                } else {
                  byte[] isThere = transaction.get(ROW);
                  transaction.guardExists(FAR);
                  if (failureOf(transaction.validate()) == null) {
                    assertThat(isThere).isEqualTo(value(1));
                  }
                }
              }
              return null;
            });
  }

  @Test
  default void aTransactionEndsOnce() {
    Transaction committed = writing(store().begin());
    assertHolds(committed.commit());
    assertThatThrownBy(committed::commit).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(committed::validate).isInstanceOf(IllegalStateException.class);
  }

  private Transaction reading(Key key) {
    Transaction transaction = store().begin();
    transaction.get(key);
    return transaction;
  }

  private Transaction requiring(Key key) {
    Transaction transaction = store().begin();
    transaction.guardExists(key);
    return transaction;
  }

  private static Transaction writing(Transaction transaction) {
    transaction.put(key(2), value(9));
    return transaction;
  }
}
