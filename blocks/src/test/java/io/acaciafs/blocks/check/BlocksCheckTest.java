package io.acaciafs.blocks.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.blocks.proto.RepairQueue;
import io.acaciafs.blocks.record.BlockKeys;
import io.acaciafs.blocks.record.BlockRows;
import io.acaciafs.blocks.record.RedundancyCounters;
import io.acaciafs.blocks.testkit.BlockTestBase;
import io.acaciafs.blocks.testkit.CheckedBlocks;
import io.acaciafs.blocks.testkit.FakeDatanode;
import io.acaciafs.kv.Counters;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Scan;
import io.acaciafs.kv.Transaction;
import io.acaciafs.kv.check.CheckListener.Outcome;
import io.acaciafs.kv.check.Pace;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.hdfs.protocol.Block;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each kind of damage, done to rows by hand: it is found, mended, and then gone. */
class BlocksCheckTest extends BlockTestBase {
  private static final long WELL = 1;
  private static final long SINGLE = 2;
  private static final long UNDER_REPLICATED = 3;
  private static final byte[] NOTHING = {};

  /** Two DataNodes; the third block wants a replica more than there are. */
  @BeforeEach
  void fill() throws Exception {
    List<FakeDatanode> nodes = nodes(2);
    write(WELL, nodes.get(0), nodes.get(1));
    write(SINGLE, nodes.get(0));
    Block block = write(UNDER_REPLICATED, nodes.get(0), nodes.get(1));
    run(
        tx -> {
          manager.setReplication(tx, List.of(block), (short) 3);
          return null;
        });
  }

  /** Does something to rows. */
  @FunctionalInterface
  interface Deed {
    void run(BlocksCheckTest test, Transaction tx);
  }

  /**
   * @param kinds what is found, in this order
   */
  record Damage(String name, Deed deed, List<String> kinds) {
    static Damage of(String name, Deed deed, String... kinds) {
      return new Damage(name, deed, List.of(kinds));
    }

    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Damage> damages() {
    return Stream.of(
        Damage.of(
            "no replica in the index",
            (test, tx) -> tx.delete(test.replicaOf(WELL)),
            "no-replica-index"),
        Damage.of(
            "replica of nothing",
            (test, tx) -> tx.put(BlockKeys.replica(1, 99), NOTHING),
            "dangling-replica"),
        Damage.of(
            "not in the queue",
            (test, tx) -> test.keys(KeyRange.ofTable(BlockKeys.REPAIRS)).forEach(tx::delete),
            "not-in-queue"),
        Damage.of(
            "in a queue for nothing",
            (test, tx) -> tx.put(BlockKeys.repair(RepairQueue.MISSING, WELL), NOTHING),
            "wrong-queue"),
        Damage.of(
            "pending for nothing",
            (test, tx) -> tx.put(BlockKeys.pendingRepair(1000, WELL), NOTHING),
            "wrong-pending"),
        Damage.of(
            "a good replica to be deleted",
            (test, tx) -> {
              Key replica = test.replicaOf(WELL);
              BlockRows.putInvalidation(tx, BlockKeys.storageIndexIn(replica), WELL, GS);
            },
            "deletion-of-replica"),
        Damage.of(
            "counted too many",
            (test, tx) ->
                tx.add(BlockKeys.blockCounters(), new Counters(new long[] {0, 5}, new long[0])),
            "wrong-block-counters"),
        Damage.of(
            "indexes of storages forgotten",
            (test, tx) -> tx.delete(BlockKeys.lastStorageIndex()),
            "id-counter"),
        Damage.of(
            "check of no storage",
            (test, tx) -> tx.put(BlockKeys.check(77), NOTHING),
            "check-of-no-storage"));
  }

  @ParameterizedTest
  @MethodSource("damages")
  void damageIsFoundAndMended(Damage damage) throws Exception {
    assertThat(CheckedBlocks.of(store, false).kinds()).isEmpty();
    raw(damage.deed);
    assertThat(CheckedBlocks.of(store, false).kinds()).isEqualTo(damage.kinds);

    assertThat(CheckedBlocks.of(store, true).outcomes()).containsExactly(Outcome.REPAIRED);
    assertThat(CheckedBlocks.of(store, false).kinds()).isEmpty();
  }

  @Test
  void aBlockOfNoFileIsSavedInOne() {
    assertThat(CheckedBlocks.of(store, false, SINGLE).kinds()).containsExactly("block-of-no-file");
    assertThat(CheckedBlocks.of(store, true, SINGLE).outcomes()).containsExactly(Outcome.REPAIRED);
    assertThat(BlockRows.read(store, SINGLE).fileId()).isEqualTo(CheckedBlocks.SAVED_IN);
    assertThat(CheckedBlocks.of(store, false, SINGLE).kinds()).isEmpty();
  }

  @Test
  void countersThatCameBackMeanwhileAreNotJudged() {
    Pace others =
        (workedNs, pauseMs) -> {
          count(1);
          count(-1);
        };
    count(5);
    assertThat(CheckedBlocks.of(store, others, true).kinds()).isEmpty();
    assertThat(CheckedBlocks.of(store, true).kinds()).containsExactly("wrong-block-counters");
  }

  private void count(long more) {
    Transaction tx = store.begin();
    tx.add(BlockKeys.blockCounters(), new Counters(new long[] {0, more}, new long[0]));
    tx.commit().join();
  }

  @Test
  void aStorageThatNobodyKnowsIsToldOnce() throws Exception {
    raw((test, tx) -> test.keys(BlockKeys.storages()).forEach(tx::delete));
    assertThat(CheckedBlocks.of(store, false).kinds())
        .containsExactly("unknown-storage", "unknown-storage");
  }

  @Test
  void aBlockThatIsRestoredIsMissingUntilItIsReported() throws Exception {
    raw((test, tx) -> tx.delete(BlockKeys.block(SINGLE)));
    run(
        tx -> {
          CheckedBlock.restore(tx, new Block(SINGLE, 10, GS), 5, 1, false);
          return null;
        });
    assertThat(RedundancyCounters.read(store).missing()).isEqualTo(1);
    assertThat(CheckedBlocks.of(store, true).damage()).isEmpty();

    FakeDatanode holder = node("dn1", "10.0.1.1").start();
    holder.received(new Block(SINGLE, 10, GS));
    assertThat(places(new Block(SINGLE, 10, GS))).containsExactly("uuid-dn1");
    assertThat(RedundancyCounters.read(store).missing()).isZero();
    assertThat(CheckedBlocks.of(store, false).damage()).isEmpty();
  }

  @Test
  void aBlockThatGetsAnotherReplicationIsLookedAt() throws Exception {
    run(
        tx -> {
          CheckedBlock.assign(tx, WELL, 5, 1);
          return null;
        });
    assertThat(BlockRows.read(store, WELL).repairState().isQueued()).isTrue();
    assertThat(CheckedBlocks.of(store, false).kinds()).isEmpty();
  }

  private void raw(Deed deed) throws Exception {
    Transaction tx = store.begin();
    deed.run(this, tx);
    tx.commit().get();
  }

  private Key replicaOf(long blockId) {
    return keys(KeyRange.ofTable(BlockKeys.REPLICAS)).stream()
        .filter(key -> BlockKeys.blockIdIn(key) == blockId)
        .findFirst()
        .orElseThrow();
  }

  private List<Key> keys(KeyRange range) {
    try (Scan scan = store.scan(range)) {
      Stream.Builder<Key> keys = Stream.builder();
      scan.forEachRemaining(row -> keys.add(row.key()));
      return keys.build().toList();
    }
  }
}
