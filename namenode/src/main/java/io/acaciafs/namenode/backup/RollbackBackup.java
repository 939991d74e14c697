package io.acaciafs.namenode.backup;

import io.acaciafs.blocks.RollingUpgrades;
import io.acaciafs.blocks.record.RollingUpgrade;
import io.acaciafs.kv.run.RepeatedFailures;
import io.acaciafs.namenode.process.Threads;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.net.NetUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the backup that a rolling upgrade can be rolled back to: {@code rollback-TIME} in a folder
 * on this machine. The NameNode that was asked for the upgrade makes it; where that one has gone,
 * the one that serves next, or the first of several. Safe for use by many threads.
 */
public final class RollbackBackup implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RollbackBackup.class);
  private static final long INTERVAL_MS = 30_000;
  private static final long PATIENCE_S = 60;
  private static final String NOT_MADE = "The backup of a rolling upgrade could not be made";

  private final RepeatedFailures failures = new RepeatedFailures(LOG);
  private final RollingUpgrades upgrades;
  private final BackupMaker maker;
  private final Path parent;
  private final BooleanSupplier isItsTurn;
  private final ScheduledExecutorService thread = Threads.scheduler("rollback-backup", 1);

  /**
   * @param parent the folder to make the backup's in
   * @param isItsTurn whether this NameNode is to make what another one has left
   */
  public RollbackBackup(
      RollingUpgrades upgrades, BackupMaker maker, Path parent, BooleanSupplier isItsTurn) {
    this.upgrades = upgrades;
    this.maker = maker;
    this.parent = parent;
    this.isItsTurn = isItsTurn;
  }

  /** From now on it looks for upgrades without a backup, on a thread of its own. */
  public void start() {
    thread.scheduleWithFixedDelay(() -> look(isItsTurn), 0, INTERVAL_MS, TimeUnit.MILLISECONDS);
  }

  /** Has it make the backup of the upgrade that was begun just now. */
  public void wake() {
    try {
      thread.execute(() -> look(() -> true));
    } catch (RejectedExecutionException e) {
      LOG.debug("This NameNode ends, another one makes the backup");
    }
  }

  private void look(BooleanSupplier isMine) {
    try {
      RollingUpgrade upgrade = upgrades.refresh();
      if (upgrade == null
          || upgrade.isFinalized()
          || upgrade.hasBackup()
          || !isMine.getAsBoolean()) {
        return;
      }
      String where = make(upgrade.startMs());
      upgrades.backedUp(upgrade.startMs(), where).get(PATIENCE_S, TimeUnit.SECONDS);
      failures.succeeded(NOT_MADE);
    } catch (IOException | ExecutionException | TimeoutException | RuntimeException e) {
      if (!thread.isShutdown()) {
        failures.failed(NOT_MADE, e);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Makes it now, on this thread; one that is there whole counts.
   *
   * @param startMs of the upgrade
   * @return host and folder, for people
   * @throws IOException with a sentence when it cannot be made
   */
  public String make(long startMs) throws IOException {
    Path folder = folder(startMs);
    if (!maker.hasMade(folder)) {
      LOG.info("Backup for a rollback: {}", maker.make(folder));
    }
    return NetUtils.getLocalHostname() + ":" + folder;
  }

  /**
   * Checks that a backup can be made, as far as can be seen beforehand.
   *
   * @throws IOException with a sentence when it cannot
   */
  public void check(long startMs) throws IOException {
    maker.check(folder(startMs));
  }

  private Path folder(long startMs) {
    return parent.resolve("rollback-" + startMs);
  }

  @Override
  public void close() {
    Threads.shutDown(thread);
  }
}
