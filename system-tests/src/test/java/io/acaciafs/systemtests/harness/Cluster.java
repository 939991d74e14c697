package io.acaciafs.systemtests.harness;

import io.acaciafs.kv.hbase.local.FreePorts;
import io.acaciafs.namenode.NameNode;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.UserGroupInformation.AuthenticationMethod;

/**
 * A NameNode in a process of its own and DataNodes in this one, on free ports and in a fresh folder
 * below {@code target/fork-N/clusters}.
 *
 * <p>{@link #close} stops what this cluster started, and keeps the logs. Not thread-safe, but its
 * file systems are.
 */
public final class Cluster implements AutoCloseable {
  private static final Duration SERVE_LIMIT = Duration.ofMinutes(2);
  private static final Duration LIVE_LIMIT = Duration.ofMinutes(2);

  private final Path folder;
  private final Configuration site;
  private final int port;
  private final int httpPort;
  private int dataNodeCount;
  private final List<StorageType> storageTypes;
  private NameNodeProcess nameNode;
  private Path nameFolder;
  private final DataNodes dataNodes = new DataNodes();
  private final DistributedFileSystem fileSystem;

  private Cluster(Builder builder) throws Exception {
    Path root = Path.of(System.getProperty("acacia.clusters"));
    Files.createDirectories(root);
    folder = Files.createTempDirectory(root, builder.name + "-");
    port = FreePorts.next();
    httpPort = FreePorts.next();
    dataNodeCount = builder.dataNodes;
    storageTypes = builder.storageTypes;
    site = site(folder, port, httpPort, builder.settings);
    nameFolder = folder.resolve("name");
    nameNode =
        new NameNodeProcess(
            builder.program,
            folder,
            siteOnly(folder, port, httpPort, builder.settings),
            builder.jvmOptions);
    for (Path file : builder.configurationFiles) {
      Files.copy(file, folder.resolve("conf").resolve(file.getFileName()));
    }
    nameNode.addClasses(builder.classes);
    fileSystem = newFileSystem();
    try {
      format(builder);
      startNameNode();
      startDataNodes();
      awaitDataNodes();
    } catch (Throwable e) {
      try {
        close();
      } catch (Exception suppressed) {
        e.addSuppressed(suppressed);
      }
      throw e;
    }
  }

  /**
   * A cluster to be.
   *
   * @param name of the test: part of its folder's name
   */
  public static Builder builder(String name) {
    return new Builder(name);
  }

  /** What a cluster is to have. */
  public static final class Builder {
    private final String name;
    private final Map<String, String> settings = new TreeMap<>();
    private NameNodeProgram program = NameNodeProgram.underTest();
    private int dataNodes = 1;
    private List<StorageType> storageTypes = List.of();
    private List<String> jvmOptions = List.of();
    private List<Path> configurationFiles = List.of();
    private List<String> classes = List.of();

    private Builder(String name) {
      this.name = name;
    }

    /** Which NameNode; by default the one under test. */
    public Builder program(NameNodeProgram value) {
      program = value;
      return this;
    }

    /** How many DataNodes; by default one. */
    public Builder dataNodes(int count) {
      dataNodes = count;
      return this;
    }

    /** One storage of each of these types on every DataNode; by default one disk. */
    public Builder storageTypes(StorageType... types) {
      storageTypes = List.of(types);
      return this;
    }

    /** Further options for the JVM of the NameNode. */
    public Builder jvmOptions(String... options) {
      jvmOptions = List.of(options);
      return this;
    }

    /** Files that the NameNode finds on its class path, such as those of TLS. */
    public Builder configurationFiles(List<Path> files) {
      configurationFiles = List.copyOf(files);
      return this;
    }

    /** Jars and folders behind the class path of the NameNode, as ACACIA_CLASSPATH has them. */
    public Builder classes(List<String> entries) {
      classes = List.copyOf(entries);
      return this;
    }

    /** A property for all daemons and clients. */
    public Builder set(String property, Object value) {
      settings.put(property, value.toString());
      return this;
    }

    /** Starts all; returns when the DataNodes are live. */
    public Cluster start() throws Exception {
      return new Cluster(this);
    }
  }

  private static Configuration site(
      Path folder, int port, int httpPort, Map<String, String> settings) {
    return fill(new HdfsConfiguration(), folder, port, httpPort, settings);
  }

