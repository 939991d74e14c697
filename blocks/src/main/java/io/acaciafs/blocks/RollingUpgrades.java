package io.acaciafs.blocks;

import io.acaciafs.blocks.record.RollingUpgrade;
import io.acaciafs.kv.run.TransactionRunner;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.hdfs.protocol.RollingUpgradeStatus;
import org.jspecify.annotations.Nullable;

/**
 * Rolling upgrades as the store has them, and what DataNodes are told of them: while one is under
 * way they put what they delete into their trash, so that it is there after a rollback. Safe for
 * use by many threads.
 *
 * <p>What this NameNode has done or read is kept in memory. Where several serve one store, another
 * one may have done more: {@link #refresh}.
 */
public final class RollingUpgrades {
  private final TransactionRunner runner;
  private final String blockPoolId;
  private final AtomicReference<@Nullable RollingUpgrade> known;

  RollingUpgrades(TransactionRunner runner, String blockPoolId) {
    this.runner = runner;
    this.blockPoolId = blockPoolId;
    known = new AtomicReference<>(RollingUpgrade.read(runner.store()));
  }

  /** The one under way or the last one, as far as this NameNode knows; null: never one. */
  public @Nullable RollingUpgrade known() {
    return known.get();
  }

  /** The same as the store has it. Reads a row, and blocks until it is there. */
  public @Nullable RollingUpgrade refresh() {
    return noted(RollingUpgrade.read(runner.store()));
  }

  /** Whether one is under way, as far as this NameNode knows. */
  public boolean isUnderWay() {
    return RollingUpgrade.underWay(known.get()) != null;
  }

  /**
   * Begins one. Where one is under way nothing happens.
   *
   * @param backup where its backup is; empty if it is yet to be made
   * @return the one that is under way then
   */
  public CompletableFuture<RollingUpgrade> begin(long nowMs, String backup) {
    return runner
        .<RollingUpgrade>submit(
            tx -> {
              RollingUpgrade last = RollingUpgrade.guard(tx);
              if (last != null && !last.isFinalized()) {
                return last;
              }
              long startMs = last == null ? nowMs : Math.max(nowMs, last.startMs() + 1);
              RollingUpgrade begun = new RollingUpgrade(startMs, 0, backup);
              begun.write(tx);
              return begun;
            })
        .whenComplete((upgrade, failure) -> noted(upgrade));
  }

  /**
   * Stores that the backup of an upgrade is made, unless it is over or another backup was made.
   *
   * @return the one that was changed, or null where there was nothing to change
   */
  public CompletableFuture<@Nullable RollingUpgrade> backedUp(long startMs, String backup) {
    return runner
        .<@Nullable RollingUpgrade>submit(
            tx -> {
              RollingUpgrade upgrade = RollingUpgrade.guard(tx);
              if (upgrade == null
                  || upgrade.startMs() != startMs
                  || upgrade.isFinalized()
                  || upgrade.hasBackup()) {
                return null;
              }
              RollingUpgrade changed = upgrade.withBackup(backup);
              changed.write(tx);
              return changed;
            })
        .whenComplete((upgrade, failure) -> noted(upgrade));
  }

  /**
   * Ends the one that is under way.
   *
   * @return what it was then; null where none is under way
   */
  public CompletableFuture<@Nullable RollingUpgrade> finish(long nowMs) {
    return runner
        .<@Nullable RollingUpgrade>submit(
            tx -> {
              RollingUpgrade upgrade = RollingUpgrade.underWay(RollingUpgrade.guard(tx));
              if (upgrade == null) {
                return null;
              }
              RollingUpgrade changed = upgrade.finalizedAt(nowMs);
              changed.write(tx);
              return changed;
            })
        .whenComplete((upgrade, failure) -> noted(upgrade));
  }

  private @Nullable RollingUpgrade noted(@Nullable RollingUpgrade upgrade) {
    return known.accumulateAndGet(upgrade, RollingUpgrade::later);
  }

  /** What heartbeats say of it; null where there was never one. */
  @Nullable RollingUpgradeStatus status() {
    RollingUpgrade upgrade = known.get();
    return upgrade == null ? null : new RollingUpgradeStatus(blockPoolId, upgrade.isFinalized());
  }
}
