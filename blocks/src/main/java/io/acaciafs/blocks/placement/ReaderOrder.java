package io.acaciafs.blocks.placement;

import io.acaciafs.blocks.datanode.Datanode;
import io.acaciafs.blocks.datanode.DatanodeRegistry;
import io.acaciafs.blocks.datanode.Liveness;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.jspecify.annotations.Nullable;

/**
 * Puts the locations of blocks in the order in which a reader should try them: live nodes before
 * stale ones before those that leave or have not sent a heartbeat yet. Within each group: the
 * reader's node, its rack, and the rest, each shuffled.
 */
public final class ReaderOrder {
  private static final int GONE = 6;

  private final DatanodeRegistry registry;
  private final RackResolver racks;
  private final Liveness liveness;
  private final RandomGenerator random;

  public ReaderOrder(
      DatanodeRegistry registry, RackResolver racks, Liveness liveness, RandomGenerator random) {
    this.registry = registry;
    this.racks = racks;
    this.liveness = liveness;
    this.random = random;
  }

  /**
   * @param clientHost IP address of the reader; null where it is not known
   */
  public void sort(@Nullable String clientHost, List<LocatedBlock> blocks) {
    List<Datanode> local = registry.view().atAddress(clientHost);
    String rack =
        clientHost == null
            ? null
            : local.isEmpty() ? racks.rackOfClient(clientHost) : local.get(0).networkLocation();
    for (LocatedBlock block : blocks) {
      DatanodeInfoWithStorage[] locations = block.getLocations();
      if (locations.length > 1) {
        sort(locations, clientHost, rack);
        block.updateCachedStorageInfo();
      }
    }
  }

  private void sort(
      DatanodeInfoWithStorage[] locations, @Nullable String clientHost, @Nullable String rack) {
    SplittableRandom shuffling = new SplittableRandom(random.nextLong());
    long[] ranks = new long[locations.length];
    for (int i = 0; i < locations.length; i++) {
      int other = shuffling.nextInt(i + 1);
      DatanodeInfoWithStorage location = locations[i];
      locations[i] = locations[other];
      ranks[i] = ranks[other];
      locations[other] = location;
      ranks[other] = (long) state(location) << Integer.SIZE | distance(location, clientHost, rack);
    }
    // there are three of them or so
    for (int i = 1; i < locations.length; i++) {
      DatanodeInfoWithStorage location = locations[i];
      long rank = ranks[i];
      int place = i;
      for (; place > 0 && ranks[place - 1] > rank; place--) {
        locations[place] = locations[place - 1];
        ranks[place] = ranks[place - 1];
      }
      locations[place] = location;
      ranks[place] = rank;
    }
  }

  private int state(DatanodeInfoWithStorage location) {
    Datanode datanode = registry.datanode(location.getDatanodeUuid());
    if (datanode == null) {
      return GONE;
    }
    return switch (liveness.of(datanode)) {
      case LIVE -> leaving(datanode, 0);
      case STALE -> leaving(datanode, 1);
      case AWAITED -> 5;
      case DEAD -> GONE;
    };
  }

  /** Nodes that leave come after those that stay, those that are gone soonest last, as in HDFS. */
  private static int leaving(Datanode datanode, int inService) {
    return switch (datanode.adminState()) {
      case NORMAL -> inService;
      case ENTERING_MAINTENANCE, IN_MAINTENANCE -> 2;
      case DECOMMISSION_INPROGRESS -> 3;
      case DECOMMISSIONED -> 4;
    };
  }

  private static int distance(
      DatanodeInfoWithStorage location, @Nullable String clientHost, @Nullable String rack) {
    if (location.getIpAddr().equals(clientHost)) {
      return NetworkDistance.SAME_NODE;
    }
    return rack == null
        ? Integer.MAX_VALUE
        : NetworkDistance.betweenRacks(rack, location.getNetworkLocation());
  }
}
