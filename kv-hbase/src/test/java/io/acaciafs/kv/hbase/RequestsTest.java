package io.acaciafs.kv.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.kv.ConflictException;
import io.acaciafs.kv.Counters;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Scan;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.Transaction;
import io.acaciafs.kv.hbase.client.HBaseOptions;
import io.acaciafs.kv.hbase.local.LocalHBase;
import io.acaciafs.kv.hbase.schema.RowKeys;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** How many requests the transactions of a file system cost when its rows lie in many regions. */
@Tag("hbase")
@ExtendWith(TestHBase.class)
class RequestsTest {
  private static final Table ENTRIES = new Table("entries", 2);
  private static final Table INODES = Table.ofScatteredRows("inodes");
  private static final Table OPEN = Table.ofScatteredRows("open_files");

  /** Ids whose rows lie beside the partition 0x10, and in another region than any that is used. */
  private static final int NEAR = idIn(0x1);

  private static final int FAR = idIn(0x9);

  private final HBaseOptions options;
  private HBaseStore store;

  RequestsTest(LocalHBase hbase) {
    options = Stores.options(hbase).withTable("requests");
  }

  @BeforeEach
  void open() throws Exception {
    store = Stores.openEmpty(options, Set.of(ENTRIES, INODES, OPEN), 4);
    for (int directory : new int[] {0x10, 0xF0}) {
      add(counters(directory), 1);
    }
    store.get(entry(0x50, 1));
    store.get(entry(0x90, 1));
    for (long id = 0; id < 100; id++) {
      store.get(inode(id)); // has all regions located
    }
  }

  @AfterEach
  void close() {
    store.close();
  }

  @Test
  void aNewFileTakesOneRequestAndOneForItsIndexRows() {
    long before = store.requests();
    create(0x10, 1, FAR).join();
    assertThat(store.requests() - before).isEqualTo(2);
    assertThat(store.get(entry(0x10, 1))).containsExactly(FAR);
    assertThat(store.get(inode(FAR))).containsExactly(1);
    assertThat(store.get(open(FAR))).containsExactly(2);
    assertThat(sum(counters(0x10))).isEqualTo(2);
  }

  @Test
  void whatLiesInOneNeighbourhoodTakesOneRequest() {
    long before = store.requests();
    create(0x10, 1, NEAR).join();
    assertThat(store.requests() - before).isEqualTo(1);
    before = store.requests();
    Transaction rename = store.begin();
    rename.remoteReads().recall(entry(0x10, 1));
    rename.guardAbsent(entry(0x10, 2));
    rename.delete(entry(0x10, 1));
    rename.put(entry(0x10, 2), bytes(NEAR));
    rename.remoteReads().replace(inode(NEAR), bytes(3));
    rename.commit().join();
    assertThat(store.requests() - before).isEqualTo(1);
    assertThat(store.get(entry(0x10, 2))).containsExactly(NEAR);
    assertThat(store.get(inode(NEAR))).containsExactly(3);
  }

  @Test
  void aChangeOfAFileTakesOneReadAndOneRequest() {
    create(0x10, 1, 7).join();
    long before = store.requests();
    Transaction change = store.begin();
    change.get(entry(0x10, 1));
    change.put(entry(0x10, 1), bytes(8));
    change.commit().join();
    assertThat(store.requests() - before).isEqualTo(2);
  }

  @Test
  void aRemovalTakesOneReadOneRequestAndOneForTheIndexRow() {
    create(0x10, 1, FAR).join();
    long before = store.requests();
    Transaction removal = store.begin();
    removal.get(entry(0x10, 1));
    removal.delete(entry(0x10, 1));
    removal.add(counters(0x10), delta(-1));
    removal.deleteIndex(inode(FAR));
    removal.commit().join();
    assertThat(store.requests() - before).isEqualTo(3);
    assertThat(store.get(inode(FAR))).isNull();
  }

  /** To another directory, on another server, and its place is a row of a third one. */
  @Test
  void aMoveTakesFourRoundTrips() {
    create(0x10, 1, FAR).join();
    long before = store.roundTrips().getAsLong();
    Transaction move = store.begin();
    move.remoteReads().prefetch(List.of(entry(0x10, 1), entry(0xF0, 2)));
    byte[] file = move.get(entry(0x10, 1));
    assertThat(move.get(entry(0xF0, 2))).isNull();
    move.delete(entry(0x10, 1));
    move.add(counters(0x10), delta(-1));
    move.put(entry(0xF0, 2), file);
    move.add(counters(0xF0), delta(1));
    move.put(inode(FAR), bytes(9));
    move.commit().join();
    assertThat(store.roundTrips().getAsLong() - before).isEqualTo(4);
    assertThat(store.get(entry(0x10, 1))).isNull();
    assertThat(store.get(entry(0xF0, 2))).containsExactly(FAR);
    assertThat(store.get(inode(FAR))).containsExactly(9);
    assertThat(sum(counters(0x10))).isEqualTo(1);
    assertThat(sum(counters(0xF0))).isEqualTo(2);
  }

