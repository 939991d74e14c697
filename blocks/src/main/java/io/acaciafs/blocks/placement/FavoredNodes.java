package io.acaciafs.blocks.placement;

import io.acaciafs.blocks.datanode.ClusterView;
import io.acaciafs.blocks.datanode.Datanode;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the DataNodes that a writer prefers by the names that it gives them: {@code host:port} or
 * {@code host}. May ask the name service, and so wait, for a host that no DataNode calls itself by.
 * Stateless. Source of the order: HDFS 3.5's DatanodeManager.getDatanodeDescriptor.
 */
public final class FavoredNodes {
  private static final Logger LOG = LoggerFactory.getLogger(FavoredNodes.class);

  private FavoredNodes() {}

  /** In the order of the names; those that are no DataNode's are left out. */
  public static List<Datanode> find(ClusterView view, List<String> names) {
    List<Datanode> found = new ArrayList<>();
    for (String name : names) {
      Datanode node = find(view, name);
      if (node != null && !found.contains(node)) {
        found.add(node);
      }
    }
    return found;
  }

  private static @Nullable Datanode find(ClusterView view, String name) {
    Datanode named = first(view.datanodes(), node -> isNamed(node, name));
    return named != null ? named : byAddress(view, name);
  }

  private static @Nullable Datanode byAddress(ClusterView view, String name) {
    int colon = name.lastIndexOf(':');
    String host = colon < 0 ? name : name.substring(0, colon);
    List<Datanode> there = view.atAddress(addressOf(host));
    Datanode exact = first(there, node -> name.endsWith(":" + node.id().getXferPort()));
    return exact != null ? exact : first(there, node -> true);
  }

  private static @Nullable Datanode first(List<Datanode> nodes, Predicate<Datanode> isWanted) {
    return nodes.stream().filter(isWanted).findFirst().orElse(null);
  }

  private static boolean isNamed(Datanode node, String name) {
    return name.equals(node.id().getXferAddr())
        || name.equals(node.id().getXferAddrWithHostname())
        || name.equals(node.id().getIpAddr())
        || name.equals(node.id().getHostName());
  }

  /** Null where the host is not known. */
  private static @Nullable String addressOf(String host) {
    try {
      return InetAddress.getByName(host).getHostAddress();
    } catch (UnknownHostException e) {
      LOG.debug("Favored node is not known host={}", host, e);
      return null;
    }
  }
}
