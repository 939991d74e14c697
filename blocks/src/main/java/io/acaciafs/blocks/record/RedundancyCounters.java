package io.acaciafs.blocks.record;

import io.acaciafs.blocks.proto.RepairQueue;
import io.acaciafs.kv.Counters;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.Transaction;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * How many blocks stand in each repair queue, kept in one row that every transaction that moves a
 * block adds to. A block that is well costs nothing. Stateless.
 */
public final class RedundancyCounters {
  /** Sums 0 to 6 are the queues, by their number. */
  private static final int CORRUPT = 7;

  private static final int MISSING_WITH_REPLICATION_ONE = 8;
  private static final int SUMS = 9;

  private final Counters counters;

  private RedundancyCounters(Counters counters) {
    this.counters = counters;
  }

  public static RedundancyCounters read(Reader reader) {
    return new RedundancyCounters(Counters.decode(reader.get(BlockKeys.blockCounters())));
  }

  /**
   * Adds the difference between two states of a block.
   *
   * @param before null: the block was not there
   * @param after null: the block is removed
   */
  public static void move(
      Transaction tx, @Nullable BlockRecord before, @Nullable BlockRecord after) {
    long[] sums = new long[SUMS];
    count(sums, before, -1);
    count(sums, after, 1);
    if (Arrays.stream(sums).anyMatch(sum -> sum != 0)) {
      tx.add(BlockKeys.blockCounters(), new Counters(sums, new long[0]));
    }
  }

  /** So many blocks are missing that were not there. */
  public static void addMissing(Transaction tx, long missing, long withReplicationOne) {
    long[] sums = new long[SUMS];
    sums[RepairQueue.MISSING.getNumber()] = missing;
    sums[MISSING_WITH_REPLICATION_ONE] = withReplicationOne;
    tx.add(BlockKeys.blockCounters(), new Counters(sums, new long[0]));
  }

  /** None counted so far. */
  public static long[] sums() {
    return new long[SUMS];
  }

  public static void count(long[] sums, @Nullable BlockRecord record, int sign) {
    if (record == null) {
      return;
    }
    RepairQueue queue = record.repairState().queue();
    if (queue != RepairQueue.NONE) {
      sums[queue.getNumber()] += sign;
    }
    if (!record.repairState().corrupt().isEmpty()) {
      sums[CORRUPT] += sign;
    }
    if (queue == RepairQueue.MISSING && record.replication() == 1) {
      sums[MISSING_WITH_REPLICATION_ONE] += sign;
    }
  }

  public long in(RepairQueue queue) {
    return counters.sum(queue.getNumber());
  }

  /** Blocks with fewer replicas than wanted, or on too few racks, that can be repaired. */
  public long lowRedundancy() {
    return in(RepairQueue.HIGHEST_PRIORITY)
        + in(RepairQueue.VERY_LOW_REDUNDANCY)
        + in(RepairQueue.LOW_REDUNDANCY)
        + in(RepairQueue.BADLY_DISTRIBUTED);
  }

  /** Blocks with at least one corrupt replica. */
  public long corrupt() {
    return counters.sum(CORRUPT);
  }

  public long missing() {
    return in(RepairQueue.MISSING);
  }

  public long missingWithReplicationOne() {
    return counters.sum(MISSING_WITH_REPLICATION_ONE);
  }
}