  @Test
  void aReadThatRestsOnNothingElseIsOneRequest() {
    create(0x10, 1, 7).join();
    long before = store.requests();
    Transaction stat = store.begin();
    assertThat(stat.get(entry(0x10, 1))).containsExactly(7);
    stat.validate().join();
    assertThat(store.requests() - before).isEqualTo(1);
  }

  @Test
  void whatComesTogetherGoesTogether() {
    int files = 200;
    long before = store.requests();
    List<CompletableFuture<Void>> created = new ArrayList<>();
    for (int i = 0; i < files; i++) {
      created.add(create(0x10, i, i));
    }
    CompletableFuture.allOf(created.toArray(CompletableFuture[]::new)).join();
    assertThat(store.requests() - before).isLessThan(files);
    assertThat(sum(counters(0x10))).isEqualTo(1 + files);
    for (int i = 0; i < files; i++) {
      assertThat(store.get(entry(0x10, i))).containsExactly((byte) i);
    }
  }

  /** Their counters are taken for granted, and are not there yet. */
  @Test
  void theFirstOfADirectoryComeAgainTogether() {
    int files = 200;
    long before = store.requests();
    List<CompletableFuture<Void>> created = new ArrayList<>();
    for (int i = 0; i < files; i++) {
      created.add(createAlone(0x50, i));
    }
    CompletableFuture.allOf(created.toArray(CompletableFuture[]::new)).join();
    assertThat(store.requests() - before).isLessThan(files / 4);
    assertThat(sum(counters(0x50))).isEqualTo(files);
  }

  @Test
  void whatIsThereAlreadyIsReplacedTogether() {
    int files = 200;
    List<CompletableFuture<Void>> written = new ArrayList<>();
    for (int i = 0; i < files; i++) {
      written.add(put(entry(0x10, i), 1));
    }
    CompletableFuture.allOf(written.toArray(CompletableFuture[]::new)).join();
    written.clear();
    long before = store.requests();
    for (int i = 0; i < files; i++) {
      written.add(put(entry(0x10, i), 2));
    }
    CompletableFuture.allOf(written.toArray(CompletableFuture[]::new)).join();
    assertThat(store.requests() - before).isLessThan(files / 4);
    for (int i = 0; i < files; i++) {
      assertThat(store.get(entry(0x10, i))).containsExactly(2);
    }
  }

  private CompletableFuture<Void> put(Key row, int value) {
    Transaction transaction = store.begin();
    transaction.put(row, bytes(value));
    return transaction.commit();
  }

  private CompletableFuture<Void> createAlone(int directory, int name) {
    Transaction transaction = store.begin();
    transaction.guardAbsent(entry(directory, name));
    transaction.put(entry(directory, name), bytes(7));
    transaction.add(counters(directory), delta(1));
    return transaction.commit();
  }

  @Test
  void readsThatComeTogetherGoTogether() throws Exception {
    create(0x10, 1, 7).join();
    int readers = 32;
    int readsOfEach = 50;
    long before = store.requests();
    ExecutorService threads = Executors.newFixedThreadPool(readers);
    try {
      List<Future<?>> read = new ArrayList<>();
      for (int i = 0; i < readers; i++) {
        int name = i % 2;
        read.add(threads.submit(() -> readOften(name, readsOfEach)));
      }
      for (Future<?> each : read) {
        each.get(60, TimeUnit.SECONDS);
      }
    } finally {
      threads.shutdownNow();
    }
    assertThat(store.requests() - before).isLessThan(readers * readsOfEach / 2);
  }

  private void readOften(int name, int times) {
    for (int i = 0; i < times; i++) {
      byte[] file = store.get(entry(0x10, name));
      assertThat(file).isEqualTo(name == 1 ? bytes(7) : null);
    }
  }

  @Test
  void rowsOfOneCallerTakeOneRequest() {
    create(0x10, 1, NEAR).join();
    long before = store.requests();
    Transaction transaction = store.begin();
    transaction.remoteReads().prefetch(List.of(entry(0x10, 1), entry(0xF0, 2), inode(FAR)));
    assertThat(store.requests() - before).isEqualTo(1);
    assertThat(transaction.get(entry(0x10, 1))).containsExactly(NEAR);
  }

