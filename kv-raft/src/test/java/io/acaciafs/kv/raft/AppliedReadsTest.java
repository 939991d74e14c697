package io.acaciafs.kv.raft;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.ReadSet;
import io.acaciafs.kv.ReadTracking;
import io.acaciafs.kv.Scan;
import io.acaciafs.kv.Store;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.Transaction;
import io.acaciafs.kv.VersionedRow;
import io.acaciafs.kv.engine.Replica;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads of members that do not lead. */
class AppliedReadsTest {
  private static final Table TABLE = Table.ofSingleRows("rows");
  private static final int TIMEOUT_MS = 300;
  private static final int PAIRS = 8;
  private static final int WRITES = 3_000;

  private final SimulatedNetwork network = new SimulatedNetwork(1);
  private Trio trio;

  @BeforeEach
  void start(@TempDir Path folder) throws Exception {
    trio = new Trio(folder, Set.of(TABLE), network, TIMEOUT_MS);
  }

  @AfterEach
  void stop() {
    trio.close();
    network.close();
  }

  private static Key key(String name) {
    return new Key(TABLE, name.getBytes(UTF_8));
  }

  private Store leader() {
    return trio.member(trio.awaitLeader()).store;
  }

  private Replica leadingReplica() {
    return trio.member(trio.awaitLeader()).raft;
  }

  private Replica follower() {
    String leader = trio.awaitLeader();
    return Trio.NAMES.stream()
        .filter(name -> !name.equals(leader))
        .map(name -> (Replica) trio.member(name).raft)
        .findFirst()
        .orElseThrow();
  }

  private static CompletableFuture<Void> put(Store store, String value, String... names) {
    Transaction transaction = store.begin();
    for (String name : names) {
      transaction.put(key(name), value.getBytes(UTF_8));
    }
    return transaction.commit();
  }

  private static String get(Transaction transaction, String name) {
    byte[] value = transaction.get(key(name));
    return value == null ? null : new String(value, UTF_8);
  }

  /** What a follower shows when it has applied all that the leader has. */
  private Store caughtUp(Replica follower) throws Exception {
    follower.await(leadingReplica().position()).get(30, TimeUnit.SECONDS);
    return follower.applied();
  }

  /** Rows that are written together are seen together, and no row goes back. */
  @Test
  void eachTransactionSeesTheStoreAfterOneBatch() throws Exception {
    Store leader = leader();
    Replica follower = follower();
    AtomicBoolean ends = new AtomicBoolean();
    CompletableFuture<Long> reads =
        CompletableFuture.supplyAsync(() -> readPairs(follower.applied(), ends));
    List<CompletableFuture<Void>> commits = new ArrayList<>();
    for (int i = 0; i < WRITES; i++) {
      int pair = i % PAIRS;
      commits.add(put(leader, Integer.toString(i), "a" + pair, "b" + pair));
    }
    CompletableFuture.allOf(commits.toArray(CompletableFuture[]::new)).get(60, TimeUnit.SECONDS);
    Store applied = caughtUp(follower);
    ends.set(true);
    assertThat(reads.get(30, TimeUnit.SECONDS)).isPositive();
    for (int pair = 0; pair < PAIRS; pair++) {
      assertThat(get(applied.begin(), "a" + pair)).isEqualTo(get(leader.begin(), "a" + pair));
    }
  }

  private static long readPairs(Store applied, AtomicBoolean ends) {
    long reads = 0;
    int[] last = new int[PAIRS];
    while (!ends.get()) {
      int pair = (int) (reads++ % PAIRS);
      Transaction transaction = applied.begin();
      String a = get(transaction, "a" + pair);
      assertThat(get(transaction, "b" + pair)).isEqualTo(a);
      if (a != null) {
        assertThat(Integer.parseInt(a)).isGreaterThanOrEqualTo(last[pair]);
        last[pair] = Integer.parseInt(a);
      }
    }
    return reads;
  }

  @Test
  void aReadSetHoldsUntilWhatWasReadChanges() throws Exception {
    put(leader(), "1", "a", "b").get(30, TimeUnit.SECONDS);
    Replica follower = follower();
    Transaction transaction = caughtUp(follower).begin();
    ReadSet reads = tracking(transaction).trackReads();
    assertThat(get(transaction, "a")).isEqualTo("1");
    assertThat(get(transaction, "c")).isNull();
    assertThat(reads.holds()).isTrue();
    put(leader(), "2", "b").get(30, TimeUnit.SECONDS);
    caughtUp(follower);
    assertThat(reads.holds()).as("another row has changed").isTrue();
    put(leader(), "2", "c").get(30, TimeUnit.SECONDS);
    caughtUp(follower);
    assertThat(reads.holds()).isFalse();
    assertThat(get(transaction, "c")).as("as at its begin").isNull();
  }

  private static ReadTracking tracking(Transaction transaction) {
    return Objects.requireNonNull(transaction.readTracking());
  }

  @Test
  void aRowIsGuardedAsLongAsItIsTheSame() throws Exception {
    put(leader(), "1", "a").get(30, TimeUnit.SECONDS);
    Replica follower = follower();
    VersionedRow row = caughtUp(follower).begin().getVersioned(key("a"));
    put(leader(), "1", "b").get(30, TimeUnit.SECONDS);
    assertThat(caughtUp(follower).begin().guard(row)).isTrue();
    put(leader(), "2", "a").get(30, TimeUnit.SECONDS);
    assertThat(caughtUp(follower).begin().guard(row)).isFalse();
  }

  @Test
  void nothingIsWritten() throws Exception {
    Replica follower = follower();
    Transaction transaction = follower.applied().begin();
    transaction.put(key("a"), new byte[1]);
    CompletableFuture<Void> commit = transaction.commit();
    assertThatThrownBy(() -> commit.get(30, TimeUnit.SECONDS))
        .hasCauseInstanceOf(StoreException.class)
        .hasMessageContaining("follows another one");
    Transaction reading = follower.applied().begin();
    assertThat(get(reading, "a")).isNull();
    reading.commit().get(30, TimeUnit.SECONDS);
  }

  @Test
  void readsGoOnUnderTheNextLeader() throws Exception {
    put(leader(), "1", "a").get(30, TimeUnit.SECONDS);
    trio.awaitEntryInEachLog();
    Replica follower = follower();
    Store applied = caughtUp(follower);
    trio.stop(trio.awaitLeader());
    put(leader(), "2", "a").get(30, TimeUnit.SECONDS);
    caughtUp(follower);
    assertThat(get(applied.begin(), "a")).isEqualTo("2");
    try (Scan scan = applied.scan(KeyRange.ofTable(TABLE))) {
      assertThat(scan.next().value()).asString(UTF_8).isEqualTo("2");
    }
  }

  @Test
  void aWaitForWhatNeverComesCanBeGivenUp() {
    Replica follower = follower();
    CompletableFuture<Void> never = follower.await(Long.MAX_VALUE);
    assertThat(never).isNotDone();
    never.cancel(false);
    assertThat(follower.await(follower.position())).isDone();
  }
}
