package org.apache.hadoop.hdfs;

import io.acaciafs.systemtests.harness.Await;
import io.acaciafs.systemtests.harness.Cluster;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.BlockListAsLongs;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.StartupOption;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataNodeTestUtils;
import org.apache.hadoop.hdfs.server.datanode.FsDatasetTestUtils;
import org.apache.hadoop.hdfs.server.datanode.FsDatasetTestUtils.MaterializedReplica;
import org.apache.hadoop.hdfs.server.datanode.ReplicaNotFoundException;
import org.apache.hadoop.hdfs.server.datanode.SimulatedFSDataset;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.apache.hadoop.hdfs.server.protocol.NamenodeProtocols;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.JniBasedUnixGroupsMappingWithFallback;
import org.opentest4j.TestAbortedException;

/**
 * Stands in for Hadoop's class of this name, so that tests of HDFS run unmodified against the
 * NameNode under test, in a process of its own. Only what the tests in {@code systemtests.hdfs}
 * call is here. What needs the objects of a NameNode in the same process aborts the test, which
 * then counts as skipped.
 */
public class MiniDFSCluster implements AutoCloseable {
  private static final String GROUPS = "org.apache.hadoop.hdfs.DFSTestUtil$MockUnixGroupsMapping";
  private static Cluster last;

  private final Cluster cluster;
  private final Configuration conf;
  private boolean isShutDown;

  /** Null unless a test captures the audit log. */
  private DistributedFileSystem audited;

  /** See Hadoop's. Wishes that make no difference here are taken and forgotten. */
  public static class Builder {
    private final Configuration conf;
    private int dataNodes = 1;
    private StorageType[] types = {};
    private boolean isNew = true;
    private MiniDFSNNTopology topology = MiniDFSNNTopology.simpleSingleNN(0, 0);
    private long[] capacities = {};

    public Builder(Configuration conf) {
      this.conf = conf;
    }

    public Builder(Configuration conf, File folder) {
      this.conf = conf;
    }

    public Builder numDataNodes(int count) {
      dataNodes = count;
      return this;
    }

    public Builder storageTypes(StorageType[] value) {
      types = value;
      return this;
    }

    public Builder storagesPerDatanode(int count) {
      types = new StorageType[] {};
      return this;
    }

    public Builder format(boolean isFormatted) {
      isNew = isFormatted;
      return this;
    }

    public Builder nameNodePort(int port) {
      return this;
    }

    public Builder manageDataDfsDirs(boolean manages) {
      return this;
    }

    public Builder manageNameDfsDirs(boolean manages) {
      return this;
    }

    public Builder waitSafeMode(boolean waits) {
      return this;
    }

    public Builder checkExitOnShutdown(boolean checks) {
      return this;
    }

    public Builder startupOption(StartupOption option) {
      return this;
    }

    public Builder hosts(String[] names) {
      return this;
    }

    public Builder racks(String[] names) {
      return this;
    }

    public Builder checkDataNodeHostConfig(boolean checks) {
      return this;
    }

    public Builder useConfiguredTopologyMappingClass(boolean uses) {
      return this;
    }

    public Builder dnStartupOption(StartupOption option) {
      return this;
    }

    public Builder simulatedCapacities(long[] wanted) {
      capacities = wanted;
      return this;
    }

    /** As the clusters of our own tests have it. */
    public Builder setNNRedundancyConsiderLoad(boolean considers) {
      return this;
    }

    public Builder nnTopology(MiniDFSNNTopology wanted) {
      topology = wanted;
      return this;
    }

    public MiniDFSCluster build() throws IOException {
      if (runsClassesOfTest()) {
        return new LocalMiniCluster(conf);
      }
      if (topology.isHA()) {
        try {
          return new HaMiniCluster(conf, settings(this), dataNodes, topology);
        } catch (ReflectiveOperationException e) {
          throw new IOException(e);
        }
      }
      return new MiniDFSCluster(this);
    }

    /** And the test looks at what they were asked. */
    private boolean runsClassesOfTest() {
      return conf.get("dfs.namenode.inode.attributes.provider.class") != null
          || conf.get("hadoop.http.filter.initializers", "").contains("$CustomizedFilter$")
          || conf.get("hadoop.security.group.mapping", "").contains(".TestRefreshUserMappings$");
    }
  }

  /** A DataNode that was stopped. Fields as Hadoop's. */
  public static class DataNodeProperties {
    final DataNode datanode;
    final Configuration conf;

