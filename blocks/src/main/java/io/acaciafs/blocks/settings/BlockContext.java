package io.acaciafs.blocks.settings;

import io.acaciafs.kv.Store;
import io.acaciafs.kv.run.TransactionRunner;
import java.time.Clock;
import java.util.concurrent.ScheduledExecutorService;
import java.util.random.RandomGenerator;
import org.apache.hadoop.conf.Configuration;

/**
 * What all parts of the block manager are made of: the store, the settings, the time, chance, and
 * threads. Safe for use by many threads.
 */
public final class BlockContext {
  private final TransactionRunner runner;
  private final String blockPoolId;
  private final Configuration conf;
  private final BlockSettings settings;
  private final RepairSettings repairSettings;
  private final TokenSettings tokenSettings;
  private final Clock clock;
  private final Clock wallClock;
  private final RandomGenerator random;
  private final ScheduledExecutorService executor;

  /**
   * What is compared with clocks of other machines goes by the system's clock.
   *
   * @param random safe for use by many threads
   * @param executor for timeouts, and for resolving racks, which may run the site's script; stays
   *     with its owner
   */
  public BlockContext(
      TransactionRunner runner,
      String blockPoolId,
      Configuration conf,
      Clock clock,
      RandomGenerator random,
      ScheduledExecutorService executor) {
    this(runner, blockPoolId, conf, clock, Clock.systemUTC(), random, executor);
  }

  /**
   * @param clock goes on steadily
   * @param wallClock is compared with clocks of other machines
   */
  public BlockContext(
      TransactionRunner runner,
      String blockPoolId,
      Configuration conf,
      Clock clock,
      Clock wallClock,
      RandomGenerator random,
      ScheduledExecutorService executor) {
    this.runner = runner;
    this.blockPoolId = blockPoolId;
    this.conf = conf;
    this.settings = BlockSettings.of(conf);
    this.repairSettings = RepairSettings.of(conf);
    this.tokenSettings = TokenSettings.of(conf);
    this.clock = clock;
    this.wallClock = wallClock;
    this.random = random;
    this.executor = executor;
  }

  public TransactionRunner runner() {
    return runner;
  }

  public Store store() {
    return runner.store();
  }

  public String blockPoolId() {
    return blockPoolId;
  }

  public Configuration conf() {
    return conf;
  }

  public BlockSettings settings() {
    return settings;
  }

  public RepairSettings repairSettings() {
    return repairSettings;
  }

  public TokenSettings tokenSettings() {
    return tokenSettings;
  }

  public Clock clock() {
    return clock;
  }

  /** For times that DataNodes and clients compare with their own. */
  public Clock wallClock() {
    return wallClock;
  }

  public RandomGenerator random() {
    return random;
  }

  public ScheduledExecutorService executor() {
    return executor;
  }
}
