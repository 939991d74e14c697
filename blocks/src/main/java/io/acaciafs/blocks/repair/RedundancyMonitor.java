package io.acaciafs.blocks.repair;

import io.acaciafs.blocks.datanode.Ownership;
import io.acaciafs.blocks.datanode.ReplicaCounts;
import io.acaciafs.blocks.datanode.StorageWatch;
import io.acaciafs.blocks.placement.TargetChooser;
import io.acaciafs.blocks.safemode.SafeMode;
import io.acaciafs.kv.RepeatedFailures;
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

  private final TargetChooser chooser;
  private final StorageWatch watch;
  private final AdminStateKeeper adminStates;
  private final StorageChecks checks;
  private final ReplicaCounts counts;
  private final PendingRepairs pending;
  private final RepairScheduler scheduler;
  private final ExcessRedundancy surplus;
  private final DecommissionMonitor leaving;
  private final SafeMode safeMode;
  private final Ownership ownership;
  private final RepeatedFailures failures = new RepeatedFailures(LOG);
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread created = new Thread(task, "redundancy-monitor");
            created.setDaemon(true);
            return created;
          });

  public RedundancyMonitor(
      TargetChooser chooser,
      StorageWatch watch,
      AdminStateKeeper adminStates,
      StorageChecks checks,
      ReplicaCounts counts,
      PendingRepairs pending,
      RepairScheduler scheduler,
      ExcessRedundancy surplus,
      DecommissionMonitor leaving,
      SafeMode safeMode,
      Ownership ownership) {
    this.chooser = chooser;
    this.watch = watch;
    this.adminStates = adminStates;
    this.checks = checks;
    this.counts = counts;
    this.pending = pending;
    this.scheduler = scheduler;
    this.surplus = surplus;
    this.leaving = leaving;
    this.safeMode = safeMode;
    this.ownership = ownership;
  }

  public void start(long intervalMs) {
    thread.scheduleWithFixedDelay(this::round, intervalMs, intervalMs, TimeUnit.MILLISECONDS);
  }

  /** Returns when all that the round did is durable. */
  public void round() {
    attempt("count replicas", counts::look);
    if (chooser.awaitsFirstHeartbeats()) {
      return; // nothing is known yet of who lives and of what waits to be reported
    }
    if (!ownership.isFirst()) {
      adminStates.mark();
      return; // another NameNode does it for all
    }
    attempt("look at hosts", adminStates::look);
    attempt("look at storages", watch::look);
    attempt("look at blocks", () -> checks.run(CHECK_SLICES_A_ROUND));
    attempt("give up what did not come", pending::run);
    if (!safeMode.isOn()) {
      attempt("copy", scheduler::run);
      attempt("remove surplus", surplus::run);
    }
    attempt("let nodes go", leaving::run);
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
