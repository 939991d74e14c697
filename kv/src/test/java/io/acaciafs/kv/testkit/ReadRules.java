package io.acaciafs.kv.testkit;

import static io.acaciafs.kv.testkit.Rows.OTHER;
import static io.acaciafs.kv.testkit.Rows.PARTITIONED;
import static io.acaciafs.kv.testkit.Rows.SINGLE;
import static io.acaciafs.kv.testkit.Rows.assertCommits;
import static io.acaciafs.kv.testkit.Rows.delete;
import static io.acaciafs.kv.testkit.Rows.failureOf;
import static io.acaciafs.kv.testkit.Rows.key;
import static io.acaciafs.kv.testkit.Rows.put;
import static io.acaciafs.kv.testkit.Rows.scan;
import static io.acaciafs.kv.testkit.Rows.value;
import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.kv.Counters;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Transaction;
import io.acaciafs.kv.WouldBlockException;
import org.junit.jupiter.api.Test;

/** What reads see. */
interface ReadRules extends Fixture {
  @Test
  default void anAbsentRowReadsAsNull() {
    assertThat(store().get(key(1))).isNull();
    Transaction transaction = store().begin();
    assertThat(transaction.get(key(1))).isNull();
    assertThat(transaction.unguarded().get(key(1))).isNull();
  }

  @Test
  default void readsSeeTheLatestCommit() {
    put(store(), key(1), value(1));
    Transaction transaction = store().begin();
    put(store(), key(1), value(2));
    assertThat(store().get(key(1))).isEqualTo(value(2));
    assertThat(transaction.get(key(1))).isEqualTo(value(2));
    put(store(), key(1), value(3));
    assertThat(transaction.unguarded().get(key(1))).isEqualTo(value(3));
    delete(store(), key(1));
    assertThat(store().get(key(1))).isNull();
  }

  @Test
  default void aNonBlockingReadSeesTheLatestCommitAtOnceOrWhenItHasCome() {
    put(store(), key(1), value(1));
    Transaction transaction = store().beginNonBlocking();
    put(store(), key(1), value(2));
    byte[] row;
    try {
      row = transaction.get(key(1));
    } catch (WouldBlockException e) {
      e.arrival().join();
      row = transaction.get(key(1));
    }
    assertThat(row).isEqualTo(value(2));
    row[0] = 9;
    assertThat(transaction.get(key(1))).isEqualTo(value(2));
    assertThat(failureOf(transaction.validate())).isNull();
  }

  @Test
  default void anEmptyValueIsARow() {
    put(store(), key(1), new byte[0]);
    assertThat(store().get(key(1))).isEmpty();
    assertThat(scan(store(), KeyRange.ofTable(PARTITIONED))).hasSize(1);
  }

  @Test
  default void tablesAreKeySpacesOfTheirOwn() {
    put(store(), key(PARTITIONED, 1, 2, 3), value(1));
    put(store(), key(OTHER, 1, 2, 3), value(2));
    delete(store(), key(SINGLE, 1, 2, 3));
    assertThat(store().get(key(PARTITIONED, 1, 2, 3))).isEqualTo(value(1));
    assertThat(store().get(key(OTHER, 1, 2, 3))).isEqualTo(value(2));
    assertThat(store().get(key(SINGLE, 1, 2, 3))).isNull();
    assertThat(scan(store(), KeyRange.ofTable(SINGLE))).isEmpty();
  }

  @Test
  default void valuesBelongToTheCaller() {
    put(store(), key(1), value(1));
    store().get(key(1))[0] = 9;
    store().begin().get(key(1))[0] = 9;
    scan(store(), KeyRange.ofTable(PARTITIONED)).get(0).value()[0] = 9;
    assertThat(store().get(key(1))).isEqualTo(value(1));
  }

  @Test
  default void aTransactionDoesNotSeeItsOwnWrites() {
    Key counter = key(3);
    put(store(), key(1), value(1));
    put(store(), key(2), value(2));
    Transaction transaction = store().begin();
    transaction.put(key(1), value(9));
    transaction.delete(key(2));
    transaction.add(counter, new Counters(new long[] {1}, new long[0]));
    transaction.putIndex(key(4), value(4));
    assertThat(transaction.get(key(1))).isEqualTo(value(1));
    assertThat(transaction.unguarded().get(key(2))).isEqualTo(value(2));
    assertThat(transaction.get(counter)).isNull();
    assertThat(scan(transaction.unguarded(), KeyRange.ofTable(PARTITIONED))).hasSize(2);
    assertCommits(transaction);
    assertThat(store().get(key(1))).isEqualTo(value(9));
  }

  @Test
  default void aTransactionThatIsDroppedHasNoEffect() {
    Transaction transaction = store().begin();
    transaction.get(key(1));
    transaction.put(key(1), value(1));
    transaction.putIndex(key(2), value(2));
    assertThat(scan(store(), KeyRange.ofTable(PARTITIONED))).isEmpty();
    put(store(), key(1), value(3));
  }
}
