package io.acaciafs.kv.testkit;

import static io.acaciafs.kv.testkit.Rows.PARTITIONED;
import static io.acaciafs.kv.testkit.Rows.assertCommits;
import static io.acaciafs.kv.testkit.Rows.bytes;
import static io.acaciafs.kv.testkit.Rows.delete;
import static io.acaciafs.kv.testkit.Rows.key;
import static io.acaciafs.kv.testkit.Rows.put;
import static io.acaciafs.kv.testkit.Rows.scan;
import static io.acaciafs.kv.testkit.Rows.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.acaciafs.kv.ConflictException;
import io.acaciafs.kv.Counters;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.Row;
import io.acaciafs.kv.Transaction;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** That all rows are of one moment. Of engines that have them so. */
interface MomentRules extends Fixture {
  KeyRange PARTITION = KeyRange.ofPrefix(PARTITIONED, bytes(1, 1));

  @Test
  default void whatComesLaterIsNotSeen() {
    Key counted = key(Rows.SINGLE, 9);
    put(store(), key(1, 1, 1), value(1));
    put(store(), key(1, 1, 2), value(2));
    accumulate(counted);
    Reader moment = moment(store().begin());
    put(store(), key(1, 1, 1), value(7));
    delete(store(), key(1, 1, 2));
    put(store(), key(1, 1, 3), value(3));
    accumulate(counted);

    assertThat(moment.get(key(1, 1, 1))).isEqualTo(value(1));
    assertThat(moment.get(key(1, 1, 2))).isEqualTo(value(2));
    assertThat(moment.get(key(1, 1, 3))).isNull();
    assertThat(Counters.decode(moment.get(counted)).sum(0)).isEqualTo(1);
    assertThat(scan(moment, PARTITION).stream().map(Row::value))
        .containsExactly(value(1), value(2));
    assertThat(scan(moment, KeyRange.ofTable(PARTITIONED))).hasSize(2);
    assertThat(moment(store().begin()).get(key(1, 1, 2))).isNull();
  }

  /** In several partitions and tables. */
  @Test
  default void commitsAreSeenWholeOrNotAtAll() throws Exception {
    moment(store().begin());
    List<Key> keys = List.of(key(1, 1, 1), key(5, 5, 5), key(Rows.SINGLE, 1), key(Rows.OTHER, 4));
    AtomicInteger rounds = new AtomicInteger();
    Threads.run(
        3,
        thread ->
            () -> {
              while (rounds.get() < racedCommits()) {
                if (thread == 0) {
                  byte[] written = value(rounds.incrementAndGet() % 100);
                  Transaction writer = store().begin();
                  keys.forEach(key -> writer.put(key, written));
                  assertCommits(writer);
                } else {
                  assertAreEqual(keys);
                }
              }
              return null;
            });
  }

  private void assertAreEqual(List<Key> keys) {
    try {
      Reader moment = moment(store().begin());
      List<byte[]> seen = new ArrayList<>();
      for (Key key : keys) {
        seen.add(moment.get(key));
        List<Row> rows = scan(moment, KeyRange.ofPrefix(key.table(), key.bytes()));
        seen.add(rows.isEmpty() ? null : rows.get(0).value());
      }
      assertThat(seen).allSatisfy(value -> assertThat(value).isEqualTo(seen.get(0)));
    } catch (ConflictException e) {
      // the moment was over
    }
  }

  private void accumulate(Key key) {
    Transaction writer = store().begin();
    writer.add(key, new Counters(new long[] {1}, new long[0]));
    assertCommits(writer);
  }

  private static Reader moment(Transaction transaction) {
    Reader moment = transaction.readView();
    assumeTrue(moment != null, "the engine does not have all rows of a moment");
    return moment;
  }
}
