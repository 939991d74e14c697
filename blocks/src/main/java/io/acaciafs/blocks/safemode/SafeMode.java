package io.acaciafs.blocks.safemode;

import io.acaciafs.blocks.datanode.DatanodeRegistry;
import io.acaciafs.blocks.datanode.Liveness;
import io.acaciafs.blocks.settings.SafeModeSettings;
import io.acaciafs.kv.run.RepeatedFailures;
import io.acaciafs.kv.run.TransactionRunner;
import java.time.Clock;
import java.util.Locale;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether the NameNode is in safe mode: nothing changes, replicas are neither copied nor deleted.
 * It is entered by an administrator, or at the start when the configuration asks for blocks or
 * DataNodes that are not there yet, or when blocks came from another NameNode and most have not
 * been reported since. Not stored: a restart ends what an administrator began.
 *
 * <p>While the start lasts, blocks and DataNodes are counted now and then on the executor's
 * threads; {@link #isOn} only reads memory. Safe for use by many threads. Source of states and
 * texts: HDFS 3.5's BlockManagerSafeMode and FSNamesystem.
 */
public final class SafeMode implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SafeMode.class);
  private static final String NOT_COUNTED = "Blocks could not be counted, will try again";

  private enum Start {
    PENDING_THRESHOLD,
    EXTENSION,
    OFF
  }

  private final RepeatedFailures failures = new RepeatedFailures(LOG);
  private final SafeModeSettings settings;
  private final DatanodeRegistry registry;
  private final Liveness liveness;
  private final TransactionRunner runner;
  private final Clock clock;
  private @Nullable ScheduledFuture<?> checks;
  private SafeBlocks blocks = new SafeBlocks(0, 0);
  private int liveNodes;

  /** Blocks that came without replicas and are awaited; 0: none. */
  private volatile long adopted;

  private long extensionEndsMs;
  private volatile Start start = Start.OFF;
  private volatile boolean manual;

  public SafeMode(
      SafeModeSettings settings,
      DatanodeRegistry registry,
      Liveness liveness,
      TransactionRunner runner,
      Clock clock) {
    this.settings = settings;
    this.registry = registry;
    this.liveness = liveness;
    this.runner = runner;
    this.clock = clock;
  }

  /** Counts for the first time, on this thread, and again on the executor's as long as need be. */
  public synchronized void begin(ScheduledExecutorService executor) {
    adopted = Adoption.blocks(runner.store());
    if (adopted == 0 && !settings.hasThresholds()) {
      return;
    }
    start = Start.PENDING_THRESHOLD;
    check();
    if (start != Start.OFF) {
      LOG.info("Safe mode is on: {}", tip());
      checks =
          executor.scheduleWithFixedDelay(
              this::check, settings.recheckMs(), settings.recheckMs(), TimeUnit.MILLISECONDS);
    }
  }

  public boolean isOn() {
    return manual || start != Start.OFF;
  }

  /** Whether it is on by itself and will go off by itself. */
  public boolean isStartup() {
    return !manual && start != Start.OFF;
  }

  public synchronized void enter() {
    manual = true;
    LOG.info("Safe mode is on: {}", tip());
  }

  public synchronized void leave() {
    if (isOn()) {
      LOG.info("Safe mode is off");
    }
    manual = false;
    end();
  }

  /** Why it is on and how it ends, in HDFS's words. */
  public synchronized String tip() {
    if (manual) {
      return "It was turned on manually. Use \"hdfs dfsadmin -safemode leave\" to turn safe mode"
          + " off.";
    }
    return blocksTip() + datanodesTip() + endTip();
  }

  /** One look at blocks and DataNodes. */
  void check() {
    try {
      count();
      failures.succeeded(NOT_COUNTED);
    } catch (RuntimeException e) { // one that escaped would end all further looks
      failures.failed(NOT_COUNTED, e);
    }
  }

  private void count() {
    SafeBlocks counted = countBlocks();
    int live =
        (int)
            registry.view().datanodes().stream()
                .filter(node -> node.hasHeartbeat() && liveness.isAlive(node))
                .count();
    follow(counted, live);
  }

  private SafeBlocks countBlocks() {
    long awaited = adopted;
    if (awaited > 0) {
      return Adoption.count(runner.store(), awaited);
    }
    return settings.threshold() > 0
        ? SafeBlocks.count(runner.store(), registry, settings.safeReplication())
        : new SafeBlocks(0, 0);
  }

  private float threshold() {
    return adopted > 0 ? settings.adoptionThreshold() : settings.threshold();
  }

  private synchronized void follow(SafeBlocks counted, int live) {
    blocks = counted;
    liveNodes = live;
    boolean isMet = isBlockThresholdMet() && liveNodes >= settings.minDatanodes();
    if (start == Start.PENDING_THRESHOLD && isMet) {
      extensionEndsMs = clock.millis() + (blocks.total() > 0 ? settings.extensionMs() : 0);
      start = Start.EXTENSION;
    }
    if (start == Start.EXTENSION && clock.millis() >= extensionEndsMs) {
      LOG.info("Safe mode of the start is over");
      end();
    }
  }

  private void end() {
    start = Start.OFF;
    if (adopted > 0) {
      adopted = 0;
      runner
          .submit(
              tx -> {
                Adoption.end(tx);
                return null;
              })
          .whenComplete(
              (done, failure) -> {
                if (failure != null) {
                  LOG.warn("The next start will wait for adopted blocks again", failure);
                }
              });
    }
    close();
  }

  private boolean isBlockThresholdMet() {
    return blocks.safe() >= blocks.needed(threshold());
  }

  private String blocksTip() {
    return isBlockThresholdMet()
        ? String.format(
            Locale.ROOT,
            "The reported blocks %d has reached the threshold %.4f of total blocks %d. ",
            blocks.safe(),
            threshold(),
            blocks.total())
        : String.format(
            Locale.ROOT,
            "The reported blocks %d needs additional %d blocks to reach the threshold %.4f of total"
                + " blocks %d.%n",
            blocks.safe(),
            blocks.needed(threshold()) - blocks.safe(),
            threshold(),
            blocks.total());
  }

  private String datanodesTip() {
    int wanted = settings.minDatanodes();
    if (wanted <= 0) {
      return "The minimum number of live datanodes is not required. ";
    }
    if (!isBlockThresholdMet()) {
      return "The number of live datanodes is not calculated since reported blocks hasn't reached"
          + " the threshold. ";
    }
    return liveNodes < wanted
        ? String.format(
            Locale.ROOT,
            "The number of live datanodes %d needs an additional %d live datanodes to reach the"
                + " minimum number %d.%n",
            liveNodes,
            wanted - liveNodes,
            wanted)
        : String.format(
            Locale.ROOT,
            "The number of live datanodes %d has reached the minimum number %d. ",
            liveNodes,
            wanted);
  }

  private String endTip() {
    String off = "Safe mode will be turned off automatically ";
    return switch (start) {
      case PENDING_THRESHOLD -> off + "once the thresholds have been reached.";
      case EXTENSION ->
          "In safe mode extension. "
              + off
              + "in "
              + Math.max(0, extensionEndsMs - clock.millis()) / 1000
              + " seconds.";
      case OFF -> off + "soon.";
    };
  }

  /** Ends the counting. */
  @Override
  public synchronized void close() {
    if (checks != null) {
      checks.cancel(false);
      checks = null;
    }
  }
}