  /** As all that is under way in a directory does when the while begins in which it is marked. */
  @Test
  void settersOfTheSameMarkerDoNotConflict() {
    int files = 200;
    long before = store.requests();
    List<CompletableFuture<Void>> created = new ArrayList<>();
    for (int i = 0; i < files; i++) {
      created.add(createMarked(0x10, i, inode(FAR)));
    }
    CompletableFuture.allOf(created.toArray(CompletableFuture[]::new)).join();
    assertThat(store.requests() - before)
        .as("two of each, which many share as none is refused")
        .isLessThan(files);
    assertThat(store.get(inode(FAR))).isEmpty();
    assertThat(sum(counters(0x10))).isEqualTo(1 + files);
  }

  @Test
  void aMarkerThatIsSetCostsNothing() {
    createMarked(0x10, 1, inode(NEAR)).join();
    long before = store.requests();
    createMarked(0x10, 2, inode(NEAR)).join();
    assertThat(store.requests() - before).isEqualTo(1);
    assertThat(store.get(entry(0x10, 2))).containsExactly(7);
  }

  private CompletableFuture<Void> createMarked(int directory, int name, Key mark) {
    Transaction transaction = store.begin();
    transaction.guardAbsent(entry(directory, name));
    transaction.put(entry(directory, name), bytes(7));
    transaction.add(counters(directory), delta(1));
    transaction.putIndexIfAbsent(mark);
    return transaction.commit();
  }

  /** Every tenth finds that its entry is there already. */
  @Test
  void aFailingCommitFailsAlone() throws Exception {
    int files = 100;
    for (int i = 0; i < files; i += 10) {
      create(0x10, i, i).join();
    }
    List<CompletableFuture<Void>> created = new ArrayList<>();
    for (int i = 0; i < files; i++) {
      created.add(create(0x10, i, i + 100));
    }
    for (int i = 0; i < files; i++) {
      Throwable failure =
          created.get(i).handle((nothing, thrown) -> thrown).get(30, TimeUnit.SECONDS);
      if (i % 10 == 0) {
        assertThat(failure).isInstanceOf(ConflictException.class);
      } else {
        assertThat(failure).isNull();
      }
      assertThat(store.get(entry(0x10, i))).containsExactly((byte) (i % 10 == 0 ? i : i + 100));
    }
    assertThat(sum(counters(0x10))).isEqualTo(1 + files);
    Transaction again = store.begin();
    assertThat(again.guardAbsent(entry(0x10, 0))).as("after it was wrong").isFalse();
  }

  @Test
  void scatteredRowsAreScannedInOrder() {
    List<CompletableFuture<Void>> written = new ArrayList<>();
    for (long id = 0; id < 500; id++) {
      Transaction transaction = store.begin();
      transaction.putIndex(inode(id), Bytes.toBytes(id));
      transaction.putIndex(open(id), bytes(1));
      written.add(transaction.commit());
    }
    CompletableFuture.allOf(written.toArray(CompletableFuture[]::new)).join();
    List<Long> ids = new ArrayList<>();
    KeyRange range = new KeyRange(INODES, inode(17).bytes(), inode(490).bytes());
    try (Scan scan = store.scan(range)) {
      while (scan.hasNext()) {
        ids.add(ByteBuffer.wrap(scan.next().key().bytes()).getLong());
      }
    }
    assertThat(ids).hasSize(473).isSorted().startsWith(17L).endsWith(489L);
  }

  /** As the file system does it: the entry is thought to be new, and nothing is read. */
  private CompletableFuture<Void> create(int directory, int name, int id) {
    Transaction transaction = store.begin();
    transaction.guardAbsent(entry(directory, name));
    transaction.put(entry(directory, name), bytes(id));
    transaction.add(counters(directory), delta(1));
    transaction.putIndex(inode(id), bytes(1));
    transaction.putIndex(open(id), bytes(2));
    return transaction.commit();
  }

  private static int idIn(int placementGroup) {
    for (int id = 1; id < 100; id++) {
      if (RowKeys.shardOf(inode(id)) == placementGroup) {
        return id;
      }
    }
    throw new AssertionError();
  }

  private void add(Key counters, long sum) {
    Transaction transaction = store.begin();
    transaction.add(counters, delta(sum));
    transaction.commit().join();
  }

  private long sum(Key counters) {
    return Counters.decode(store.get(counters)).sum(0);
  }

  private static Counters delta(long sum) {
    return new Counters(new long[] {sum}, new long[0]);
  }

  private static Key entry(int directory, int name) {
    return new Key(ENTRIES, bytes(directory, 0, 2, name >> 8, name));
  }

  private static Key counters(int directory) {
    return new Key(ENTRIES, bytes(directory, 0, 1));
  }

  private static Key inode(long id) {
    return new Key(INODES, Bytes.toBytes(id));
  }

  private static Key open(long id) {
    return new Key(OPEN, Bytes.toBytes(id));
  }

  private static byte[] bytes(int... values) {
    byte[] bytes = new byte[values.length];
    for (int i = 0; i < values.length; i++) {
      bytes[i] = (byte) values[i];
    }
    return bytes;
  }
}
