package io.acaciafs.blocks.repair;

import io.acaciafs.blocks.datanode.DatanodeServices;
import io.acaciafs.blocks.datanode.Ownership;
import io.acaciafs.blocks.datanode.StorageWatch;
import io.acaciafs.blocks.placement.TargetChooser;
import io.acaciafs.blocks.safemode.SafeMode;
import io.acaciafs.kv.run.RepeatedFailures;
import java.io.IOException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rounds of repair: what was lost, what is to be looked at, what did not come, what is to be
 * copied, what is to go. All of it is read from the store, so a round may end anywhere and another
 * process go on. Of several NameNodes one does it; should two for a moment, the rows of the blocks
 * keep them apart. One thread, from {@link #start} to {@link #close}; a step that fails is logged
 * and done again in the next round.
 */
public final class RedundancyMonitor implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RedundancyMonitor.class);
  private static final int CHECK_SLICES_A_ROUND = 50;
  private static final long CLOSE_SECONDS = 30;
  private static final String FAILED = "Repair failed, will go on with the next round step=";

  /** A part of a round. */
  @FunctionalInterface
  private interface Step {
    void run() throws IOException;
  }

  /**
   * The parts of a round.
   *
   * @param leaving lets DataNodes leave
   */
  record Work(
      AdminStateKeeper adminStates,
      StorageChecks checks,
      ReplicaCounts counts,
      UnexpectedRows unexpected,
      PendingRepairs pending,
      RepairScheduler scheduler,
      ExcessRedundancy excess,
      DecommissionMonitor leaving) {}

  private final TargetChooser chooser;
  private final StorageWatch watch;
  private final Ownership ownership;
  private final Work work;
  private final SafeMode safeMode;
  private final RepeatedFailures failures = new RepeatedFailures(LOG);
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread created = new Thread(task, "redundancy-monitor");
            created.setDaemon(true);
            return created;
          });

  RedundancyMonitor(
      DatanodeServices datanodes, TargetChooser chooser, Work work, SafeMode safeMode) {
    this.chooser = chooser;
    this.watch = datanodes.watch();
    this.ownership = datanodes.ownership();
    this.work = work;
    this.safeMode = safeMode;
  }

  public void start(long intervalMs) {
    thread.scheduleWithFixedDelay(this::round, intervalMs, intervalMs, TimeUnit.MILLISECONDS);
  }

  /** Returns when all that the round did is durable. */
  public void round() {
    attempt("count replicas", work.counts()::look);
    attempt("look for rows nobody expects", work.unexpected()::look);
    if (chooser.awaitsFirstHeartbeats()) {
      return; // nothing is known yet of live DataNodes and of what they are about to report
    }
    if (!ownership.isFirst()) {
      work.adminStates().mark();
      return; // another NameNode does it for all
    }
    attempt("look at hosts", work.adminStates()::look);
    attempt("look at storages", watch::look);
    attempt("look at blocks", () -> work.checks().run(CHECK_SLICES_A_ROUND));
    attempt("give up what did not come", work.pending()::run);
    if (!safeMode.isOn()) {
      attempt("copy", work.scheduler()::run);
      attempt("remove surplus", work.excess()::run);
    }
    attempt("let nodes go", work.leaving()::run);
  }

  private void attempt(String what, Step step) {
    if (thread.isShutdown()) {
      return;
    }
    try {
      step.run();
      failures.succeeded(FAILED + what);
    } catch (IOException | RuntimeException e) {
      if (!thread.isShutdown()) {
        failures.failed(FAILED + what, e);
      }
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
    try {
      if (!thread.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
        LOG.warn("Repair did not end in time");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
