package io.acaciafs.kv.hbase.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.acaciafs.kv.ConflictException;
import io.acaciafs.kv.Counters;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.Transaction;
import io.acaciafs.kv.WouldBlockException;
import io.acaciafs.kv.hbase.HBaseServices;
import io.acaciafs.kv.hbase.HBaseStore;
import io.acaciafs.kv.hbase.Stores;
import io.acaciafs.kv.hbase.TestHBase;
import io.acaciafs.kv.hbase.client.Connections;
import io.acaciafs.kv.hbase.client.HBaseOptions;
import io.acaciafs.kv.hbase.local.LocalHBase;
import io.acaciafs.kv.hbase.lock.LockResolver;
import io.acaciafs.kv.hbase.schema.Columns;
import io.acaciafs.kv.hbase.schema.RowCell;
import io.acaciafs.kv.hbase.schema.RowKeys;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Scan;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What becomes of a transaction over several regions whose owner stops in the middle. */
@Tag("hbase")
@ExtendWith(TestHBase.class)
class TwoPhaseCommitTest {
  private static final Table TABLE = new Table("rows", 2);
  private static final Key FIRST = key(1);
  private static final Key FAR = key(0xF0);
  private static final Key COUNTER = key(0xF1);

  private final HBaseOptions options;
  private final RandomGenerator random = new SplittableRandom(1);
  private AsyncConnection connection;
  private HBaseServices services;
  private LockResolver locks;
  private HBaseStore store;

  TwoPhaseCommitTest(LocalHBase hbase) {
    options = Stores.options(hbase).withTable("spread").withTimeouts(2_000, 20_000, 20_000, 300);
  }

  @BeforeEach
  void open() throws Exception {
    store = Stores.openEmpty(options, Set.of(TABLE), 2);
    connection =
        ConnectionFactory.createAsyncConnection(Connections.configuration(options))
            .get(60, TimeUnit.SECONDS);
    services = new HBaseServices(options, connection);
    locks = services.locks();
    put(FIRST, 1);
    put(FAR, 1);
    add(5);
  }

  @AfterEach
  void close() {
    store.close();
    services.close();
  }

  @Test
  void aCommitIsSeenEvenIfItsOwnerNeverFinishes() {
    assertThat(commit().run()).isEqualTo(Attempt.DONE);
    assertThat(store.get(FAR)).containsExactly(2);
    assertThat(store.get(FIRST)).containsExactly(2);
    assertThat(counter()).isEqualTo(12);
  }

  @Test
  void openingAStoreFinishesWhatIsCommitted() throws Exception {
    assertThat(commit().run()).isEqualTo(Attempt.DONE);
    assertThat(records()).isEqualTo(1);
    store.close();
    store = HBaseStore.open(options);
    assertThat(records()).isZero();
    assertThat(services.table().read(RowKeys.of(FAR)).isSettled()).isTrue();
    assertThat(services.table().read(RowKeys.of(COUNTER)).isSettled()).isTrue();
    assertThat(counter()).isEqualTo(12);
  }

  /** What is absent is locked for a look as well. */
  @Test
  void aValidationLeavesNothingBehind() throws Exception {
    Transaction reader = store.begin();
    assertThat(reader.get(key(2))).isNull();
    assertThat(reader.get(key(0xF2))).isNull();
    reader.validate().get(60, TimeUnit.SECONDS);
    assertThat(records()).isZero();
    assertThat(services.table().read(RowKeys.of(key(2))).isSettled()).isTrue();
    assertThat(services.table().read(RowKeys.of(key(0xF2))).isSettled()).isTrue();
  }

  /** What was read ahead is older than what another transaction saw since. */
  @Test
  void rowsThatWereNeverThereTogetherAreNotFoundToHold() {
    Transaction reader = store.begin();
    reader.remoteReads().prefetch(List.of(FIRST));
    put(FIRST, 2);
    put(FAR, 2);
    assertThat(reader.guard(store.begin().getVersioned(FAR))).isTrue();
    assertThat(reader.get(FIRST)).containsExactly(1);
    CompletableFuture<Void> checked = reader.validate();
    assertThatThrownBy(() -> checked.get(60, TimeUnit.SECONDS))
        .hasRootCauseInstanceOf(ConflictException.class);
  }

