package io.acaciafs.kv.rocksdb.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.acaciafs.kv.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What every {@link CommitLog} keeps to. A test of an implementation extends this class, and brings
 * a machine, or several, that lose what was not synced. What holds of a log on one machine alone is
 * asked of one that {@linkplain CommitLog#isReplicated is not replicated}.
 */
public abstract class LogConformance {
  protected static final int SEGMENT_BYTES = 1 << 16;
  private static final int HISTORIES = Integer.getInteger("acacia.log-histories", 20);

  /** Of the first history, and of the other rules. */
  private static final long SEED = Long.getLong("acacia.seed", 1);

  private static final int STEPS = 80;
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** A log on something that fails: a machine, or several that have it together. */
  protected interface Machine {
    /** Opens the log. */
    CommitLog open(CommitLog.Replay replay);

    /** Opens a copy that a snapshot made. */
    CommitLog open(Path copy, CommitLog.Replay replay);

    /**
     * The next sync, or one of the next few writes, fails, as a bad or full disk makes it fail, or
     * a network between machines.
     */
    void failSoon(Random random);

    /** The same after a loss of power; what was not synced is lost, torn or there. */
    Machine afterPowerLoss(Random random) throws IOException;
  }

  @TempDir protected Path scratch;
  private final NavigableMap<Long, byte[]> appended = new TreeMap<>();
  private final NavigableMap<Long, byte[]> replayed = new TreeMap<>();
  private Machine machine;
  private CommitLog log;
  private int copies;

  /**
   * A machine without any log.
   *
   * @param seed of what it does by chance
   */
  protected abstract Machine newMachine(long seed) throws IOException;

  /** How many random histories there are. */
  protected int histories() {
    return HISTORIES;
  }

  @BeforeEach
  void open() throws IOException {
    machine = newMachine(SEED);
    log = machine.open(this::replay);
  }

  @AfterEach
  void close() {
    log.close();
  }

  private void replay(long position, byte[] buffer, int from, int to) {
    assertThat(replayed).doesNotContainKey(position);
    replayed.put(position, Arrays.copyOfRange(buffer, from, to));
  }

  private long append(int bytes, Random random) {
    byte[] batch = new byte[bytes];
    random.nextBytes(batch);
    long expected = 1 + Math.max(log.durable(), appended.isEmpty() ? 0 : appended.lastKey());
    appended.put(expected, batch); // if it fails, the batch may be there or not
    assertThat(log.append(ByteBuffer.wrap(batch))).isEqualTo(expected);
    return expected;
  }

  private static void await(CompletableFuture<Void> sync) throws Exception {
    sync.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
  }

  private void reopen() {
    log.close();
    replayed.clear();
    log = machine.open(this::replay);
  }

  private void losePower(Random random) throws IOException {
    Machine after = machine.afterPowerLoss(random);
    log.close();
    machine = after;
    replayed.clear();
    log = machine.open(this::replay);
  }

  private void assertReplayed(long from, long to) {
    if (from <= to) {
      assertThat(replayed.keySet()).containsAll(appended.subMap(from, true, to, true).keySet());
    }
    replayed.forEach((position, batch) -> assertThat(batch).isEqualTo(appended.get(position)));
  }

  @Test
  void positionsFollowEachOther() throws Exception {
    Random random = new Random(SEED);
    for (int i = 1; i <= 20; i++) {
      assertThat(append(100, random)).isEqualTo(i);
    }
    await(log.sync());
    assertThat(log.durable()).isEqualTo(20);
    reopen();
    assertThat(log.durable()).isEqualTo(20);
    assertThat(append(100, random)).isEqualTo(21);
  }

  @Test
  void whatWasSyncedIsReplayedInItsOrder() throws Exception {
    Random random = new Random(SEED);
    for (int i = 0; i < 100; i++) {
      append(1 + random.nextInt(5_000), random);
    }
    append(3 * SEGMENT_BYTES, random);
    await(log.sync());
    losePower(random);
    assertReplayed(1, 101);
  }

  @Test
  void whatIsReleasedNeedNotBeReplayedAndTheRestIs() throws Exception {
    Random random = new Random(SEED);
    for (int i = 1; i <= 200; i++) {
      append(5_000, random);
      await(log.sync());
      log.release(i / 2);
    }
    losePower(random);
    assertReplayed(101, 200);
    assertThat(replayed).as("most of the log is gone").hasSizeLessThan(160);
  }

  @Test
  void aReleaseNeverGoesBack() throws Exception {
    Random random = new Random(SEED);
    append(100, random);
    append(100, random);
    await(log.sync());
    log.release(2);
    log.release(0);
    reopen();
    assertThat(replayed).isEmpty();
    assertThat(append(100, random)).isEqualTo(3);
  }

  @Test
  void syncsThatAreUnderWayTogetherCompleteInOrder() throws Exception {
    Random random = new Random(SEED);
    List<Integer> order = new ArrayList<>();
    List<CompletableFuture<Void>> syncs = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      int number = i;
      append(1_000, random);
      syncs.add(log.sync().thenRun(() -> order.add(number)));
    }
    for (CompletableFuture<Void> sync : syncs) {
      await(sync);
    }
    assertThat(order).hasSize(20).isSorted();
  }

  @Test
  void aReadBarrierComesBackAndTheLeaseIsHeld() throws Exception {
    await(log.readBarrier());
    assertThat(log.holdsLease()).isTrue();
  }

  @Test
  void aSnapshotHoldsWhatWasNotReleasedWhenItBegan() throws Exception {
    Random random = new Random(SEED);
    append(20_000, random);
    await(log.sync());
    Path copy = newCopy();
    try (CommitLog.Snapshot snapshot = log.snapshot()) {
      for (int i = 0; i < 30; i++) {
        long last = append(20_000, random);
        await(log.sync());
        log.release(last);
      }
      snapshot.copyTo(copy);
    }
    replayed.clear();
    machine.open(copy, this::replay).close();
    assertReplayed(1, 31);
  }

  private Path newCopy() throws IOException {
    return Files.createDirectory(scratch.resolve("copy-" + copies++));
  }

  @Test
  void aRollBeginsASegmentWithTheNextBatch() throws Exception {
    Random random = new Random(SEED);
    assertThat(log.roll()).isEqualTo(1);
    append(1_000, random);
    append(1_000, random);
    assertThat(log.roll()).isEqualTo(3);
    if (log.isReplicated()) {
      await(log.sync());
    }
    assertThat(log.durable()).isEqualTo(2);
    assertThat(log.roll()).as("there is nothing to end").isEqualTo(3);
  }

  @Test
  void afterAFailureEachCallFails() {
    Random random = new Random(SEED);
    machine.failSoon(random);
    assertThatThrownBy(
            () -> {
              for (int i = 0; i < 20; i++) {
                append(1_000, random);
                await(log.sync());
              }
            })
        .isNotNull();
    assertThatThrownBy(() -> append(10, random)).isInstanceOf(StoreException.class);
    assertThat(log.sync()).isCompletedExceptionally();
    assertThatThrownBy(() -> log.roll()).isInstanceOf(StoreException.class);
    if (!log.isReplicated()) {
      assertThatThrownBy(() -> log.release(1)).isInstanceOf(StoreException.class);
    }
  }

  /** Others append now, and their batches go into files too. */
  @Test
  void aReplicatedLogReleasesWhatIsDurableAlsoAfterAFailure() throws Exception {
    assumeTrue(log.isReplicated());
    Random random = new Random(SEED);
    append(100, random);
    append(100, random);
    await(log.sync());
    machine.failSoon(random);
    append(100, random);
    assertThat(log.sync()).failsWithin(PATIENCE);
    log.release(2);
    losePower(random);
    assertThat(replayed).doesNotContainKeys(1L, 2L);
    checkReplay(2, 2);
  }

  /** Appends, syncs, releases, rolls, copies and failures in any order, and losses of power. */
  @Test
  void noHistoryLosesWhatWasPromised() throws Exception {
    for (long seed = SEED; seed < SEED + histories(); seed++) {
      try {
        machine = newMachine(seed);
        appended.clear();
        replayed.clear();
        log.close();
        log = machine.open(this::replay);
        runHistory(new Random(seed));
      } catch (Exception | AssertionError e) {
        throw new AssertionError("One history, with -Dacacia.seed=" + seed, e);
      }
    }
  }

  private void runHistory(Random random) throws Exception {
    long promised = 0;
    long released = 0;
    for (int step = 0; step < STEPS; step++) {
      try {
        switch (random.nextInt(16)) {
          case 0 -> log.roll();
          case 1 -> {
            released = Math.max(released, released + random.nextInt(4));
            released = Math.min(released, log.durable());
            log.release(released);
          }
          case 2 -> copyAndLook(released, log.durable());
          case 3 -> machine.failSoon(random);
          case 4 -> {
            losePower(random);
            promised = checkReplay(released, promised);
          }
          case 5, 6, 7, 8 -> {
            await(log.sync());
            promised = appended.isEmpty() ? 0 : appended.lastKey();
          }
          default -> append(sizeOf(random), random);
        }
        promised = Math.max(promised, log.durable());
      } catch (StoreException | ExecutionException e) {
        promised = Math.max(promised, log.durable());
        losePower(random); // it serves no more, and is restarted
        promised = checkReplay(released, promised);
      }
    }
  }

  private static int sizeOf(Random random) {
    return random.nextInt(20) == 0
        ? SEGMENT_BYTES + random.nextInt(SEGMENT_BYTES)
        : 1 + random.nextInt(6_000);
  }

  private void copyAndLook(long released, long durable) throws IOException {
    Path copy = newCopy();
    try (CommitLog.Snapshot snapshot = log.snapshot()) {
      snapshot.copyTo(copy);
    }
    NavigableMap<Long, byte[]> before = new TreeMap<>(replayed);
    replayed.clear();
    machine.open(copy, this::replay).close();
    assertReplayed(released + 1, durable);
    replayed.clear();
    replayed.putAll(before);
  }

  /** What was replayed has no gap, ends behind what was promised, and is what was appended. */
  private long checkReplay(long released, long promised) {
    assertReplayed(released + 1, promised);
    long last = Math.max(log.durable(), released);
    if (!replayed.isEmpty()) {
      assertThat(replayed.lastKey()).isEqualTo(last);
      assertThat(replayed).hasSize((int) (replayed.lastKey() - replayed.firstKey() + 1));
    }
    assertThat(last).isGreaterThanOrEqualTo(promised);
    appended.tailMap(last, false).clear(); // nobody was promised these
    return last;
  }
}
