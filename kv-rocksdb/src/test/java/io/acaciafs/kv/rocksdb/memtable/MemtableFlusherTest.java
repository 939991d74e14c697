package io.acaciafs.kv.rocksdb.memtable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.kv.FencedOffException;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.rocksdb.common.Families;
import io.acaciafs.kv.rocksdb.lock.RowSlots;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What leaves the memtable, in which order with the log, and what a loss of power leaves. */
class MemtableFlusherTest {
  private static final Table ONE = new Table("one", 2);
  private static final Table TWO = Table.ofSingleRows("two");
  private static final Families FAMILIES = new Families(Map.of(ONE, 1, TWO, 2));
  private static final int PART_BYTES = 2_000;

  private final Random random = new Random(11);
  private final Memtable memtable =
      new Memtable(FAMILIES, new RowSlots(8), new PartitionVersions(4), PART_BYTES, 2);
  private final BlockingQueue<StoreException> failures = new LinkedBlockingQueue<>();

  /** What is in files; rows that were removed too. */
  private final TreeMap<Key, String> files = new TreeMap<>();

  /** All rows that there ever were, the first of which has the number 1. */
  private final List<Key> keys = new ArrayList<>();

  private final List<String> values = new ArrayList<>();
  private final Semaphore mayWrite = new Semaphore(Integer.MAX_VALUE / 2);
  private long durableEnd = 1;
  private int written;
  private volatile boolean broken;
  private Runnable whileFilesAreMade = () -> {};
  private volatile Runnable beforeLog = () -> {};

  private final MemtableFlusher writeOut =
      new MemtableFlusher(
          memtable,
          this::makeLogDurable,
          new MemtableFlusher.Target() {
            @Override
            public void write(byte[] batch) {
              mayWrite.acquireUninterruptibly();
              writeToFiles(batch);
            }

            @Override
            public void flush(Set<Integer> families) {
              assertThatPowerMayFail();
              whileFilesAreMade.run();
            }
          },
          upTo -> {},
          failures::add,
          60_000);

  @BeforeEach
  void watch() {
    memtable.watch(writeOut);
  }

  @AfterEach
  void end() {
    mayWrite.release(1_000_000);
  }

  private synchronized void commit(int rows) {
    RowBatch batch = new RowBatch(rows);
    for (int i = 0; i < rows; i++) {
      byte[] key = {0, (byte) random.nextInt(6), (byte) random.nextInt(40)};
      byte[] value = random.nextInt(4) == 0 ? null : new byte[] {(byte) random.nextInt(100)};
      batch.add(new Key(random.nextBoolean() ? ONE : TWO, key), value);
      keys.add(batch.key(i));
      values.add(value == null ? "removed" : "" + value[0]);
    }
    memtable.add(batch);
  }

  private synchronized void makeLogDurable() {
    beforeLog.run();
    assertThatPowerMayFail();
    durableEnd = memtable.extent().end();
    assertThatPowerMayFail();
  }

  private synchronized void writeToFiles(byte[] batch) {
    if (broken) {
      throw new StoreException("no room");
    }
    BatchEncoder.forEachRow(
        batch,
        0,
        batch.length,
        row -> {
          files.put(
              new Key(FAMILIES.table(row.family()), row.key()),
              row.isRemoved() ? "removed" : "" + row.value()[0]);
          written++;
        });
    assertThatPowerMayFail();
  }

  /** Files and what is durable of the log make up all commits of one moment. */
  private synchronized void assertThatPowerMayFail() {
    TreeMap<Key, String> expected = new TreeMap<>();
    for (int i = 0; i < durableEnd - 1; i++) {
      expected.put(keys.get(i), values.get(i));
    }
    TreeMap<Key, String> recovered = new TreeMap<>(files);
    for (long number = memtable.floor(); number < durableEnd; number++) {
      int i = (int) number - 1;
      recovered.put(keys.get(i), values.get(i));
    }
    assertThat(recovered).isEqualTo(expected);
  }

