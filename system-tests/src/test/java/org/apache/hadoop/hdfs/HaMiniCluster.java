package org.apache.hadoop.hdfs;

import io.acaciafs.systemtests.harness.HaCluster;
import io.acaciafs.systemtests.harness.HaOptions;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.net.NetUtils;

/**
 * Three NameNodes by Raft, each a process of its own, for tests that want two of which one is
 * active. The tests know the first two; the third one never leads for longer than until the test
 * makes another one active.
 */
final class HaMiniCluster extends MiniDFSCluster {
  private static final int KNOWN = 2;

  /** What a test has set for its clients, of this cluster or one before. */
  private static final List<String> OF_CLIENTS =
      List.of(
          "dfs.nameservices",
          "dfs.ha.namenodes.",
          "dfs.namenode.rpc-address.",
          "dfs.client.failover.");

  private final Configuration conf;
  private final HaCluster cluster;

  /**
   * @param conf of the test
   * @param settings that the test has made
   */
  HaMiniCluster(Configuration conf, Map<String, String> settings, int dataNodes)
      throws IOException {
    super(conf);
    this.conf = conf;
    Map<String, String> own = new TreeMap<>(settings);
    own.keySet().removeIf(key -> OF_CLIENTS.stream().anyMatch(key::startsWith));
    try {
      cluster = HaCluster.start("mini-ha", new HaOptions(dataNodes, own, false));
    } catch (IOException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException(e);
    }
  }

  private NameNodeDouble inside(int index) {
    return new NameNodeDouble(
        NetUtils.createSocketAddr(cluster.rpcAddress(index)),
        NetUtils.createSocketAddr(cluster.httpAddress(index)),
        conf,
        MiniDFSCluster::needsInternals);
  }

  @Override
  public NameNode getNameNode(int index) {
    return inside(index).nameNode();
  }

  @Override
  public FSNamesystem getNamesystem(int index) {
    return inside(index).namesystem();
  }

  @Override
  public NameNodeInfo[] getNameNodeInfos(int nameservice) {
    NameNodeInfo[] all = new NameNodeInfo[KNOWN];
    for (int i = 0; i < KNOWN; i++) {
      all[i] = new NameNodeInfo(getNameNode(i));
    }
    return all;
  }

  @Override
  public int getNumNameNodes() {
    return KNOWN;
  }

  @Override
  public int getInstanceId() {
    return NetUtils.createSocketAddr(cluster.rpcAddress(0)).getPort();
  }

  @Override
  public Configuration getConfiguration(int index) {
    return conf;
  }

  @Override
  public URI getURI(int index) {
    return DFSUtilClient.getNNUri(NetUtils.createSocketAddr(cluster.rpcAddress(index)));
  }

  /** Hands over, as an administrator does. */
  @Override
  public void transitionToActive(int index) throws IOException {
    try {
      int leader = cluster.awaitLeader();
      if (leader != index
          && cluster.haadmin("-failover", "nn" + (leader + 1), "nn" + (index + 1)) != 0) {
        throw new IOException("NameNode " + index + " does not become active");
      }
    } catch (IOException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException(e);
    }
  }

  /**
   * Of three one is active at all times: a test that calls this makes the other one active next.
   */
  @Override
  public void transitionToStandby(int index) {}

  @Override
  public void shutdownNameNode(int index) {
    try {
      cluster.nameNode(index).terminate();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while NameNode " + index + " ended", e);
    }
  }

  @Override
  public void shutdown(boolean deletesFolders, boolean closesFileSystems) {
    try {
      FileSystem.closeAll();
      cluster.close();
    } catch (IOException e) {
      throw new IllegalStateException("the cluster does not stop", e);
    }
  }
}
