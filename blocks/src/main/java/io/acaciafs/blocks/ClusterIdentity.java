package io.acaciafs.blocks;

import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.apache.hadoop.hdfs.protocol.UnregisteredNodeException;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants;
import org.apache.hadoop.hdfs.server.common.StorageInfo;
import org.apache.hadoop.hdfs.server.protocol.DatanodeRegistration;
import org.apache.hadoop.hdfs.server.protocol.NamespaceInfo;

/**
 * Who this cluster is to its DataNodes; fixed when it is formatted. A DataNode compares all of it
 * with what it has on disk: another cluster, namespace or pool makes it refuse, and a newer {@code
 * cTimeMs} makes it run an upgrade.
 *
 * @param cTimeMs creation time of the namespace's layout, milliseconds since 1970; 0 in a new one
 */
public record ClusterIdentity(int namespaceId, String clusterId, String blockPoolId, long cTimeMs) {

  /** Version of the NameNode's layout that DataNodes are told; they do not compare it. */
  public static final int LAYOUT_VERSION = HdfsServerConstants.NAMENODE_LAYOUT_VERSION;

  /**
   * The answer to versionRequest. It says STANDBY: a DataNode that knows of no active NameNode
   * takes an ACTIVE of this answer without looking at the txid, and only a heartbeat may decide
   * that.
   */
  public NamespaceInfo namespaceInfo() {
    return new NamespaceInfo(namespaceId, clusterId, blockPoolId, cTimeMs, HAServiceState.STANDBY);
  }

  /** What every request of a DataNode of this cluster carries. */
  public String registrationId() {
    return "NS-" + namespaceId + "-" + clusterId + "-" + cTimeMs;
  }

  /**
   * @throws UnregisteredNodeException when the DataNode belongs to another cluster or namespace; it
   *     stops talking to this NameNode for good
   */
  public void check(DatanodeRegistration registration) throws UnregisteredNodeException {
    StorageInfo theirs = registration.getStorageInfo();
    if (theirs.getNamespaceID() != namespaceId
        || theirs.getCTime() != cTimeMs
        || !clusterId.equals(theirs.getClusterID())) {
      throw new UnregisteredNodeException(registration);
    }
  }
}
