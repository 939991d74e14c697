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
import io.acaciafs.kv.Evidence;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.Sighting;
import io.acaciafs.kv.Transaction;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Whether evidence breaks with every change of what it rests on. Of engines that have it. */
interface EvidenceRules extends Fixture {
  Key ROW = key(1, 1, 1);

  /** In the partition of {@link #ROW}, and of a scan of it. */
  Key NEIGHBOUR = key(1, 1, 2);

  KeyRange PARTITION = KeyRange.ofPrefix(PARTITIONED, bytes(1, 1));

  @Test
  default void evidenceHoldsAsLongAsNothingChanges() {
    put(store(), ROW, value(1));
    for (Consumer<Transaction> reading : everyWayToRead()) {
      Evidence evidence = evidenceOf(reading);
      assertThat(evidence.holds()).isTrue();
      put(store(), key(7, 7, 7), value(1));
      assertThat(evidence.holds()).isTrue();
    }
  }

  @Test
  default void everyKindOfWriteBreaksEveryKindOfReading() {
    for (Consumer<Transaction> write : everyKindOfWrite()) {
      for (Consumer<Transaction> reading : everyWayToRead()) {
        put(store(), ROW, Counters.EMPTY.encode());
        Evidence evidence = evidenceOf(reading);
        commit(write);
        assertThat(evidence.holds()).isFalse();
      }
    }
  }

  @Test
  default void whatWasNotThereBreaksItWhenItComes() {
    for (Consumer<Transaction> reading : everyWayToRead()) {
      delete(store(), ROW);
      Evidence evidence = evidenceOf(reading);
      put(store(), ROW, value(1));
      assertThat(evidence.holds()).isFalse();
    }
  }

  @Test
  default void aScanRestsOnRowsThatAreNotThereYet() {
    put(store(), ROW, value(1));
    Evidence evidence = evidenceOf(transaction -> scan(transaction, PARTITION));
    put(store(), NEIGHBOUR, value(1));
    assertThat(evidence.holds()).isFalse();
  }

  @Test
  default void everyKindOfWriteIsSeenInARangeThatIsWatched() {
    for (Consumer<Transaction> write : everyKindOfWrite()) {
      put(store(), ROW, Counters.EMPTY.encode());
      Evidence watched = store().begin().watch(PARTITION);
      assumeTrue(watched != null, "the engine has no evidence");
      put(store(), key(7, 7, 7), value(1));
      assertThat(watched.holds()).isTrue();
      commit(write);
      assertThat(watched.holds()).isFalse();
    }
  }

  @Test
  default void whatIsReadAfterTheTransactionCountsAsWell() {
    put(store(), ROW, value(1));
    Evidence evidence = evidenceOf(transaction -> {});
    assertThat(evidence.peek(ROW)).isEqualTo(value(1));
    assertThat(scan(evidence, PARTITION)).hasSize(1);
    assertThat(evidence.holds()).isTrue();
    put(store(), ROW, value(2));
    assertThat(evidence.holds()).isFalse();
  }

  /** Writers keep two rows of one partition equal; who has evidence that holds saw them so. */
  @Test
  default void whatHeldWasTrueAtOneMoment() throws Exception {
    evidenceOf(transaction -> {});
    AtomicInteger rounds = new AtomicInteger();
    Threads.run(
        3,
        thread ->
            () -> {
              while (rounds.get() < 2_000) {
                if (thread == 0) {
                  int round = rounds.incrementAndGet();
                  commit(
                      writer -> {
                        writer.put(ROW, value(round));
                        writer.put(NEIGHBOUR, value(round));
                      });
                } else {
                  Evidence evidence = evidenceOf(transaction -> {});
                  byte[] first;
                  byte[] second;
                  if (thread == 1) {
                    first = evidence.peek(ROW);
                    second = evidence.peek(NEIGHBOUR);
                  } else {
                    var found = scan(evidence, PARTITION);
                    first = found.isEmpty() ? null : found.get(0).value();
                    second = evidence.peek(NEIGHBOUR);
                  }
                  if (evidence.holds()) {
                    assertThat(first).isEqualTo(second);
                  }
                }
              }
              return null;
            });
    assertThat(evidenceOf(transaction -> transaction.get(ROW)).holds()).isTrue();
  }

  private static List<Consumer<Transaction>> everyKindOfWrite() {
    return List.of(
        writer -> writer.put(ROW, value(2)),
        writer -> writer.delete(ROW),
        writer -> writer.accumulate(ROW, new Counters(new long[] {1}, new long[0])),
        writer -> writer.writeBefore(ROW, value(3)),
        writer -> writer.deleteAfter(ROW));
  }

  private List<Consumer<Transaction>> everyWayToRead() {
    return List.of(
        transaction -> transaction.get(ROW),
        transaction -> transaction.peek(ROW),
        transaction -> transaction.require(ROW),
        transaction -> assume(transaction, store().begin().see(ROW)),
        transaction -> scan(transaction, PARTITION),
        transaction -> transaction.atOneMoment().peek(ROW),
        transaction -> scan(transaction.atOneMoment(), PARTITION));
  }

  @Test
  default void evidenceOfAMomentIsOfThatMoment() {
    put(store(), ROW, value(1));
    for (boolean isScan : new boolean[] {false, true}) {
      Transaction transaction = store().begin();
      Evidence evidence = transaction.gatherEvidence();
      assumeTrue(evidence != null, "the engine has no evidence");
      Reader moment = transaction.atOneMoment();
      put(store(), ROW, value(2));
      if (isScan) {
        scan(moment, PARTITION);
      } else {
        moment.peek(ROW);
      }
      assertThat(evidence.holds()).isFalse();
    }
  }

  private static void assume(Transaction transaction, Sighting sighting) {
    assertThat(transaction.assume(sighting)).isTrue();
  }

  private Evidence evidenceOf(Consumer<Transaction> reading) {
    Transaction transaction = store().begin();
    Evidence evidence = transaction.gatherEvidence();
    assumeTrue(evidence != null, "the engine has no evidence");
    assertThat(transaction.gatherEvidence()).isSameAs(evidence);
    reading.accept(transaction);
    failureOf(transaction.validate()); // a required row may not be there
    return evidence;
  }

  private void commit(Consumer<Transaction> write) {
    Transaction writer = store().begin();
    write.accept(writer);
    assertCommits(writer);
  }
}