  /** Another server leads, of which this thread hears before it is told that the term ends. */
  @Test
  void aLogThatTakesNothingMoreInATermIsNoFailure() throws Exception {
    CountDownLatch refused = new CountDownLatch(1);
    beforeLog =
        () -> {
          refused.countDown();
          throw new FencedOffException("another one leads");
        };
    while (memtable.fullParts() < 12) {
      commit(3);
    }
    CompletableFuture<Void> waiter = CompletableFuture.runAsync(writeOut::awaitRoom);
    writeOut.start();
    assertThat(refused.await(30, TimeUnit.SECONDS)).isTrue();
    waiter.get(30, TimeUnit.SECONDS); // the end of the term waits for it
    writeOut.endTerm();
    writeOut.stop();
    assertThat(failures).isEmpty();
    assertThat(files).isEmpty();
  }

  @Test
  void aLossOfPowerLeavesAllThatWasDurableAndNothingElse() throws Exception {
    writeOut.start();
    for (int i = 0; i < 2_000; i++) {
      commit(1 + random.nextInt(5));
      if (i % 10 == 0) {
        makeLogDurable();
        writeOut.awaitRoom();
      }
    }
    writeOut.close();
    assertThat(failures).isEmpty();
    assertThat(durableEnd).isEqualTo(keys.size() + 1);
    assertThat(memtable.floor()).isEqualTo(durableEnd);
    assertThat(written).isBetween(files.size(), keys.size() / 2);
  }

  /** A newer state of a row, for which an older one was left out, may be taken back then. */
  @Test
  void whatIsWrittenWhenATermEndsCountsAsNotWritten() throws Exception {
    CountDownLatch made = new CountDownLatch(1);
    whileFilesAreMade =
        () -> {
          writeOut.endTerm();
          made.countDown();
        };
    writeOut.start();
    while (memtable.fullParts() < 3) {
      commit(10);
    }
    assertThat(made.await(30, TimeUnit.SECONDS)).isTrue();
    writeOut.stop();
    assertThat(written).isPositive();
    assertThat(memtable.floor()).isEqualTo(1);
    assertThat(failures).isEmpty();
  }

  /** What is not durable must not come into files. */
  @Test
  void nothingIsWrittenAfterATermHasEnded() throws Exception {
    while (memtable.fullParts() < 3) {
      commit(10);
    }
    writeOut.endTerm();
    writeOut.start();
    writeOut.stop();
    assertThat(files).isEmpty();
    assertThat(memtable.floor()).isEqualTo(1);
  }

  @Test
  void littleIsWrittenOnlyWhenAScanAsksForIt() throws Exception {
    writeOut.start();
    commit(20);
    assertThat(written).isZero();
    writeOut.scanWasLong();
    awaitFloor(21);
    commit(1);
    writeOut.close();
    assertThat(memtable.floor()).isEqualTo(22);
  }

  @Test
  void whatIsThereAtTheStartIsWritten() throws Exception {
    commit(20);
    memtable.seal();
    writeOut.start();
    awaitFloor(21);
    writeOut.close();
  }

  private void awaitFloor(long number) {
    long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (memtable.floor() != number && System.nanoTime() < deadlineNs) {
      Thread.onSpinWait();
    }
    assertThat(memtable.floor()).isEqualTo(number);
  }

  @Test
  void commitsWaitWhileItIsFarBehind() throws Exception {
    mayWrite.drainPermits();
    writeOut.start();
    while (memtable.fullParts() < 9) {
      commit(10);
      writeOut.awaitRoom();
    }
    while (memtable.fullParts() < 10) {
      commit(10);
    }
    CompletableFuture<Void> late = CompletableFuture.runAsync(writeOut::awaitRoom);
    assertThatThrownBy(() -> late.get(50, TimeUnit.MILLISECONDS))
        .isInstanceOf(TimeoutException.class);
    mayWrite.release(1_000_000);
    late.get(30, TimeUnit.SECONDS);
    writeOut.close();
  }

  @Test
  void afterAFailureNothingGoesAndTheLogStays() throws Exception {
    broken = true;
    writeOut.start();
    while (memtable.fullParts() < 3) {
      commit(10);
    }
    assertThat(failures.poll(30, TimeUnit.SECONDS))
        .hasMessage("What was committed cannot be written: no room");
    broken = false;
    assertThatThrownBy(writeOut::close)
        .isInstanceOf(StoreException.class)
        .hasMessage("What was committed could not be written");
    assertThat(memtable.floor()).isEqualTo(1);
    assertThat(files).isEmpty();
  }
}
