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
  private final Clock clock;
  private final RandomGenerator random;
  private final ScheduledExecutorService executor;

  /**
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
    this.runner = runner;
    this.blockPoolId = blockPoolId;
    this.conf = conf;
    this.settings = BlockSettings.of(conf);
    this.repairSettings = RepairSettings.of(conf);
    this.clock = clock;
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

  public Clock clock() {
    return clock;
  }

  public RandomGenerator random() {
    return random;
  }

  public ScheduledExecutorService executor() {
    return executor;
  }
}