  @Test
  void aPreparedTransactionIsNotSeenAndEndsWithItsLease() {
    TwoPhaseCommit stopped = commit();
    assertThat(stopped.prepareAll()).isTrue();
    assertThat(store.get(FAR)).containsExactly(1);
    assertThat(counter()).isEqualTo(5);

    put(FAR, 7);
    assertThat(store.get(FAR)).containsExactly(7);
    assertThat(stopped.commit()).as("the owner comes back").isEqualTo(Attempt.ENDED);
    assertThat(store.get(FIRST)).containsExactly(1);
    assertThat(store.get(FAR)).containsExactly(7);
    assertThat(counter()).isEqualTo(5);
    assertThat(services.table().read(RowKeys.of(FIRST)).isSettled()).isTrue();
  }

  @Test
  void aNonBlockingReadOfALockedRowDoesNotComplete() throws Exception {
    assertThat(commit().prepareAll()).isTrue();
    Transaction look = store.beginNonBlocking();
    WouldBlockException missing =
        catchThrowableOfType(WouldBlockException.class, () -> look.get(FAR));
    missing.arrival().get(60, TimeUnit.SECONDS);
    missing = catchThrowableOfType(WouldBlockException.class, () -> look.get(FAR));
    assertThat(missing.arrival()).isNull();
    assertThat(store.begin().get(FAR)).as("who waits").containsExactly(1);
  }

  @Test
  void aGuardDoesNotHoldWhileAnotherTransactionHasLockedItsRow() throws Exception {
    Transaction reader = store.begin();
    assertThat(reader.get(FAR)).containsExactly(1);
    reader.put(key(2), bytes(2));
    TwoPhaseCommit other = commit();
    assertThat(other.prepareAll()).isTrue();
    CompletableFuture<Void> committed = reader.commit();
    assertThat(other.commit()).isEqualTo(Attempt.DONE);
    other.finish();
    assertThat(committed.handle((nothing, failure) -> failure).get(60, TimeUnit.SECONDS))
        .isInstanceOf(ConflictException.class);
    assertThat(store.get(key(2))).isNull();
    assertThat(records()).isZero();
  }

  @Test
  void otherTransactionsAddToACounterMeanwhile() {
    TwoPhaseCommit other = commit();
    assertThat(other.prepareAll()).isTrue();
    long before = store.roundTrips().getAsLong();
    add(1);
    assertThat(store.roundTrips().getAsLong() - before).isEqualTo(1);
    assertThat(counter()).isEqualTo(6);
    assertThat(other.commit()).isEqualTo(Attempt.DONE);
    other.finish();
    assertThat(counter()).isEqualTo(13);
  }

  /** HBase keeps it until it writes its memory to disk, and reads a row's cells in their order. */
  @Test
  void whatIsOverLiesBehindWhatTheNextOneThatCountsReads() throws Exception {
    for (int i = 0; i < 3; i++) {
      TwoPhaseCommit other = commit(FIRST, COUNTER);
      assertThat(other.run()).isEqualTo(Attempt.DONE);
      other.finish();
    }
    List<String> columns =
        Stores.columnsEverWritten(connection, options, COUNTER).stream()
            .filter(column -> column.length > 0) // a row that another test left was emptied
            .map(column -> String.valueOf((char) column[0]))
            .toList();
    assertThat(columns).filteredOn("w"::equals).hasSizeGreaterThanOrEqualTo(6);
    assertThat(columns.subList(0, columns.indexOf("w"))).contains("n", "s", "v");
    assertThat(columns.subList(columns.indexOf("w"), columns.size())).containsOnly("w");
  }

  /** On a counter in demand somebody is at work all the time. */
  @Test
  void aRepeatedCommitDoesNotWaitForOthersThatAddToTheSameCounter() throws Exception {
    TwoPhaseCommit other = commit(FIRST, COUNTER);
    assertThat(other.prepareAll()).isTrue();
    try (HBaseStore patient =
        HBaseStore.open(options.withTimeouts(2_000, 20_000, 20_000, 15_000))) {
      Transaction transaction = patient.begin();
      transaction.put(FAR, bytes(9)); // taken for absent, which is wrong
      transaction.add(COUNTER, counters(1));
      transaction.commit().get(60, TimeUnit.SECONDS);
    }
    assertThat(store.get(FAR)).containsExactly(9);
    assertThat(counter()).isEqualTo(6);
    assertThat(other.commit()).isEqualTo(Attempt.DONE);
    other.finish();
    assertThat(counter()).isEqualTo(13);
  }