    DataNodeProperties(DataNode dataNode) {
      datanode = dataNode;
      conf = dataNode.getConf();
    }

    public DataNode getDatanode() {
      return datanode;
    }
  }

  /** One of several NameNodes. Fields as Hadoop's. */
  public static class NameNodeInfo {
    public final NameNode nameNode;

    NameNodeInfo(NameNode nameNode) {
      this.nameNode = nameNode;
    }
  }

  /** Without a process of its own. */
  MiniDFSCluster(Configuration conf) {
    this.conf = conf;
    this.cluster = null;
  }

  protected MiniDFSCluster(Builder builder) throws IOException {
    conf = builder.conf;
    if (!MiniSecurity.isKerberos(conf)) { // with which making a connection may take as long
      // The NameNode comes back on its port, and a client sees only later that its connection
      // ended.
      conf.setInt("ipc.client.connection.maxidletime", 500);
    }
    try {
      MiniSecurity security = MiniSecurity.of(conf);
      cluster = builder.isNew ? start(builder, security) : startAgain(builder);
    } catch (IOException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException(e);
    } catch (AssertionError e) { // the NameNode has ended, as one in this process would throw
      throw new IOException(e.getMessage(), e);
    }
    FileSystem.setDefaultUri(conf, cluster.uri());
    conf.set("dfs.namenode.rpc-address", "127.0.0.1:" + cluster.port());
    conf.set("dfs.namenode.http-address", "127.0.0.1:" + cluster.httpPort());
  }

  private static Cluster start(Builder builder, MiniSecurity security) throws Exception {
    forget();
    Cluster.Builder wanted =
        Cluster.builder("mini")
            .dataNodes(builder.dataNodes)
            .storageTypes(builder.types)
            .jvmOptions(security.jvmOptions())
            .configurationFiles(security.configurationFiles());
    settings(builder).forEach(wanted::set);
    return wanted.start();
  }

  /** Only what the test has set itself. */
  private static Map<String, String> settings(Builder builder) throws ReflectiveOperationException {
    // Hadoop's does it too, and tests make clients of the same configuration.
    int replication = Math.min(builder.conf.getInt("dfs.replication", 3), builder.dataNodes);
    builder.conf.setInt("dfs.replication", Math.max(1, replication));
    Map<String, String> settings = new TreeMap<>();
    // as the hdfs-site.xml of Hadoop's tests has it
    settings.put("dfs.namenode.fs-limits.min-block-size", "0");
    // tests enable them in their own process, which with HDFS is the NameNode's as well
    settings.put("acacia.symlinks.enabled", "true");
    if (builder.capacities.length > 0) {
      settings.putAll(ofCapacity(builder.capacities));
    }
    for (Map.Entry<String, String> property : builder.conf) {
      String[] sources = builder.conf.getPropertySources(property.getKey());
      if (sources != null
          && sources[sources.length - 1].equals("programmatically")
          && !property.getKey().startsWith("fs.default")
          // of a cluster before
          && !property.getKey().equals("dfs.namenode.rpc-address")
          && !property.getKey().equals("dfs.namenode.http-address")) {
        settings.put(property.getKey(), property.getValue());
      }
    }
    if (GROUPS.equals(builder.conf.get("hadoop.security.group.mapping"))) {
      settings.put(
          "hadoop.security.group.mapping", JniBasedUnixGroupsMappingWithFallback.class.getName());
      settings.put(
          "hadoop.user.group.static.mapping.overrides",
          overrides(DFSTestUtil.MockUnixGroupsMapping.fakeUser2GroupsMap));
    } else if (!MadeUpGroups.known().isEmpty()) {
      settings.put("hadoop.user.group.static.mapping.overrides", overrides(MadeUpGroups.known()));
    }
    return settings;
  }

  /** Of DataNodes that only pretend to store, all of the same size. */
  private static Map<String, String> ofCapacity(long[] capacities) {
    if (Arrays.stream(capacities).distinct().count() != 1) {
      throw new IllegalArgumentException("DataNodes of different capacities");
    }
    return Map.of(SimulatedFSDataset.CONFIG_PROPERTY_CAPACITY, Long.toString(capacities[0]));
  }

  private static String overrides(Map<String, String[]> groups) {
    return groups.entrySet().stream()
        .map(user -> user.getKey() + "=" + String.join(",", user.getValue()))
        .collect(Collectors.joining(";"));
  }