  /** Only what we set, for the files of the process. */
  private static Configuration siteOnly(
      Path folder, int port, int httpPort, Map<String, String> settings) {
    return fill(new Configuration(false), folder, port, httpPort, settings);
  }

  private static Configuration fill(
      Configuration conf, Path folder, int port, int httpPort, Map<String, String> settings) {
    conf.set("fs.defaultFS", "hdfs://127.0.0.1:" + port);
    conf.set("dfs.namenode.rpc-address", "127.0.0.1:" + port);
    conf.set("dfs.namenode.http-address", "127.0.0.1:" + httpPort);
    conf.set("hadoop.tmp.dir", folder.resolve("tmp").toString());
    conf.set("hadoop.http.temp.dir", folder.resolve("tmp/http").toString());
    conf.set("dfs.namenode.name.dir", folder.resolve("name").toUri().toString());
    conf.set("dfs.namenode.safemode.extension", "0");
    conf.set("dfs.namenode.datanode.registration.ip-hostname-check", "false");
    conf.set("dfs.heartbeat.interval", "1");
    conf.set("dfs.replication", "1");
    // Of three DataNodes one with a few transfers more is already too busy to be a target.
    conf.set("dfs.namenode.redundancy.considerLoad", "false");
    settings.forEach(conf::set);
    return conf;
  }

  /** Other settings for what starts from now on: all that differ from this class's own. */
  public void configure(Map<String, String> settings) throws IOException {
    settings.forEach(site::set);
    nameNode.configure(siteOnly(folder, port, httpPort, settings));
  }

  /**
   * Another NameNode on another folder takes the place of the one that was stopped, for the same
   * clients and DataNodes; it is not started.
   *
   * @param name of the folder, beside the others
   */
  public void useNameNode(NameNodeProgram program, String name) throws IOException {
    nameFolder = folder.resolve(name);
    site.set("dfs.namenode.name.dir", nameFolder.toUri().toString());
    Configuration only = new Configuration(false);
    only.addResource(new org.apache.hadoop.fs.Path(folder.resolve("conf/hdfs-site.xml").toUri()));
    only.set("dfs.namenode.name.dir", nameFolder.toUri().toString());
    nameNode = nameNode.replacedBy(program, only);
  }

  /** Starts the NameNode again, on its folder and port; returns when it answers. */
  public void startNameNode() throws Exception {
    nameNode.start();
    awaitNameNode();
  }

  /** SIGTERM, and waits for its end. */
  public void stopNameNode() throws InterruptedException {
    nameNode.terminate();
  }

  /** SIGKILL, and waits for its end. */
  public void killNameNode() throws InterruptedException {
    nameNode.kill();
  }

  /** Stops and starts it; returns when it answers. */
  public void restartNameNode() throws Exception {
    stopNameNode();
    startNameNode();
  }

  /** In this process where that does the same, as to start one more takes as long as a NameNode. */
  private void format(Builder builder) throws IOException, InterruptedException {
    String clusterId = "CID-" + builder.name;
    if (builder.program == NameNodeProgram.ACACIA && isUserOfProcesses()) {
      NameNode.format(site, clusterId, false);
      return;
    }
    NameNodeProcess.Exit format = nameNode.format(clusterId);
    if (format.code() != 0) {
      throw new AssertionError("format failed: " + format.output());
    }
  }

  /** The user that formats owns the root; a test may have logged in as another one. */
  private boolean isUserOfProcesses() throws IOException {
    return SecurityUtil.getAuthenticationMethod(site) == AuthenticationMethod.SIMPLE
        && !UserGroupInformation.isSecurityEnabled()
        && UserGroupInformation.getCurrentUser()
            .getShortUserName()
            .equals(System.getProperty("user.name"));
  }

  private void awaitNameNode() throws Exception {
    try (Probe probe = new Probe(uri(), site)) {
      Await.until(
          "an answer of the NameNode",
          SERVE_LIMIT,
          () -> {
            if (!nameNode.isAlive()) {
              throw new AssertionError("the NameNode has ended; " + nameNode.describe());
            }
            return probe.answers();
          });
    }
  }

  /** Starts the DataNodes, on their folders; returns before they have registered. */
  public void startDataNodes() throws IOException {
    for (Path data : dataFolders()) {
      dataNodes.add(data, storageTypes, site);
    }
  }

