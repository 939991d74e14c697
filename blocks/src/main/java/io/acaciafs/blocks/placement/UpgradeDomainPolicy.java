package io.acaciafs.blocks.placement;

import io.acaciafs.blocks.datanode.Datanode;
import io.acaciafs.blocks.datanode.Storage;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementStatus;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementStatusWithUpgradeDomain;
import org.jspecify.annotations.Nullable;

/**
 * The default policy, and the first replicas each in another upgrade domain, so that the nodes of a
 * whole domain may be away. A node without one is a domain of its own. Source: HDFS 3.5's
 * BlockPlacementPolicyWithUpgradeDomain.
 */
final class UpgradeDomainPolicy extends PlacementPolicy {
  private final int factor;

  /**
   * @param factor how many domains the replicas of a block are to be in
   */
  UpgradeDomainPolicy(int factor) {
    this.factor = factor;
  }

  @Override
  boolean admits(Datanode node, List<Storage> chosen) {
    return chosen.size() >= factor
        || chosen.stream().noneMatch(storage -> domain(storage.datanode()).equals(domain(node)));
  }

  @Override
  public int lack(Collection<Datanode> nodes, int replication, int clusterRacks) {
    int domains = count(nodes, UpgradeDomainPolicy::domain);
    return super.lack(nodes, replication, clusterRacks)
        + Math.max(0, Math.min(replication, factor) - domains);
  }

  @Override
  public BlockPlacementStatus status(DatanodeInfo[] nodes, int replication, int clusterRacks) {
    return new BlockPlacementStatusWithUpgradeDomain(
        super.status(nodes, replication, clusterRacks),
        Arrays.stream(nodes)
            .map(node -> domain(node.getUpgradeDomain(), node))
            .collect(Collectors.toSet()),
        replication,
        factor);
  }

  @Override
  List<Storage> sparable(List<Storage> replicas) {
    List<Storage> inSharedDomains = sharing(replicas, UpgradeDomainPolicy::domain);
    if (inSharedDomains.isEmpty()) {
      return super.sparable(replicas);
    }
    List<Storage> onSharedRacks = sharing(replicas, PlacementPolicy::rack);
    List<Storage> both = inSharedDomains.stream().filter(onSharedRacks::contains).toList();
    return both.isEmpty() ? inSharedDomains : both;
  }

  private static String domain(Datanode node) {
    return domain(node.upgradeDomain(), node.id());
  }

  private static String domain(@Nullable String named, DatanodeID node) {
    return named == null ? node.getXferAddr() : named;
  }
}
