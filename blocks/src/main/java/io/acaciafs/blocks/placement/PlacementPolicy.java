package io.acaciafs.blocks.placement;

import io.acaciafs.blocks.datanode.Datanode;
import io.acaciafs.blocks.datanode.Storage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.AvailableSpaceBlockPlacementPolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.AvailableSpaceRackFaultTolerantBlockPlacementPolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicyDefault;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicyRackFaultTolerant;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicyWithUpgradeDomain;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementStatus;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementStatusDefault;
import org.jspecify.annotations.Nullable;

/**
 * How the replicas of a block spread over racks and upgrade domains, as dfs.block.replicator
 * .classname says: what HDFS's policies differ in. This is the default one. Immutable.
 */
public class PlacementPolicy {
  private static final int RACKS = 2;

  private final @Nullable SpaceBalance balance;

  PlacementPolicy() {
    this(null);
  }

  /**
   * @param balance null: how full nodes are does not matter
   */
  PlacementPolicy(@Nullable SpaceBalance balance) {
    this.balance = balance;
  }

  /**
   * @throws IllegalArgumentException for a class that is none of HDFS's, or not known here
   */
  public static PlacementPolicy of(Configuration conf) {
    String name =
        conf.getTrimmed(
            DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_KEY,
            BlockPlacementPolicyDefault.class.getName());
    if (name.equals(BlockPlacementPolicyDefault.class.getName())) {
      return new PlacementPolicy();
    }
    if (name.equals(BlockPlacementPolicyRackFaultTolerant.class.getName())) {
      return new RackFaultTolerantPolicy(null);
    }
    if (name.equals(AvailableSpaceBlockPlacementPolicy.class.getName())) {
      return new PlacementPolicy(SpaceBalance.of(conf, SpaceBalance.DEFAULT_PREFIX));
    }
    if (name.equals(AvailableSpaceRackFaultTolerantBlockPlacementPolicy.class.getName())) {
      return new RackFaultTolerantPolicy(
          SpaceBalance.of(conf, SpaceBalance.RACK_FAULT_TOLERANT_PREFIX));
    }
    if (name.equals(BlockPlacementPolicyWithUpgradeDomain.class.getName())) {
      return new UpgradeDomainPolicy(
          conf.getInt(
              DFSConfigKeys.DFS_UPGRADE_DOMAIN_FACTOR,
              DFSConfigKeys.DFS_UPGRADE_DOMAIN_FACTOR_DEFAULT));
    }
    throw new IllegalArgumentException(
        DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_KEY + " names no policy known here: " + name);
  }

  /** What decides between two nodes; null: the first that is found gets the replica. */
  final @Nullable SpaceBalance balance() {
    return balance;
  }

  /** HDFS's limit: replicas never all go to one rack where there are several. */
  int mostOnOneRack(int replicas, int racks) {
    if (racks <= 1 || replicas <= 1) {
      return replicas;
    }
    int most = (replicas - 1) / racks + 2;
    return most == replicas ? most - 1 : most;
  }

  /** How many replicas a rack may have, one after the other where there is no place left. */
  List<Integer> rackLimits(int replicas, int racks) {
    return List.of(mostOnOneRack(replicas, racks));
  }

  /** Whether the second replica goes to another rack and the third beside the second. */
  boolean usesTwoRacks() {
    return true;
  }

  /**
   * Whether a node may get a replica in addition to the chosen ones, apart from rules about racks.
   */
  boolean admits(Datanode node, List<Storage> chosen) {
    return true;
  }

  /**
   * How many racks or domains a block's nodes lack; 0 if the block is spread enough.
   *
   * @param clusterRacks that have live nodes
   */
  public int lack(Collection<Datanode> nodes, int replication, int clusterRacks) {
    return Math.max(
        0, racksWanted(replication, clusterRacks) - count(nodes, PlacementPolicy::rack));
  }

  int racksWanted(int replication, int clusterRacks) {
    return Math.min(RACKS, Math.min(replication, clusterRacks));
  }

  /**
   * Whether a further replica would spread a block better.
   *
   * @param nodes of the replicas that are there
   */
  public final boolean improves(
      Datanode target, Collection<Datanode> nodes, int replication, int clusterRacks) {
    List<Datanode> withTarget = new ArrayList<>(nodes);
    withTarget.add(target);
    return lack(withTarget, replication, clusterRacks) < lack(nodes, replication, clusterRacks);
  }

  /** HDFS's text for fsck about a block's placement. */
  public BlockPlacementStatus status(DatanodeInfo[] nodes, int replication, int clusterRacks) {
    if (clusterRacks < RACKS) {
      return new BlockPlacementStatusDefault(1, 1, 1);
    }
    int racks = (int) Arrays.stream(nodes).map(DatanodeInfo::getNetworkLocation).distinct().count();
    return new BlockPlacementStatusDefault(
        racks, racksWanted(replication, Integer.MAX_VALUE), clusterRacks);
  }

  /** Of the replicas of which one is surplus: those whose deletion reduces the spread least. */
  List<Storage> sparable(List<Storage> replicas) {
    List<Storage> onSharedRacks = sharing(replicas, PlacementPolicy::rack);
    return onSharedRacks.isEmpty() ? replicas : onSharedRacks;
  }

  static String rack(Datanode node) {
    return node.networkLocation();
  }

  static int count(Collection<Datanode> nodes, Function<Datanode, String> group) {
    return (int) nodes.stream().map(group).distinct().count();
  }

  /** The replicas that share their group with others. */
  static List<Storage> sharing(List<Storage> replicas, Function<Datanode, String> group) {
    Map<String, Integer> sizes = new HashMap<>();
    replicas.forEach(storage -> sizes.merge(group.apply(storage.datanode()), 1, Integer::sum));
    return replicas.stream()
        .filter(storage -> sizes.getOrDefault(group.apply(storage.datanode()), 0) > 1)
        .toList();
  }
}