  /** On the folders of the cluster that was shut down last. */
  private static Cluster startAgain(Builder builder) throws Exception {
    Cluster again = last;
    if (again == null) {
      throw needsInternals();
    }
    last = null;
    again.configure(settings(builder));
    again.startNameNode();
    again.startDataNodes();
    again.awaitDataNodes();
    return again;
  }

  /** A cluster that was shut down is kept, as its folders are, until another is formatted. */
  private static void forget() throws IOException {
    if (last != null) {
      last.close();
      last = null;
    }
  }

  /** Ends several NameNodes that a test has left running. */
  public static void shutdownLeft() {
    HaMiniCluster.shutdownLast();
  }

  static TestAbortedException needsInternals() {
    return new TestAbortedException("needs the objects of a NameNode in this process");
  }

  public DistributedFileSystem getFileSystem() throws IOException {
    if (audited == null && AuditedClient.isWanted()) {
      audited = AuditedClient.open(cluster, clientConfiguration());
    }
    if (audited != null) {
      return audited;
    }
    return (DistributedFileSystem) FileSystem.get(cluster.uri(), clientConfiguration());
  }

  public DistributedFileSystem getFileSystem(int nameNode) throws IOException {
    return getFileSystem();
  }

  public FileSystem getNewFileSystemInstance(int nameNode) throws IOException {
    return FileSystem.newInstance(cluster.uri(), clientConfiguration());
  }

  private Configuration clientConfiguration() {
    Configuration client = new Configuration(conf);
    FileSystem.setDefaultUri(client, cluster.uri());
    return client;
  }

  public Configuration getConfiguration(int nameNode) {
    return conf;
  }

  public URI getURI() {
    return cluster.uri();
  }

  public URI getURI(int nameNode) {
    return cluster.uri();
  }

  public int getNameNodePort() {
    return cluster.port();
  }

  public int getNameNodePort(int nameNode) {
    return cluster.port();
  }

  public int getNumNameNodes() {
    return 1;
  }

  public NameNodeInfo[] getNameNodeInfos(int nameservice) {
    return new NameNodeInfo[] {new NameNodeInfo(getNameNode())};
  }

  /** Differs between clusters, as it becomes part of the name of their nameservice. */
  public int getInstanceId() {
    return cluster.port();
  }

  /** As of one NameNode, which is active from its start. */
  public void transitionToActive(int nameNode) throws IOException {}

  public void transitionToStandby(int nameNode) throws IOException {
    throw needsInternals();
  }

  public void shutdownNameNode(int nameNode) {
    throw needsInternals();
  }

  public ArrayList<DataNode> getDataNodes() {
    return new ArrayList<>(cluster.dataNodes());
  }

  public DataNode[] listDataNodes() {
    return cluster.dataNodes().toArray(DataNode[]::new);
  }

  public DataNode getDataNode(int ipcPort) {
    return cluster.dataNodes().stream()
        .filter(node -> node.getIpcPort() == ipcPort)
        .findAny()
        .orElse(null);
  }

  public DataNodeProperties stopDataNode(int index) {
    if (index < 0 || index >= cluster.dataNodes().size()) {
      return null;
    }
    DataNode node = cluster.dataNodes().get(index);
    DataNodeProperties properties = new DataNodeProperties(node);
    cluster.stopDataNode(node);
    return properties;
  }

  public DataNodeProperties stopDataNode(String address) {
    List<String> addresses =
        cluster.dataNodes().stream().map(node -> node.getDatanodeId().getXferAddr()).toList();
    return stopDataNode(addresses.indexOf(address));
  }

  public boolean restartDataNode(DataNodeProperties stopped) throws IOException {
    return restartDataNode(stopped, false);
  }

  public boolean restartDataNode(DataNodeProperties stopped, boolean keepsPorts)
      throws IOException {
    Configuration again = new Configuration(stopped.conf);
    if (keepsPorts) {
      again.set("dfs.datanode.address", "127.0.0.1:" + stopped.datanode.getXferPort());
      again.set("dfs.datanode.ipc.address", "127.0.0.1:" + stopped.datanode.getIpcPort());
    }
    cluster.startDataNode(again);
    return true;
  }

  public boolean restartDataNode(int index) throws IOException {
    return restartDataNode(stopDataNode(index));
  }

