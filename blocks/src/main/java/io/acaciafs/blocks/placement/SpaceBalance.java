package io.acaciafs.blocks.placement;

import io.acaciafs.blocks.datanode.Datanode;
import java.util.random.RandomGenerator;
import org.apache.hadoop.conf.Configuration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Prefers the emptier of two DataNodes, but not always, so that an empty one does not get all new
 * blocks. Source: HDFS 3.5's AvailableSpaceBlockPlacementPolicy and its rack fault tolerant
 * sibling.
 *
 * @param preferencePercent how often the emptier one is chosen
 * @param tolerancePercent less difference does not count
 * @param toleranceLimitPercent the difference always counts where a node is as full as this
 */
record SpaceBalance(int preferencePercent, int tolerancePercent, int toleranceLimitPercent) {
  static final String DEFAULT_PREFIX = "dfs.namenode.available-space-block-placement-policy.";
  static final String RACK_FAULT_TOLERANT_PREFIX =
      "dfs.namenode.available-space-rack-fault-tolerant-block-placement-policy.";

  private static final Logger LOG = LoggerFactory.getLogger(SpaceBalance.class);
  private static final float PREFERENCE = 0.6f;
  private static final int TOLERANCE = 5;
  private static final int MOST_TOLERANCE = 20;
  private static final int TOLERANCE_LIMIT = 100;
  private static final int ALL_PERCENT = 100;

  /**
   * @param prefix of the policy's settings
   */
  static SpaceBalance of(Configuration conf, String prefix) {
    float preference = conf.getFloat(prefix + "balanced-space-preference-fraction", PREFERENCE);
    return new SpaceBalance(
        (int) (ALL_PERCENT * preference),
        percent(conf, prefix + "balanced-space-tolerance", TOLERANCE, MOST_TOLERANCE),
        percent(conf, prefix + "balanced-space-tolerance-limit", TOLERANCE_LIMIT, TOLERANCE_LIMIT));
  }

  /** As in HDFS, the default replaces a value that makes no sense. */
  private static int percent(Configuration conf, String key, int byDefault, int most) {
    int value = conf.getInt(key, byDefault);
    if (value < 0 || value > most) {
      LOG.warn(
          "Setting out of range, default taken key={} value={} default={}", key, value, byDefault);
      return byDefault;
    }
    return value;
  }

  /** The one of two nodes that gets a replica. */
  Datanode choose(Datanode one, Datanode other, RandomGenerator random) {
    float onePercent = one.info().getDfsUsedPercent();
    float otherPercent = other.info().getDfsUsedPercent();
    float difference = Math.abs(onePercent - otherPercent);
    boolean isTolerable =
        Math.max(onePercent, otherPercent) < toleranceLimitPercent && difference < tolerancePercent;
    if (isTolerable || difference == 0) {
      return one;
    }
    boolean prefersEmptier = random.nextInt(ALL_PERCENT) < preferencePercent;
    return prefersEmptier == onePercent < otherPercent ? one : other;
  }
}
