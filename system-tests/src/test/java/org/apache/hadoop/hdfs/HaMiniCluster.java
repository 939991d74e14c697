package org.apache.hadoop.hdfs;

import io.acaciafs.systemtests.harness.HaCluster;
import io.acaciafs.systemtests.harness.HaOptions;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.net.NetUtils;

/**
 * Three NameNodes by Raft, each a process of its own, for tests that want two or three of which one
 * is active. One that the test does not know never leads for longer than until the test makes
 * another one active.
 */
final class HaMiniCluster extends MiniDFSCluster {
  /** What a test has set for its clients, of this cluster or one before. */
  private static final List<String> OF_CLIENTS =
      List.of(
          "dfs.nameservices",
          "dfs.ha.namenodes.",
          "dfs.namenode.rpc-address.",
          "dfs.namenode.http-address.",
          "dfs.client.failover.");

  private static final String AUXILIARY = "dfs.namenode.rpc-address.auxiliary-ports";
  private static final Pattern ADDRESS = Pattern.compile("/(127\\.0\\.0\\.1:[0-9]+)");

  /** Open, as far as it is known: some tests leave theirs to the end of the process. */
  private static HaMiniCluster last;

  private final Configuration conf;
  private final HaCluster cluster;
  private final int known;
  private final List<Set<InetSocketAddress>> auxiliary = new ArrayList<>();

  /**
   * @param conf of the test
   * @param settings that the test has made
   * @param topology of the NameNodes that the test wants
   */
  HaMiniCluster(
      Configuration conf, Map<String, String> settings, int dataNodes, MiniDFSNNTopology topology)
      throws IOException {
    super(conf);
    this.conf = conf;
    this.known = topology.countNameNodes();
    Map<String, String> own = new TreeMap<>(settings);
    own.keySet().removeIf(key -> OF_CLIENTS.stream().anyMatch(key::startsWith));
    if (settings.containsKey(AUXILIARY)) {
      own.put(AUXILIARY, settings.get(AUXILIARY));
    }
    try {
      cluster = HaCluster.start("mini-ha", new HaOptions(dataNodes, own, false));
    } catch (IOException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException(e);
    }
    last = this;
    for (int i = 0; i < known; i++) {
      auxiliary.add(auxiliaryOf(i));
    }
    tellWebAddresses(topology.getNameservices().get(0));
  }

  /** As Hadoop's does: clients of WebHDFS find NameNodes by the settings alone. */
  private void tellWebAddresses(MiniDFSNNTopology.NSConf nameservice) {
    for (int i = 0; i < known; i++) {
      String id = nameservice.getNNs().get(i).getNnId();
      conf.set(
          "dfs.namenode.http-address." + nameservice.getId() + "." + id, cluster.httpAddress(i));
    }
  }

  /** Where a NameNode answers too: the system chooses, and the NameNode's log tells. */
  private Set<InetSocketAddress> auxiliaryOf(int index) throws IOException {
    Set<InetSocketAddress> all =
        cluster.nameNode(index).log().stream()
            .filter(line -> line.contains("RPC server started"))
            .flatMap(line -> ADDRESS.matcher(line).results())
            .map(address -> NetUtils.createSocketAddr(address.group(1)))
            .collect(Collectors.toCollection(LinkedHashSet::new));
    all.remove(NetUtils.createSocketAddr(cluster.rpcAddress(index)));
    return all;
  }

  private NameNodeDouble inside(int index) {
    return new NameNodeDouble(
            NetUtils.createSocketAddr(cluster.rpcAddress(index)),
            NetUtils.createSocketAddr(cluster.httpAddress(index)),
            conf,
            MiniDFSCluster::needsInternals)
        .withAuxiliary(auxiliary.get(index));
  }

  /** Ends the cluster that a test has left. */
  static void shutdownLast() {
    if (last != null) {
      last.shutdown();
    }
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
    NameNodeInfo[] all = new NameNodeInfo[known];
    for (int i = 0; i < known; i++) {
      all[i] = new NameNodeInfo(getNameNode(i));
    }
    return all;
  }

  @Override
  public int getNumNameNodes() {
    return known;
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
    last = null;
    try {
      FileSystem.closeAll();
      cluster.close();
    } catch (IOException e) {
      throw new IllegalStateException("the cluster does not stop", e);
    }
  }
}