  /** Starts the DataNodes on what they had before a rolling upgrade, with {@code -rollback}. */
  public void rollBackDataNodes() throws IOException {
    for (Path data : dataFolders()) {
      dataNodes.rollBack(data, storageTypes, site);
    }
  }

  /** Starts DataNodes that were not there before; returns before they have registered. */
  public void addDataNodes(int count) throws IOException {
    addDataNodes(count, Map.of());
  }

  /** The same, with settings of their own until they are stopped. */
  public void addDataNodes(int count, Map<String, String> settings) throws IOException {
    Configuration own = new Configuration(site);
    settings.forEach(own::set);
    int before = dataNodeCount;
    dataNodeCount += count;
    for (Path data : dataFolders().subList(before, dataNodeCount)) {
      dataNodes.add(data, storageTypes, own);
    }
  }

  /** Starts a DataNode with the settings of one that was stopped, so on its folders. */
  public void startDataNode(Configuration conf) throws IOException {
    dataNodes.start(conf);
  }

  /** Stops the DataNodes. */
  public void stopDataNodes() {
    dataNodes.shutdown();
  }

  /** Stops one DataNode in the midst of what it does. */
  public void stopDataNode(DataNode dataNode) {
    dataNodes.shutdown(dataNode);
  }

  /** With no heartbeat yet nobody knows a DataNode's disks, and it takes no blocks. */
  private long liveDataNodes() throws IOException {
    return Arrays.stream(fileSystem.getDataNodeStats(DatanodeReportType.LIVE))
        .filter(node -> node.getCapacity() > 0)
        .count();
  }

  /** Returns when all DataNodes are live and the namespace can be written. */
  public void awaitDataNodes() throws Exception {
    Await.until(
        "registration of all DataNodes",
        LIVE_LIMIT,
        () ->
            liveDataNodes() == dataNodes.running().size()
                && !fileSystem.setSafeMode(SafeModeAction.GET));
  }

  /** A client that closes with the cluster. */
  public DistributedFileSystem fileSystem() {
    return fileSystem;
  }

  /** A client of its own, which the caller closes. */
  public DistributedFileSystem newFileSystem() throws IOException {
    return newFileSystem(Map.of());
  }

  /** A client of its own with other settings, which the caller closes. */
  public DistributedFileSystem newFileSystem(Map<String, String> settings) throws IOException {
    Configuration conf = clientConfiguration();
    settings.forEach(conf::set);
    return (DistributedFileSystem) FileSystem.newInstance(uri(), conf);
  }

  /** A new configuration for clients. */
  public Configuration clientConfiguration() {
    return new Configuration(site);
  }

  /** Where clients go. */
  public URI uri() {
    return URI.create("hdfs://127.0.0.1:" + port);
  }

  /** The NameNode's port on 127.0.0.1. */
  public int port() {
    return port;
  }

  /** The NameNode's port for HTTP on 127.0.0.1. */
  public int httpPort() {
    return httpPort;
  }

  /** The NameNode's process. */
  public NameNodeProcess nameNode() {
    return nameNode;
  }

  /** The DataNodes, in the order of their folders. */
  public List<DataNode> dataNodes() {
    return dataNodes.running();
  }

  /** Where the NameNode is started, and all logs are. */
  public Path folder() {
    return folder;
  }

  /** Where the NameNode keeps its state. */
  public Path nameFolder() {
    return nameFolder;
  }

  /** Where each DataNode keeps its block files. */
  public List<Path> dataFolders() {
    return IntStream.range(0, dataNodeCount).mapToObj(i -> folder.resolve("data-" + i)).toList();
  }

  @Override
  public void close() throws IOException {
    try {
      fileSystem.close();
    } finally {
      dataNodes.shutdown();
      endNameNode();
      for (Path data : dataFolders()) {
        FileUtil.fullyDelete(data.toFile());
      }
      removeNameFolders();
      FileUtil.fullyDelete(folder.resolve("tmp").toFile());
    }
  }

  /** Of all NameNodes that there were. */
  private void removeNameFolders() throws IOException {
    try (Stream<Path> content = Files.list(folder)) {
      content
          .filter(path -> path.getFileName().toString().startsWith("name"))
          .filter(Files::isDirectory)
          .forEach(path -> FileUtil.fullyDelete(path.toFile()));
    }
  }

  private void endNameNode() throws IOException {
    try {
      if (nameNode.isAlive()) {
        nameNode.terminate();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while the NameNode ended", e);
    }
  }
}
