package io.acaciafs.namespace.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.kv.Store;
import io.acaciafs.kv.memory.Fault;
import io.acaciafs.kv.memory.Faults;
import io.acaciafs.kv.memory.MemoryStore;
import io.acaciafs.kv.rocksdb.RocksDbOptions;
import io.acaciafs.kv.rocksdb.RocksDbStore;
import io.acaciafs.namespace.settings.DirectorySettings;
import io.acaciafs.namespace.testkit.NamespaceFixture;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random histories against a model. {@code acacia.model.operations} says how many operations in
 * all, {@code acacia.model.seed} replays a failure.
 */
class NamespaceModelTest {
  private static final int OPERATIONS = Integer.getInteger("acacia.model.operations", 100_000);
  private static final long SEED = Long.getLong("acacia.model.seed", 1);

  /** Short ones, as a tree that was chmodded to death teaches nothing. */
  private static final int OPERATIONS_OF_ONE_HISTORY = 2_000;

  /** Without these the histories would show little. */
  private static final List<String> WORTH_MEETING =
      List.of(
          "mkdirs",
          "rename",
          "rename2",
          "delete",
          "createSymlink",
          "create",
          "addBlock",
          "complete",
          "abandon",
          "fsync",
          "append",
          "truncate",
          "concat",
          "recoverLease",
          "releaseLease",
          "commitBlockSynchronization",
          "updateBlockForPipeline",
          "updatePipeline",
          "chmod",
          "chown",
          "setTimes",
          "setReplication",
          "touch",
          "setXAttr",
          "removeXAttr",
          "setStoragePolicy",
          "setQuota",
          "removeAcl",
          "removeDefaultAcl",
          "removeAclEntries",
          "setAcl",
          "modifyAcl",
          "list",
          "openFiles",
          "access",
          "file",
          "summary",
          "info",
          "info org.apache.hadoop.hdfs.protocol.UnresolvedPathException",
          "linkTarget",
          "storagePolicy",
          "acl",
          "xattrs",
          "xattr",
          "addBlock org.apache.hadoop.hdfs.protocol.DSQuotaExceededException",
          "addBlock org.apache.hadoop.hdfs.protocol.QuotaByStorageTypeExceededException",
          "append org.apache.hadoop.hdfs.protocol.DSQuotaExceededException",
          "create org.apache.hadoop.hdfs.protocol.NSQuotaExceededException",
          "mkdirs org.apache.hadoop.hdfs.protocol.NSQuotaExceededException",
          "rename org.apache.hadoop.hdfs.protocol.NSQuotaExceededException",
          "append org.apache.hadoop.hdfs.protocol.RecoveryInProgressException",
          "truncate org.apache.hadoop.hdfs.protocol.RecoveryInProgressException",
          "create org.apache.hadoop.hdfs.protocol.RecoveryInProgressException",
          "removeAclEntries org.apache.hadoop.hdfs.protocol.AclException");

  @TempDir private Path folder;

  @Test
  void memory() throws IOException {
    Set<String> met = new TreeSet<>();
    run(OPERATIONS / 2, 0, true, seed -> Faults.none(), met);
    if (OPERATIONS >= 20_000) {
      assertThat(met).containsAll(WORTH_MEETING);
    }
  }

  @Test
  void memoryWithConflicts() throws IOException {
    run(
        OPERATIONS / 5,
        0,
        false,
        seed -> Faults.seeded(seed, Map.of(Fault.CONFLICT, 0.1)),
        new TreeSet<>());
  }

  @Test
  void memoryWithLostRepliesAndCrashes() throws IOException {
    int uncertain =
        run(
            OPERATIONS / 5,
            500,
            false,
            seed ->
                Faults.seeded(
                    seed,
                    Map.of(
                        Fault.CONFLICT, 0.02,
                        Fault.LOST_REPLY, 0.01,
                        Fault.CRASH_BEFORE_DURABLE, 0.005,
                        Fault.CRASH_AFTER_DURABLE, 0.005)),
            new TreeSet<>());
    assertThat(uncertain).isGreaterThanOrEqualTo(OPERATIONS / 20_000);
  }

  @Test
  void directoriesOfFourBuckets() throws IOException {
    runWith(new DirectorySettings(4, 0), Map.of());
  }

  @Test
  void bucketsThatAreDivided() throws IOException {
    runWith(new DirectorySettings(1, 1), Map.of(Fault.CONFLICT, 0.02));
  }

  @Test
  void bucketsThatAreDividedWithLostRepliesAndCrashes() throws IOException {
    runWith(
        new DirectorySettings(2, 1),
        Map.of(
            Fault.LOST_REPLY, 0.01,
            Fault.CRASH_BEFORE_DURABLE, 0.005,
            Fault.CRASH_AFTER_DURABLE, 0.005));
  }

  private static void runWith(DirectorySettings directories, Map<Fault, Double> faults)
      throws IOException {
    for (int i = 0; i * OPERATIONS_OF_ONE_HISTORY < OPERATIONS / 5; i++) {
      Faults planned = faults.isEmpty() ? Faults.none() : Faults.seeded(SEED + i, faults);
      UnaryOperator<Store> reopen = store -> ((MemoryStore) store).crash();
      try (ModelHistory history =
          new ModelHistory(SEED + i, new MemoryStore(planned), reopen, directories)) {
        history.run(OPERATIONS_OF_ONE_HISTORY, 0, faults.isEmpty());
      }
    }
  }

  @Test
  void rocksDb() throws IOException {
    UnaryOperator<Store> reopen =
        store -> {
          store.close();
          return open();
        };
    try (ModelHistory history = new ModelHistory(SEED, open(), reopen)) {
      history.run(OPERATIONS / 10, 2000, true);
    }
  }

  private Store open() {
    return RocksDbStore.open(folder, NamespaceFixture.tables(), RocksDbOptions.defaults());
  }

  @FunctionalInterface
  private interface FaultsOfSeed {
    Faults of(long seed);
  }

  private static int run(
      int operations, int crashEvery, boolean exactIndexRows, FaultsOfSeed faults, Set<String> met)
      throws IOException {
    int uncertain = 0;
    for (int i = 0; i * OPERATIONS_OF_ONE_HISTORY < operations; i++) {
      Faults planned = faults.of(SEED + i);
      UnaryOperator<Store> reopen = store -> ((MemoryStore) store).crash();
      try (ModelHistory history = new ModelHistory(SEED + i, new MemoryStore(planned), reopen)) {
        history.run(Math.min(operations, OPERATIONS_OF_ONE_HISTORY), crashEvery, exactIndexRows);
        uncertain += history.uncertain();
        met.addAll(history.met());
      }
    }
    return uncertain;
  }
}
