package io.acaciafs.kv.testkit;

import static io.acaciafs.kv.testkit.Rows.SINGLE;
import static io.acaciafs.kv.testkit.Rows.assertCommits;
import static io.acaciafs.kv.testkit.Rows.key;
import static io.acaciafs.kv.testkit.Rows.numbered;
import static io.acaciafs.kv.testkit.Rows.value;
import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.Transaction;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Index rows: written before what they index, removed after it. */
interface IndexRules extends Fixture {
  int INDEXED = 300;

  @Test
  default void indexRowsAreWrittenAndRemoved() {
    Key index = key(SINGLE, 1);
    Transaction creation = store().begin();
    creation.put(key(1), value(1));
    creation.putIndex(index, value(2));
    assertCommits(creation);
    assertThat(store().get(index)).isEqualTo(value(2));

    Transaction removal = store().begin();
    removal.delete(key(1));
    removal.deleteIndex(index);
    assertCommits(removal);
    assertThat(store().get(index)).isNull();
  }

  @Test
  default void indexRowsAloneMakeACommit() {
    Transaction creation = store().begin();
    creation.putIndex(key(1), value(1));
    assertCommits(creation);
    assertThat(store().get(key(1))).isEqualTo(value(1));
    Transaction removal = store().begin();
    removal.deleteIndex(key(1));
    assertCommits(removal);
    assertThat(store().get(key(1))).isNull();
  }

  @Test
  default void aMarkIsThereHoweverManySetIt() {
    Key mark = key(SINGLE, 1);
    List<CompletableFuture<Void>> commits = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      Transaction creation = store().begin();
      creation.put(key(i), value(i));
      creation.putIndexIfAbsent(mark);
      commits.add(creation.commit());
    }
    CompletableFuture.allOf(commits.toArray(CompletableFuture[]::new)).join();
    assertThat(store().get(mark)).isEmpty();
    for (int i = 0; i < 20; i++) {
      assertThat(store().get(key(i))).isEqualTo(value(i));
    }
  }

  @Test
  default void aRemovalDoesNotReachALaterTransaction() {
    Key index = key(SINGLE, 1);
    for (int round = 1; round <= 50; round++) {
      Transaction creation = store().begin();
      creation.putIndex(index, value(round));
      assertCommits(creation);
      assertThat(store().get(index)).isEqualTo(value(round));
      Transaction removal = store().begin();
      removal.deleteIndex(index);
      assertCommits(removal);
    }
    assertThat(store().get(index)).isNull();
  }

  /** One thread creates and removes rows, the other looks at the newest ones. */
  @Test
  default void anIndexRowIsThereAsLongAsWhatItIndexes() throws Exception {
    AtomicInteger created = new AtomicInteger();
    AtomicInteger removed = new AtomicInteger();
    Threads.run(
        3,
        thread ->
            () -> {
              switch (thread) {
                case 0 -> create(created);
                case 1 -> remove(created, removed);
                default -> look(created, removed);
              }
              return null;
            });
    assertThat(store().get(row(INDEXED - 1))).isNull();
    assertThat(store().get(index(INDEXED - 1))).isNull();
  }

  private void create(AtomicInteger created) {
    for (int i = 0; i < INDEXED; i++) {
      Transaction transaction = store().begin();
      transaction.put(row(i), value(1));
      transaction.putIndex(index(i), value(1));
      created.set(i + 1);
      assertCommits(transaction);
    }
  }

  private void remove(AtomicInteger created, AtomicInteger removed) {
    for (int i = 0; i < INDEXED; i++) {
      while (created.get() <= i + 1 && i < INDEXED - 1) {
        Thread.onSpinWait();
      }
      while (store().get(row(i)) == null) {
        Thread.yield();
      }
      Transaction transaction = store().begin();
      transaction.delete(row(i));
      transaction.deleteIndex(index(i));
      removed.set(i + 1);
      assertCommits(transaction);
    }
  }

  private void look(AtomicInteger created, AtomicInteger removed) {
    while (removed.get() < INDEXED) {
      int newest = Math.max(0, created.get() - 1);
      if (store().get(row(newest)) != null && store().get(index(newest)) == null) {
        // Both are gone by now, or the index row was missing.
        assertThat(store().get(row(newest))).isNull();
      }
      int oldest = removed.get() - 1; // it was there when its removal began
      if (oldest >= 0 && store().get(index(oldest)) == null) {
        assertThat(store().get(row(oldest))).isNull();
      }
    }
  }

  private static Key row(int number) {
    return numbered(Rows.PARTITIONED, 1, number);
  }

  private static Key index(int number) {
    return numbered(SINGLE, 2, number);
  }
}
