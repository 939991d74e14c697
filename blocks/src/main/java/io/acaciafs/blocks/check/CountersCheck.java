package io.acaciafs.blocks.check;

import io.acaciafs.blocks.record.BlockKeys;
import io.acaciafs.blocks.record.BlockRecord;
import io.acaciafs.blocks.record.RedundancyCounters;
import io.acaciafs.kv.Counters;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.VersionedRow;
import io.acaciafs.kv.check.CheckRun;
import io.acaciafs.kv.check.Finding;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Counts blocks as {@link RedundancyCounters} do while all of them are walked over. Each change of
 * a block that matters changes the row of counters, so where that has not changed since the begin,
 * what was counted is exact. One that came back to what it was has changed as well: an engine with
 * local reads knows of that. For one thread.
 */
final class CountersCheck {
  private static final Key KEY = BlockKeys.blockCounters();

  private final CheckRun run;
  private final VersionedRow seen;
  private final byte @Nullable [] before;
  private final long[] sums = RedundancyCounters.sums();

  /** The walk begins. */
  CountersCheck(CheckRun run) {
    this.run = run;
    this.seen = run.store().begin().getVersioned(KEY);
    this.before = seen.value();
  }

  void add(BlockRecord record) {
    RedundancyCounters.count(sums, record, 1);
  }

  /** The walk is over. */
  void end() {
    byte[] after = run.store().get(KEY);
    if (Arrays.equals(sums, sumsIn(after))) {
      return;
    }
    if (!isUnchanged(after)) {
      run.listener().notChecked("How many blocks are to be repaired: that changed meanwhile");
      return;
    }
    run.suspect(
        (reader, findings) -> {
          byte[] now = reader.get(KEY);
          if (Arrays.equals(before, now)) {
            findings.accept(
                Finding.damage(
                    "wrong-block-counters",
                    "table=block_counters",
                    "Blocks to be repaired, by queue: "
                        + Arrays.toString(sums)
                        + "; counted are "
                        + Arrays.toString(sumsIn(now))
                        + ".",
                    tx -> tx.put(KEY, new Counters(sums.clone(), new long[0]).encode())));
          }
        });
  }

  private boolean isUnchanged(byte @Nullable [] after) {
    return run.store().traits().localReads()
        ? run.store().begin().guard(seen)
        : Arrays.equals(before, after);
  }

  private static long[] sumsIn(byte @Nullable [] row) {
    return Arrays.copyOf(Counters.decode(row).sums(), RedundancyCounters.sums().length);
  }
}
