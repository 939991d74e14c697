package io.acaciafs.namenode.store;

import io.acaciafs.blocks.ClusterIdentity;
import io.acaciafs.namenode.settings.CalledNameNodes;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.HAUtil;
import org.apache.hadoop.hdfs.NameNodeProxies;
import org.apache.hadoop.hdfs.server.protocol.NamenodeProtocol;
import org.apache.hadoop.hdfs.server.protocol.NamespaceInfo;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.Time;

/** The other NameNodes of a nameservice, as the site names them. Stateless. */
final class OtherMembers {
  private OtherMembers() {}

  /**
   * The identity of the cluster, as one of them says it.
   *
   * @throws IOException with a sentence for people, when none answers
   */
  static ClusterIdentity identity(Configuration conf) throws IOException {
    List<InetSocketAddress> asked = new ArrayList<>();
    IOException failure = null;
    Configuration believing =
        new CalledNameNodes(conf, () -> conf, Time::monotonicNow).believing(conf);
    for (Configuration other : HAUtil.getConfForOtherNodes(conf)) {
      InetSocketAddress address = DFSUtilClient.getNNAddress(other);
      asked.add(address);
      NamenodeProtocol nameNode =
          NameNodeProxies.createNonHAProxy(
                  believing,
                  address,
                  NamenodeProtocol.class,
                  UserGroupInformation.getLoginUser(),
                  false)
              .getProxy();
      try {
        NamespaceInfo info = nameNode.versionRequest();
        return new ClusterIdentity(
            info.getNamespaceID(), info.getClusterID(), info.getBlockPoolID(), info.getCTime());
      } catch (IOException e) {
        failure = e;
      } finally {
        RPC.stopProxy(nameNode);
      }
    }
    throw new IOException(
        "None of the other NameNodes answers: " + asked + ". Start the one that was formatted",
        failure);
  }
}
