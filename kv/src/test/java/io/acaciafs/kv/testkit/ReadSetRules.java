package io.acaciafs.kv.testkit;

import static io.acaciafs.kv.testkit.Rows.PARTITIONED;
import static io.acaciafs.kv.testkit.Rows.assertCommits;
import static io.acaciafs.kv.testkit.Rows.bytes;
import static io.acaciafs.kv.testkit.Rows.delete;
import static io.acaciafs.kv.testkit.Rows.failureOf;
import static io.acaciafs.kv.testkit.Rows.key;
import static io.acaciafs.kv.testkit.Rows.put;
import static io.acaciafs.kv.testkit.Rows.scan;
import static io.acaciafs.kv.testkit.Rows.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.acaciafs.kv.Counters;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.ReadSet;
import io.acaciafs.kv.ReadTracking;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.Transaction;
import io.acaciafs.kv.VersionedRow;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Whether a read set notices every change of what was read. For engines that have read sets. */
interface ReadSetRules extends Fixture {
  Key ROW = key(1, 1, 1);

  /** In the partition of {@link #ROW}, and of a scan of it. */
  Key NEIGHBOUR = key(1, 1, 2);

  KeyRange PARTITION = KeyRange.ofPrefix(PARTITIONED, bytes(1, 1));

  @Test
  default void evidenceHoldsAsLongAsNothingChanges() {
    put(store(), ROW, value(1));
    for (Consumer<Transaction> reading : everyWayToRead()) {
      ReadSet readSet = readSetOf(reading);
      assertThat(readSet.holds()).isTrue();
      put(store(), key(7, 7, 7), value(1));
      assertThat(readSet.holds()).isTrue();
    }
  }

  @Test
  default void everyKindOfWriteBreaksEveryKindOfReading() {
    for (Consumer<Transaction> write : everyKindOfWrite()) {
      for (Consumer<Transaction> reading : everyWayToRead()) {
        put(store(), ROW, Counters.EMPTY.encode());
        ReadSet readSet = readSetOf(reading);
        commit(write);
        assertThat(readSet.holds()).isFalse();
      }
    }
  }

  @Test
  default void whatWasNotThereBreaksItWhenItComes() {
    for (Consumer<Transaction> reading : everyWayToRead()) {
      delete(store(), ROW);
      ReadSet readSet = readSetOf(reading);
      put(store(), ROW, value(1));
      assertThat(readSet.holds()).isFalse();
    }
  }

  @Test
  default void aScanRestsOnRowsThatAreNotThereYet() {
    put(store(), ROW, value(1));
    ReadSet readSet = readSetOf(transaction -> scan(transaction.unguarded(), PARTITION));
    put(store(), NEIGHBOUR, value(1));
    assertThat(readSet.holds()).isFalse();
  }

  @Test
  default void everyKindOfWriteIsSeenInARangeThatIsWatched() {
    for (Consumer<Transaction> write : everyKindOfWrite()) {
      put(store(), ROW, Counters.EMPTY.encode());
      ReadSet watched = trackingOf(store().begin()).watch(PARTITION);
      put(store(), key(7, 7, 7), value(1));
      assertThat(watched.holds()).isTrue();
      commit(write);
      assertThat(watched.holds()).isFalse();
    }
  }

  @Test
  default void whatIsReadAfterTheTransactionCountsAsWell() {
    put(store(), ROW, value(1));
    ReadSet readSet = readSetOf(transaction -> {});
    assertThat(readSet.get(ROW)).isEqualTo(value(1));
    assertThat(scan(readSet, PARTITION)).hasSize(1);
    assertThat(readSet.holds()).isTrue();
    put(store(), ROW, value(2));
    assertThat(readSet.holds()).isFalse();
  }

  /**
   * Writers keep two rows of one partition equal; a read set that is unchanged has seen them so.
   */
  @Test
  default void whatHeldWasTrueAtOneMoment() throws Exception {
    readSetOf(transaction -> {});
    AtomicInteger rounds = new AtomicInteger();
    Threads.run(
        3,
        thread ->
            () -> {
              while (rounds.get() < racedCommits()) {
                if (thread == 0) {
                  int round = rounds.incrementAndGet();
                  commit(
                      writer -> {
                        writer.put(ROW, value(round));
                        writer.put(NEIGHBOUR, value(round));
                      });
                } else {
                  ReadSet readSet = readSetOf(transaction -> {});
                  byte[] first;
                  byte[] second;
                  if (thread == 1) {
                    first = readSet.get(ROW);
                    second = readSet.get(NEIGHBOUR);
                  } else {
                    var found = scan(readSet, PARTITION);
                    first = found.isEmpty() ? null : found.get(0).value();
                    second = readSet.get(NEIGHBOUR);
                  }
                  if (readSet.holds()) {
                    assertThat(first).isEqualTo(second);
                  }
                }
              }
              return null;
            });
    assertThat(readSetOf(transaction -> transaction.get(ROW)).holds()).isTrue();
  }

  private static List<Consumer<Transaction>> everyKindOfWrite() {
    return List.of(
        writer -> writer.put(ROW, value(2)),
        writer -> writer.delete(ROW),
        writer -> writer.add(ROW, new Counters(new long[] {1}, new long[0])),
        writer -> writer.putIndex(ROW, value(3)),
        writer -> writer.deleteIndex(ROW));
  }

  private List<Consumer<Transaction>> everyWayToRead() {
    return List.of(
        transaction -> transaction.get(ROW),
        transaction -> transaction.unguarded().get(ROW),
        transaction -> transaction.guardExists(ROW),
        transaction -> guard(transaction, store().begin().getVersioned(ROW)),
        transaction -> scan(transaction.unguarded(), PARTITION),
        transaction -> transaction.readView().get(ROW),
        transaction -> scan(transaction.readView(), PARTITION));
  }

  @Test
  default void aReadViewIsTrackedAsOfItsMoment() {
    put(store(), ROW, value(1));
    for (boolean isScan : new boolean[] {false, true}) {
      Transaction transaction = store().begin();
      ReadSet readSet = trackingOf(transaction).trackReads();
      Reader moment = transaction.readView();
      put(store(), ROW, value(2));
      if (isScan) {
        scan(moment, PARTITION);
      } else {
        moment.get(ROW);
      }
      assertThat(readSet.holds()).isFalse();
    }
  }

  private static void guard(Transaction transaction, VersionedRow versioned) {
    assertThat(transaction.guard(versioned)).isTrue();
  }

  private static ReadTracking trackingOf(Transaction transaction) {
    ReadTracking tracking = transaction.readTracking();
    assumeTrue(tracking != null, "the engine has no read sets");
    return tracking;
  }

  private ReadSet readSetOf(Consumer<Transaction> reading) {
    Transaction transaction = store().begin();
    ReadSet readSet = trackingOf(transaction).trackReads();
    assertThat(trackingOf(transaction).trackReads()).isSameAs(readSet);
    reading.accept(transaction);
    failureOf(transaction.validate()); // a required row may not be there
    return readSet;
  }

  private void commit(Consumer<Transaction> write) {
    Transaction writer = store().begin();
    write.accept(writer);
    assertCommits(writer);
  }
}