  /** Whether the NameNode takes it for dead is the NameNode's business here. */
  public boolean restartDataNode(int index, boolean keepsPorts, boolean expires)
      throws IOException {
    if (expires) {
      throw needsInternals();
    }
    return restartDataNode(stopDataNode(index), keepsPorts);
  }

  public boolean restartDataNodes() throws IOException {
    for (DataNode ignored : cluster.dataNodes()) {
      restartDataNode(0);
    }
    awaitAddresses();
    return true;
  }

  /** They have other ports now, and the NameNode takes their old ones for live for a while. */
  private void awaitAddresses() throws IOException {
    try {
      Await.until(
          "registration of all DataNodes at their addresses",
          Duration.ofSeconds(60),
          () -> {
            Set<String> known =
                Arrays.stream(cluster.fileSystem().getDataNodeStats(DatanodeReportType.LIVE))
                    .map(DatanodeInfo::getXferAddr)
                    .collect(Collectors.toSet());
            return cluster.dataNodes().stream()
                .map(DataNode::getDatanodeId) // null until it has registered
                .allMatch(id -> id != null && known.contains(id.getXferAddr()));
          });
    } catch (IOException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException(e);
    }
  }

  public void startDataNodes(
      Configuration ignored, int count, boolean manages, StartupOption option, String[] racks)
      throws IOException {
    cluster.addDataNodes(count);
  }

  /** Returns when they are live; all are on one rack. */
  public void startDataNodes(
      Configuration ignored,
      int count,
      boolean manages,
      StartupOption option,
      String[] racks,
      String[] hosts,
      long[] capacities,
      boolean writesHosts)
      throws IOException {
    if (hosts != null) {
      throw needsInternals();
    }
    try {
      cluster.addDataNodes(count, ofCapacity(capacities));
      cluster.awaitDataNodes();
    } catch (IOException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException(e);
    }
  }

  public void startDataNodes(
      Configuration conf,
      int count,
      boolean manages,
      StartupOption option,
      String[] racks,
      String[] hosts,
      long[] capacities)
      throws IOException {
    startDataNodes(conf, count, manages, option, racks, hosts, capacities, false);
  }

  public void startDataNodes(
      Configuration conf,
      int count,
      boolean manages,
      StartupOption option,
      String[] racks,
      long[] capacities)
      throws IOException {
    startDataNodes(conf, count, manages, option, racks, null, capacities);
  }

  public void setDataNodesDead() {
    throw needsInternals();
  }

  public FsDatasetTestUtils getFsDatasetTestUtils(int index) {
    return getFsDatasetTestUtils(cluster.dataNodes().get(index));
  }

  public FsDatasetTestUtils getFsDatasetTestUtils(DataNode node) {
    return FsDatasetTestUtils.Factory.getFactory(conf).newInstance(node);
  }

  public MaterializedReplica getMaterializedReplica(int index, ExtendedBlock block)
      throws ReplicaNotFoundException {
    return getFsDatasetTestUtils(index).getMaterializedReplica(block);
  }

  public MaterializedReplica getMaterializedReplica(DataNode node, ExtendedBlock block)
      throws ReplicaNotFoundException {
    return getFsDatasetTestUtils(node).getMaterializedReplica(block);
  }

  public int corruptBlockOnDataNodes(ExtendedBlock block) throws IOException {
    int corrupted = 0;
    for (DataNode node : cluster.dataNodes()) {
      if (holds(node, block)) {
        getMaterializedReplica(node, block).corruptData();
        corrupted++;
      }
    }
    return corrupted;
  }

  public int corruptBlockOnDataNodesByDeletingBlockFile(ExtendedBlock block) throws IOException {
    int corrupted = 0;
    for (DataNode node : cluster.dataNodes()) {
      if (holds(node, block)) {
        getMaterializedReplica(node, block).deleteData();
        corrupted++;
      }
    }
    return corrupted;
  }

  private static boolean holds(DataNode node, ExtendedBlock block) {
    return node.getFSDataset().contains(block);
  }

  public List<Map<DatanodeStorage, BlockListAsLongs>> getAllBlockReports(String pool) {
    return cluster.dataNodes().stream()
        .map(node -> node.getFSDataset().getBlockReports(pool))
        .toList();
  }

  public String getBaseDirectory() {
    return System.getProperty("acacia.clusters") + "/";
  }

