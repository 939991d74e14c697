package io.acaciafs.blocks.placement;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.server.blockmanagement.UnresolvedTopologyException;
import org.apache.hadoop.net.CachedDNSToSwitchMapping;
import org.apache.hadoop.net.DNSToSwitchMapping;
import org.apache.hadoop.net.NetworkTopology;
import org.apache.hadoop.net.ScriptBasedMapping;
import org.apache.hadoop.util.ReflectionUtils;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds racks as HDFS does, by the mapping or the script that the site has configured. That may
 * start a process, so it is done on the executor; only {@link #resolve} waits for it. Safe for use
 * by many threads.
 */
public final class RackResolver {
  private static final Logger LOG = LoggerFactory.getLogger(RackResolver.class);

  /** Clients whose rack is remembered; past that all are asked for again. */
  private static final int MAX_CLIENTS = 10_000;

  private final DNSToSwitchMapping mapping;
  private final Executor executor;
  private final boolean requiresRack;
  private final Map<String, String> clients = new ConcurrentHashMap<>();
  private final Set<String> asked = ConcurrentHashMap.newKeySet();

  public RackResolver(Configuration conf, Executor executor) {
    this.mapping =
        ReflectionUtils.newInstance(
            conf.getClass(
                DFSConfigKeys.NET_TOPOLOGY_NODE_SWITCH_MAPPING_IMPL_KEY,
                ScriptBasedMapping.class,
                DNSToSwitchMapping.class),
            conf);
    this.executor = executor;
    this.requiresRack =
        conf.getBoolean(
            DFSConfigKeys.DFS_REJECT_UNRESOLVED_DN_TOPOLOGY_MAPPING_KEY,
            DFSConfigKeys.DFS_REJECT_UNRESOLVED_DN_TOPOLOGY_MAPPING_DEFAULT);
  }

  /**
   * May take long. A node that cannot be resolved is on the default rack.
   *
   * @throws UnresolvedTopologyException when the site wants such nodes refused
   */
  public String resolve(DatanodeID node) throws UnresolvedTopologyException {
    String name =
        mapping instanceof CachedDNSToSwitchMapping ? node.getIpAddr() : node.getHostName();
    String rack = resolve(name);
    if (rack == null && requiresRack) {
      throw new UnresolvedTopologyException(
          "Unresolved topology mapping for host " + node.getHostName());
    }
    if (rack == null) {
      LOG.warn("Unresolved network location, default rack taken host={}", name);
      return NetworkTopology.DEFAULT_RACK;
    }
    return rack;
  }

  /**
   * The rack of a client that is no DataNode.
   *
   * @return null as long as it is not known; asking makes it known soon
   */
  @Nullable String rackOfClient(String host) {
    String rack = clients.get(host);
    if (rack == null && asked.size() < MAX_CLIENTS && asked.add(host)) {
      try {
        executor.execute(() -> learn(host));
      } catch (RejectedExecutionException e) {
        asked.remove(host); // shutting down: racks do not matter any more
      }
    }
    return rack;
  }

  private void learn(String host) {
    try {
      String rack = resolve(host);
      if (clients.size() >= MAX_CLIENTS) {
        clients.clear();
      }
      clients.put(host, rack == null ? NetworkTopology.DEFAULT_RACK : rack);
    } finally {
      asked.remove(host);
    }
  }

  private @Nullable String resolve(String name) {
    try {
      List<String> racks = mapping.resolve(List.of(name));
      return racks == null || racks.isEmpty() ? null : racks.get(0);
    } catch (RuntimeException e) {
      LOG.warn("The site's mapping of racks failed host={}", name, e);
      return null;
    }
  }
}
