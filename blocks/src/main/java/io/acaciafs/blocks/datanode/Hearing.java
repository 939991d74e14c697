package io.acaciafs.blocks.datanode;

import io.acaciafs.blocks.settings.BlockContext;
import io.acaciafs.kv.Store;
import io.acaciafs.kv.run.RepeatedFailures;
import java.time.Clock;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Knows when this process could hear DataNodes at all. While it stood still, or its store did not
 * answer, it heard none, so that time is no silence of theirs: else all would be dead when it goes
 * on, and their blocks lost. HDFS: HeartbeatManager.shouldAbortHeartbeatCheck.
 *
 * <p>A NameNode that is alone looks whether its store answers, on the executor. Of several each
 * round of the exchange shows that, and what the others hear. Safe for use by many threads.
 */
public final class Hearing implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Hearing.class);
  private static final String NOT_READ =
      "Store does not answer, so the silence of DataNodes does not count";
  private static final int LOOKS_MISSED = 3;

  private final RepeatedFailures failures = new RepeatedFailures(LOG);
  private final Store store;
  private final Clock clock;
  private final ScheduledExecutorService executor;
  private final DatanodeRegistry registry;
  private final Liveness liveness;
  private final NodeVersion version;
  private final Ownership ownership;
  private long intervalMs;
  private @Nullable ScheduledFuture<?> looks;

  Hearing(
      BlockContext context,
      DatanodeRegistry registry,
      Liveness liveness,
      NodeVersion version,
      Ownership ownership) {
    this.store = context.store();
    this.clock = context.clock();
    this.executor = context.executor();
    this.registry = registry;
    this.liveness = liveness;
    this.version = version;
    this.ownership = ownership;
  }

  /**
   * From now on only time in which DataNodes could be heard counts as silence.
   *
   * @param exchangeIntervalMs between rounds of the exchange, if there is one
   */
  public synchronized void start(long exchangeIntervalMs) {
    liveness.heardUntil(clock.millis());
    intervalMs = ownership.isAlone() ? liveness.heartbeatMs() : exchangeIntervalMs;
    if (ownership.isAlone()) {
      looks =
          executor.scheduleWithFixedDelay(
              this::tryLook, intervalMs, intervalMs, TimeUnit.MILLISECONDS);
    }
  }

  private void tryLook() {
    try {
      look();
      failures.succeeded(NOT_READ);
    } catch (RuntimeException e) { // one that escaped would end all further looks
      failures.failed(NOT_READ, e);
    }
  }

  /** Looks whether the store answers, without which heartbeats may wait. */
  public void look() {
    NodeChanges.read(store);
    heard();
  }

  /** The store has answered, and said what other NameNodes hear. */
  public synchronized void heard() {
    long nowMs = clock.millis();
    long lastMs = liveness.heardUntilMs();
    if (lastMs == Long.MAX_VALUE) { // not started
      return;
    }
    long gapMs = nowMs - lastMs;
    if (gapMs > longestGapMs()) {
      LOG.warn("DataNodes could not be heard, and are not taken for dead for that ms={}", gapMs);
      long deadBeforeMs = lastMs - liveness.deadMs();
      registry.view().datanodes().forEach(datanode -> datanode.excuse(gapMs, deadBeforeMs, nowMs));
      version.raise();
    }
    liveness.heardUntil(nowMs);
  }

  /** What is shorter counts as heard throughout: far less than what makes a DataNode dead. */
  private long longestGapMs() {
    return Math.max(LOOKS_MISSED * intervalMs, Math.min(liveness.staleMs(), liveness.deadMs() / 2));
  }

  /** Ends the looks; the executor stays with its owner. */
  @Override
  public synchronized void close() {
    if (looks != null) {
      looks.cancel(false);
    }
  }
}
