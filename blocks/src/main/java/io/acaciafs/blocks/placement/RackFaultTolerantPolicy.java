package io.acaciafs.blocks.placement;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * On as many racks as possible, evenly. Source: HDFS 3.5's BlockPlacementPolicyRackFaultTolerant.
 */
final class RackFaultTolerantPolicy extends PlacementPolicy {
  /**
   * @param balance null: how full nodes are does not matter
   */
  RackFaultTolerantPolicy(@Nullable SpaceBalance balance) {
    super(balance);
  }

  @Override
  int mostOnOneRack(int replicas, int racks) {
    if (racks <= 1 || replicas <= 1) {
      return replicas;
    }
    return replicas < racks ? 1 : (replicas - 1) / racks + 1;
  }

  /** Each rack is filled evenly first; where racks are too small others take more. */
  @Override
  List<Integer> rackLimits(int replicas, int racks) {
    int most = mostOnOneRack(replicas, racks);
    boolean isEven = racks == 0 || replicas < racks || replicas % racks == 0;
    List<Integer> limits = new ArrayList<>();
    for (int limit = isEven ? most : Math.max(1, most - 1); limit <= replicas; limit++) {
      limits.add(limit);
    }
    return limits;
  }

  @Override
  boolean usesTwoRacks() {
    return false;
  }

  @Override
  int racksWanted(int replication, int clusterRacks) {
    return Math.min(replication, clusterRacks);
  }
}
