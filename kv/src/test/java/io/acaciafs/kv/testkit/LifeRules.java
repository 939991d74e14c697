package io.acaciafs.kv.testkit;

import static io.acaciafs.kv.testkit.Rows.OTHER;
import static io.acaciafs.kv.testkit.Rows.PARTITIONED;
import static io.acaciafs.kv.testkit.Rows.SINGLE;
import static io.acaciafs.kv.testkit.Rows.assertCommits;
import static io.acaciafs.kv.testkit.Rows.assertHolds;
import static io.acaciafs.kv.testkit.Rows.delete;
import static io.acaciafs.kv.testkit.Rows.key;
import static io.acaciafs.kv.testkit.Rows.keys;
import static io.acaciafs.kv.testkit.Rows.numbered;
import static io.acaciafs.kv.testkit.Rows.put;
import static io.acaciafs.kv.testkit.Rows.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.kv.Counters;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Scan;
import io.acaciafs.kv.Store;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.Transaction;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Opening, closing and what is kept. */
interface LifeRules extends Fixture {
  int USES_BEFORE_CLOSE = 100;
  long LONGEST_USE_NS = TimeUnit.SECONDS.toNanos(60);

  @Test
  default void aStoreSaysWhatItIs() {
    assertThat(store().traits()).isNotNull().isEqualTo(store().traits());
  }

  @Test
  default void aClosedStoreRefusesEveryCall() {
    put(store(), key(1), value(1));
    Store store = store();
    Transaction transaction = store.begin();
    transaction.put(key(1), value(2));
    Transaction readOnly = store.begin();
    readOnly.get(key(1));
    Scan scan = store.scan(KeyRange.ofTable(PARTITIONED));
    store.close();

    assertRefused(store::begin);
    assertRefused(store::traits);
    assertRefused(() -> store.get(key(1)));
    assertRefused(() -> store.scan(KeyRange.ofTable(PARTITIONED)));
    assertRefused(() -> transaction.get(key(1)));
    assertRefused(() -> transaction.unguarded().get(key(1)));
    assertRefused(() -> transaction.unguarded().scan(KeyRange.ofTable(PARTITIONED)));
    assertRefused(transaction::commit);
    assertRefused(readOnly::validate);
    assertRefused(scan::hasNext);
    scan.close();
    store.close();
  }

  @Test
  default void closingCompletesWhatIsUnderWay() {
    List<CompletableFuture<Void>> commits = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      Transaction transaction = store().begin();
      transaction.put(key(i), value(i));
      commits.add(transaction.commit());
    }
    store().close();
    assertThat(commits).allMatch(CompletableFuture::isDone);
    commits.forEach(Rows::assertHolds);
  }

  @Test
  default void whatIsCommittedOutlivesTheStore() throws Exception {
    put(store(), key(1), value(1));
    put(store(), key(2), value(2));
    delete(store(), key(2));
    Transaction transaction = store().begin();
    for (int i = 0; i < 1_000; i++) {
      transaction.put(numbered(OTHER, 1, i), new byte[] {1, 2, 3});
    }
    transaction.add(key(3), new Counters(new long[] {5}, new long[] {6}));
    transaction.putIndex(key(SINGLE, 4), value(4));
    assertCommits(transaction);
    for (int round = 0; round < 2; round++) {
      use(reopen(store()));
      assertThat(store().get(key(1))).isEqualTo(value(1));
      assertThat(store().get(key(2))).isNull();
      assertThat(keys(store(), KeyRange.ofTable(OTHER))).hasSize(1_000);
      assertThat(Counters.decode(store().get(key(3))).sum(0)).isEqualTo(5 + round);
      assertThat(store().get(key(SINGLE, 4))).isEqualTo(value(4));
      Transaction more = store().begin();
      more.add(key(3), new Counters(new long[] {1}, new long[0]));
      assertHolds(more.commit());
    }
  }

  @Test
  default void callsThatRaceWithTheCloseAreAnsweredOrRefused() throws Exception {
    Store store = store();
    for (int i = 0; i < 100; i++) {
      put(store, key(i), value(i));
    }
    CountDownLatch busy = new CountDownLatch(2 * USES_BEFORE_CLOSE);
    List<Boolean> refused =
        Threads.run(
            3,
            thread ->
                () -> {
                  if (thread == 0) {
                    assertThat(busy.await(30, TimeUnit.SECONDS)).isTrue();
                    store.close();
                    return true;
                  }
                  return useUntilRefused(store, thread, busy);
                });
    assertThat(refused).containsOnly(true);
  }

  private static boolean useUntilRefused(Store store, int thread, CountDownLatch busy) {
    long begin = System.nanoTime();
    for (int i = 0; System.nanoTime() - begin < LONGEST_USE_NS; i++) {
      try {
        if (thread == 1) {
          keys(store, KeyRange.ofTable(PARTITIONED));
        } else {
          Transaction transaction = store.begin();
          Key key = key(i % 1_000); // fewer than a scan can follow
          transaction.get(key);
          transaction.put(key, value(i));
          transaction.commit();
        }
      } catch (StoreException e) {
        return true;
      }
      if (i < USES_BEFORE_CLOSE) {
        busy.countDown();
      }
    }
    return false;
  }

  private static void assertRefused(ThrowingCallable call) {
    assertThatThrownBy(call).isInstanceOf(StoreException.class);
  }
}
