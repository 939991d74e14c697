package io.acaciafs.blocks.placement;

import io.acaciafs.blocks.datanode.Datanode;

/**
 * Hops between places in the network, as HDFS counts them: 0 on one node, 2 on one rack, 4 between
 * racks of one parent, and so on.
 */
final class NetworkDistance {
  static final int SAME_NODE = 0;
  static final int SAME_RACK = 2;

  private NetworkDistance() {}

  static int between(Datanode one, Datanode other) {
    return one == other ? SAME_NODE : betweenRacks(one.networkLocation(), other.networkLocation());
  }

  /** Between different nodes on these racks. */
  static int betweenRacks(String rack, String otherRack) {
    if (rack.equals(otherRack)) {
      return SAME_RACK;
    }
    String[] parts = rack.split("/");
    String[] otherParts = otherRack.split("/");
    int common = 0;
    while (common < Math.min(parts.length, otherParts.length)
        && parts[common].equals(otherParts[common])) {
      common++;
    }
    return parts.length - common + otherParts.length - common + SAME_RACK;
  }
}
