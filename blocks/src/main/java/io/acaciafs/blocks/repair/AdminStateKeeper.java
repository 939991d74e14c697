package io.acaciafs.blocks.repair;

import io.acaciafs.blocks.datanode.Datanode;
import io.acaciafs.blocks.datanode.DatanodeRegistry;
import io.acaciafs.blocks.datanode.Liveness;
import io.acaciafs.blocks.datanode.StorageWatch;
import java.io.IOException;
import java.time.Clock;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.AdminStates;
import org.apache.hadoop.hdfs.server.blockmanagement.HostConfigManager;
import org.apache.hadoop.hdfs.server.blockmanagement.HostFileManager;
import org.apache.hadoop.util.ReflectionUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which DataNodes may take part, be emptied, or be away for a while, as the administrator wrote it
 * into the files of dfs.hosts and dfs.hosts.exclude. Hadoop's own classes read them. Safe for use
 * by many threads.
 */
public final class AdminStateKeeper {
  private static final Logger LOG = LoggerFactory.getLogger(AdminStateKeeper.class);

  private final DatanodeRegistry registry;
  private final Liveness liveness;
  private final StorageWatch watch;
  private final Clock clock;
  private final HostConfigManager hosts;

  public AdminStateKeeper(
      Configuration conf,
      DatanodeRegistry registry,
      Liveness liveness,
      StorageWatch watch,
      Clock clock) {
    this.registry = registry;
    this.liveness = liveness;
    this.watch = watch;
    this.clock = clock;
    this.hosts =
        ReflectionUtils.newInstance(
            conf.getClass(
                DFSConfigKeys.DFS_NAMENODE_HOSTS_PROVIDER_CLASSNAME_KEY,
                HostFileManager.class,
                HostConfigManager.class),
            conf);
    try {
      hosts.refresh();
    } catch (
        IOException e) { // as HDFS: it serves all the same, and refreshNodes says what is wrong
      LOG.error("The files of DataNodes could not be read", e);
    }
    mark();
  }

  /** As the files said when they were read last. */
  public HostConfigManager hosts() {
    return hosts;
  }

  /** Whether a DataNode may register. */
  public boolean isAllowed(DatanodeID id) {
    return hosts.isIncluded(id);
  }

  /** Reads the files anew and follows them. Waits until that is durable. */
  public void refresh() throws IOException {
    hosts.refresh();
    look();
  }

  /**
   * Keeps in mind which DataNodes are not on the list, and their upgrade domains. Each NameNode has
   * to, for itself.
   */
  public void mark() {
    registry.view().datanodes().forEach(this::mark);
  }

  /** What the files say of a DataNode that holds at once, and needs no row. */
  public void mark(Datanode node) {
    node.disallowed(!hosts.isIncluded(node.id()));
    node.upgradeDomain(hosts.getUpgradeDomain(node.id()));
  }

  /** Lets every DataNode begin what the files ask for. Waits until that is durable. */
  synchronized void look() throws IOException {
    mark();
    for (Datanode node : registry.view().datanodes()) {
      AdminStates next = next(node);
      if (next != node.adminState()) {
        watch.adminState(node, next);
      }
    }
  }

  /** The last step, to DECOMMISSIONED or IN_MAINTENANCE, is {@link DecommissionMonitor}' matter. */
  private AdminStates next(Datanode node) {
    AdminStates now = node.adminState();
    if (hosts.isExcluded(node.id())) {
      return now == AdminStates.DECOMMISSIONED ? now : AdminStates.DECOMMISSION_INPROGRESS;
    }
    if (hosts.getMaintenanceExpirationTimeInMS(node.id()) > clock.millis()) {
      if (now == AdminStates.IN_MAINTENANCE || now == AdminStates.ENTERING_MAINTENANCE) {
        return now;
      }
      return liveness.isDead(node) ? AdminStates.IN_MAINTENANCE : AdminStates.ENTERING_MAINTENANCE;
    }
    return AdminStates.NORMAL;
  }
}