  /** Whoever waits for a record that stays under way asks now and then, not all the time. */
  @Test
  void waitingForATransactionUnderWayPausesBetweenReads() throws Exception {
    TwoPhaseCommit other = commit();
    assertThat(other.prepareAll()).isTrue();
    HBaseOptions impatient = options.withTimeouts(1_500, 1_500, 20_000, 300);
    try (HBaseServices own =
        new HBaseServices(
            impatient,
            ConnectionFactory.createAsyncConnection(Connections.configuration(impatient))
                .get(60, TimeUnit.SECONDS))) {
      long id = lockOn(FAR);
      LockResolver waiting = own.locks();
      assertThatThrownBy(() -> waiting.settleOf(RowKeys.of(FAR), id))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("stays locked");
      assertThat(own.client().roundTrips()).isBetween(4L, 100L);

      locks.endForGood(id, RowKeys.of(FIRST));
      waiting.settleOf(RowKeys.of(FAR), id);
      assertThat(services.table().read(RowKeys.of(FAR)).isSettled()).isTrue();
    }
    assertThat(other.commit()).isEqualTo(Attempt.ENDED);
    assertThat(store.get(FAR)).containsExactly(1);
  }

  /** What is applied needs no thread to say so. */
  @Test
  void commitsInOneRegionGoOnWhileAllCommitThreadsWait() throws Exception {
    TwoPhaseCommit other = commit();
    assertThat(other.prepareAll()).isTrue();
    HBaseOptions one = options.withTimeouts(2_000, 20_000, 20_000, 15_000).withCommitThreads(1);
    try (HBaseStore narrow = HBaseStore.open(one)) {
      Transaction held = narrow.begin();
      held.put(FAR, bytes(8));
      CompletableFuture<Void> waiting = held.commit();
      Transaction free = narrow.begin();
      free.put(key(3), bytes(3));
      free.commit().get(60, TimeUnit.SECONDS);
      assertThat(waiting).isNotDone();
      locks.endForGood(lockOn(FAR), RowKeys.of(FIRST));
      waiting.get(60, TimeUnit.SECONDS);
    }
    assertThat(store.get(FAR)).containsExactly(8);
  }

  /** The transaction that holds a row. */
  private long lockOn(Key key) {
    return ((RowCell.Intent) services.table().read(RowKeys.of(key)).cell()).transaction();
  }

  /** Puts 2 into both rows, and adds 7 to the counter. */
  private TwoPhaseCommit commit() {
    return commit(FIRST, FAR, COUNTER);
  }

  private TwoPhaseCommit commit(Key... keys) {
    List<RowPlan> rows = Arrays.stream(keys).map(RowPlan::new).toList();
    for (RowPlan row : rows) {
      if (row.key().equals(COUNTER)) {
        row.accumulate(counters(7), 0, true);
      } else {
        row.put(bytes(2));
      }
    }
    rows.forEach(row -> row.learn(services.table().read(row.row())));
    return new TwoPhaseCommit(services.table(), locks, services.memberCheck(), random, rows);
  }

  private int records() throws Exception {
    return connection
        .getTable(TableName.valueOf(options.table()))
        .scanAll(new Scan().addFamily(Columns.RECORDS))
        .get(60, TimeUnit.SECONDS)
        .size();
  }

  private void put(Key key, int value) {
    Transaction transaction = store.begin();
    transaction.put(key, bytes(value));
    transaction.commit().join();
  }

  private void add(long sum) {
    Transaction transaction = store.begin();
    transaction.add(COUNTER, counters(sum));
    transaction.commit().join();
  }

  private long counter() {
    return Counters.decode(store.get(COUNTER)).sum(0);
  }

  private static Counters counters(long sum) {
    return new Counters(new long[] {sum}, new long[0]);
  }

  private static Key key(int first) {
    return new Key(TABLE, bytes(first, 0));
  }

  private static byte[] bytes(int... values) {
    byte[] bytes = new byte[values.length];
    for (int i = 0; i < values.length; i++) {
      bytes[i] = (byte) values[i];
    }
    return bytes;
  }
}