  /** The calls of clients, with the exceptions that the NameNode threw. */
  public NamenodeProtocols getNameNodeRpc() {
    return (NamenodeProtocols)
        Proxy.newProxyInstance(
            NamenodeProtocols.class.getClassLoader(),
            new Class<?>[] {NamenodeProtocols.class},
            (proxy, method, arguments) -> {
              if (!method.getDeclaringClass().isAssignableFrom(ClientProtocol.class)) {
                throw needsInternals();
              }
              try {
                return method.invoke(getFileSystem().getClient().getNamenode(), arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause() instanceof RemoteException remote
                    ? unwrapped(remote)
                    : e.getCause();
              }
            });
  }

  /** Hadoop's own unwrapping knows only exceptions of input and output. */
  private static Throwable unwrapped(RemoteException remote) throws ReflectiveOperationException {
    Class<?> thrown = Class.forName(remote.getClassName());
    return RuntimeException.class.isAssignableFrom(thrown)
        ? (Throwable) thrown.getConstructor(String.class).newInstance(remote.getMessage())
        : remote.unwrapRemoteException();
  }

  public NamenodeProtocols getNameNodeRpc(int nameNode) {
    return getNameNodeRpc();
  }

  /** One that knows where it listens, and aborts the test where that asks for more. */
  public NameNode getNameNode() {
    return inside().nameNode();
  }

  private NameNodeDouble inside() {
    return new NameNodeDouble(
        new InetSocketAddress("127.0.0.1", cluster.port()),
        new InetSocketAddress("127.0.0.1", cluster.httpPort()),
        conf,
        MiniDFSCluster::needsInternals);
  }

  public NameNode getNameNode(int nameNode) {
    return getNameNode();
  }

  /** One that knows delegation tokens, and aborts the test where that asks for more. */
  public FSNamesystem getNamesystem() {
    return inside().namesystem();
  }

  public FSNamesystem getNamesystem(int nameNode) {
    return getNamesystem();
  }

  public void setLeasePeriod(long softMs, long hardMs) {
    throw needsInternals();
  }

  public void setNameNodeConf(int nameNode, Configuration changed) {
    throw needsInternals();
  }

  public void waitActive() {}

  public void waitActive(int nameNode) {}

  public void waitClusterUp() {}

  Cluster cluster() {
    return cluster;
  }

  public boolean isClusterUp() {
    return cluster.nameNode().isAlive();
  }

  public boolean isDataNodeUp() {
    return !cluster.dataNodes().isEmpty();
  }

  public void restartNameNode(String... arguments) throws IOException {
    restart(true);
  }

  public void restartNameNode(boolean waits) throws IOException {
    restart(waits);
  }

  public void restartNameNode(int nameNode) throws IOException {
    restart(true);
  }

  public void restartNameNodes() throws IOException {
    restart(true);
  }

  private void restart(boolean waits) throws IOException {
    try {
      cluster.restartNameNode();
      if (waits) {
        cluster.awaitDataNodes();
      }
    } catch (IOException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException(e);
    }
  }

  public void triggerHeartbeats() throws IOException {
    for (DataNode node : cluster.dataNodes()) {
      DataNodeTestUtils.triggerHeartbeat(node);
    }
  }

  public void triggerBlockReports() throws IOException {
    for (DataNode node : cluster.dataNodes()) {
      DataNodeTestUtils.triggerBlockReport(node);
    }
  }

  public void triggerDeletionReports() throws IOException {
    for (DataNode node : cluster.dataNodes()) {
      DataNodeTestUtils.triggerDeletionReport(node);
    }
  }

  public void waitFirstBRCompleted(int nameNode, int timeoutMs) throws TimeoutException {}

  public void shutdown() {
    shutdown(false, true);
  }

  public void shutdown(boolean deletesFolders) {
    shutdown(deletesFolders, true);
  }

  public void shutdown(boolean deletesFolders, boolean closesFileSystems) {
    if (!isShutDown) {
      isShutDown = true;
      try {
        if (closesFileSystems) {
          getFileSystem().close();
        }
        cluster.stopDataNodes();
        cluster.stopNameNode();
        forget();
        last = cluster;
      } catch (IOException | InterruptedException e) {
        throw new IllegalStateException("the cluster does not stop", e);
      }
    }
  }

  public void shutdownDataNodes() {
    cluster.stopDataNodes();
  }

  @Override
  public void close() {
    shutdown();
  }
}
