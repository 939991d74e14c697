package io.acaciafs.kv.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.Transaction;
import io.acaciafs.kv.testkit.disk.DiskTrace;
import io.acaciafs.kv.testkit.disk.DiskTrace.Op;
import io.acaciafs.kv.testkit.disk.PowerLosses;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The power fails while a process makes, writes, copies, loads, closes and opens a store. The disk
 * may have any part of the data that was not synced. The store opens, and holds all acknowledged
 * commits and none in part.
 */
class PowerLossTest {
  private static final int STATES = Integer.getInteger("acacia.power-losses", 20);
  private static final long SEED = Long.getLong("acacia.seed", 1);
  private static final int EIO = 5;
  private static final int ENOSPC = 28;

  @TempDir private Path scratch;
  private final Random random = new Random(SEED);
  private Path folder;
  private DiskTrace trace;

  @BeforeEach
  void compile() throws Exception {
    assumeTrue(
        DiskTrace.isPossible(),
        "A C compiler (cc, gcc or clang) is needed to record what a process writes; there is none");
    folder = Files.createDirectory(scratch.resolve("disk"));
    trace = DiskTrace.of(scratch, folder);
  }

  @Test
  void whatWasAcknowledgedIsThereAndNothingElse() throws Exception {
    trace.run(RecordedWork.class, "", List.of("1", "all", "60"));
    trace.run(RecordedWork.class, "", List.of("2", "all", "40"));
    failPower(trace.ops(), 0, STATES);
  }

  /**
   * The system forgets pages that it could not write, but shows them to a process that opens the
   * file again.
   */
  @Test
  void whatAFailedSyncLeftIsNotBelievedUnlessItIsWrittenAgain() throws Exception {
    for (int round = 1; round <= 4; round++) {
      String failing = "sync," + EIO + ",.commits," + (1 + random.nextInt(20));
      runUntilItFails(failing, 2 * round - 1);
      trace.run(RecordedWork.class, "", List.of("" + 2 * round, "commit", "10"));
    }
    failPower(trace.ops(), 2, STATES);
  }

  @Test
  void aFullDiskIsSaidToBeFull() throws Exception {
    for (int write : List.of(1, 3, 20)) { // while it opens, and while it works
      assertThat(runUntilItFails("write," + ENOSPC + ",.commits," + write, write))
          .contains("No space left on device")
          .contains(folder.resolve("store").toString());
    }
    trace.run(RecordedWork.class, "", List.of("2", "commit", "10"));
    failPower(trace.ops(), 0, STATES / 4);
  }

  /** What the store says when it has failed. */
  private String runUntilItFails(String failing, int process) throws Exception {
    trace.run(RecordedWork.class, failing, List.of("" + process, "commit", "400"));
    Path failure = folder.resolve("failure");
    assertThat(failure).as("whether it failed").exists();
    String said = Files.readString(failure);
    Files.delete(failure);
    return said;
  }

  /**
   * @param afterProcess states from before it has opened the store are not looked at
   */
  private void failPower(List<Op> ops, int afterProcess, int states) throws Exception {
    Said said = new Said();
    int first = firstSeenBy(ops, afterProcess);
    new PowerLosses(scratch, SEED)
        .check(
            ops,
            random.ints(states, first, ops.size() + 1),
            said::apply,
            (left, done) -> assertHolds(left, said));
  }

  private static int firstSeenBy(List<Op> ops, int process) {
    Said said = new Said();
    int first = 0;
    while (said.seenBy() < process) {
      said.apply(ops.get(first++));
    }
    return first;
  }

  private void assertHolds(Path left, Said said) throws Exception {
    Path store = left.resolve("store");
    if (said.seenBy() > 0) {
      assertHolds(store, said, said.durable());
      assertHolds(store, said, said.durable()); // and after another start
    } else if (Files.exists(store)) {
      assertNoneOrEmpty(store);
    }
    for (Map.Entry<String, Integer> there : said.folders().entrySet()) {
      Path path = left.resolve(there.getKey());
      if (there.getKey().startsWith("copy")) {
        assertHolds(path, said, there.getValue());
      } else {
        try (RocksDbStore loaded = SmallStores.open(path, NumberedCommits.TABLES)) {
          assertThat(RecordedWork.isLoaded(loaded, there.getValue())).as(there.getKey()).isTrue();
        }
      }
    }
  }

  /** One that was never open promises nothing: it may have to be made anew. */
  private static void assertNoneOrEmpty(Path where) {
    try (RocksDbStore store = SmallStores.open(where, NumberedCommits.TABLES)) {
      assertThat(NumberedCommits.differences(store, List.of())).isEmpty();
    } catch (StoreException e) {
      assertThat(e).hasMessageContaining(where.toString());
    }
  }

  private void assertHolds(Path where, Said said, int durable) throws Exception {
    try (RocksDbStore store = SmallStores.open(where, NumberedCommits.TABLES)) {
      int last = NumberedCommits.last(store);
      assertThat(last).as("commits in %s", where).isBetween(durable, said.makers().size());
      assertThat(NumberedCommits.differences(store, said.makers())).as("in %s", where).isEmpty();
      if (random.nextInt(4) == 0) { // it goes on from here
        Transaction transaction = store.begin();
        transaction.delete(new io.acaciafs.kv.Key(NumberedCommits.ONE, new byte[] {9}));
        transaction.commit().get(60, TimeUnit.SECONDS);
      }
    }
  }
}
