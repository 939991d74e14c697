package io.acaciafs.kv.testkit;

import static io.acaciafs.kv.testkit.Rows.OTHER;
import static io.acaciafs.kv.testkit.Rows.SINGLE;
import static io.acaciafs.kv.testkit.Rows.assertCommits;
import static io.acaciafs.kv.testkit.Rows.assertHolds;
import static io.acaciafs.kv.testkit.Rows.delete;
import static io.acaciafs.kv.testkit.Rows.failureOf;
import static io.acaciafs.kv.testkit.Rows.key;
import static io.acaciafs.kv.testkit.Rows.put;
import static io.acaciafs.kv.testkit.Rows.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.kv.ConflictException;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.Transaction;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What a commit writes. */
interface WriteRules extends Fixture {
  @Test
  default void theLastWriteToARowWins() {
    put(store(), key(3), value(1));
    Transaction transaction = store().begin();
    transaction.put(key(1), value(1));
    transaction.put(key(1), value(2));
    transaction.delete(key(2));
    transaction.put(key(2), value(3));
    transaction.put(key(3), value(4));
    transaction.delete(key(3));
    assertCommits(transaction);
    assertThat(store().get(key(1))).isEqualTo(value(2));
    assertThat(store().get(key(2))).isEqualTo(value(3));
    assertThat(store().get(key(3))).isNull();
  }

  @Test
  default void removingAnAbsentRowDoesNothing() {
    delete(store(), key(1));
    assertThat(store().get(key(1))).isNull();
  }

  @Test
  default void writesWithoutGuardsNeverConflict() {
    Transaction first = store().begin();
    first.put(key(1), value(1));
    Transaction second = store().begin();
    second.put(key(1), value(2));
    assertHolds(second.commit());
    assertHolds(first.commit());
    assertThat(store().get(key(1))).isEqualTo(value(1));
  }

  @Test
  default void aRowNeedsAValue() {
    Transaction transaction = store().begin();
    assertThatThrownBy(() -> transaction.put(key(1), null))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> transaction.putIndex(key(1), null))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  default void aCommitReachesSeveralPartitionsAndTables() {
    put(store(), key(9, 9), value(1));
    Transaction transaction = store().begin();
    transaction.put(key(1, 1), value(1));
    transaction.put(key(2, 2), value(2));
    transaction.put(key(OTHER, 1), value(3));
    transaction.put(key(SINGLE, 1), value(4));
    transaction.delete(key(9, 9));
    assertCommits(transaction);
    assertThat(store().get(key(1, 1))).isEqualTo(value(1));
    assertThat(store().get(key(2, 2))).isEqualTo(value(2));
    assertThat(store().get(key(OTHER, 1))).isEqualTo(value(3));
    assertThat(store().get(key(SINGLE, 1))).isEqualTo(value(4));
    assertThat(store().get(key(9, 9))).isNull();
  }

  /** Two rows are always written alike, so nobody whose guards hold sees them differ. */
  @Test
  default void aCommitAcrossPartitionsAppearsAtOneMoment() throws Exception {
    Key one = key(1, 1);
    Key two = key(OTHER, 200, 0, 0, 1);
    AtomicInteger unique = new AtomicInteger();
    Threads.run(
        4,
        thread ->
            () -> {
              for (int i = 0; i < 300; i++) {
                Transaction transaction = store().begin();
                if (thread < 2) {
                  byte[] value = ByteBuffer.allocate(4).putInt(unique.incrementAndGet()).array();
                  transaction.put(one, value);
                  transaction.put(two, value);
                  assertCommits(transaction);
                } else {
                  byte[] first = transaction.get(one);
                  Thread.yield();
                  byte[] second = transaction.get(two);
                  Throwable failure = failureOf(transaction.validate());
                  if (failure == null) {
                    assertThat(second).isEqualTo(first);
                  } else {
                    assertThat(failure).isInstanceOf(ConflictException.class);
                  }
                }
              }
              return null;
            });
    assertThat(store().get(one)).isNotNull().isEqualTo(store().get(two));
  }
}
