package io.acaciafs.systemtests.harness;

import io.acaciafs.kv.hbase.local.FreePorts;
import io.acaciafs.kv.hbase.local.LocalHBase;
import io.acaciafs.kv.hbase.local.LocalHBaseOptions;
import io.acaciafs.namenode.NameNode;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;

/**
 * An HBase and NameNodes on it, each in a process of its own, at first without DataNodes. {@link
 * #close} ends them. Not thread-safe, but its file systems are.
 */
public final class SharedStore implements AutoCloseable {
  /** With {@code none} the same tests run on stock requests. */
  private static final String COPROCESSOR =
      System.getProperty("acacia.test.coprocessor", "classpath");

  private static final Duration SERVE_LIMIT = Duration.ofMinutes(2);
  private static final String NAME_SERVICE = "many";
  private static final int SERVER_HEAP_MB = 384;

  private final Path folder;
  private final Map<String, String> settings;
  private final LocalHBase hbase;
  private final List<Integer> ports = new ArrayList<>();
  private final List<NameNodeProcess> nameNodes = new ArrayList<>();
  private final DataNodes dataNodes = new DataNodes();

  /**
   * Formats, and returns when all serve.
   *
   * @param settings of all NameNodes and clients
   */
  public SharedStore(String name, int nameNodeCount, Map<String, String> settings)
      throws Exception {
    this(name, nameNodeCount, 1, LocalHBaseOptions.PATIENT_SESSION_MS, settings);
  }

  /**
   * The same with several region servers, which have an HDFS of their own to write to.
   *
   * @param sessionTimeoutMs after how long a silent one is taken for dead
   */
  public SharedStore(
      String name,
      int nameNodeCount,
      int regionServers,
      int sessionTimeoutMs,
      Map<String, String> settings)
      throws Exception {
    this.settings = settings;
    Path root = Path.of(System.getProperty("acacia.clusters"));
    Files.createDirectories(root);
    folder = Files.createTempDirectory(root, name + "-");
    Path classPath = Path.of(System.getProperty("acacia.hbase.classpath"));
    hbase =
        LocalHBase.start(
            new LocalHBaseOptions(
                Files.createDirectory(folder.resolve("hbase")),
                classPath,
                regionServers,
                SERVER_HEAP_MB,
                List.of(),
                sessionTimeoutMs));
    try {
      for (int i = 0; i < nameNodeCount; i++) {
        ports.add(FreePorts.next());
        Path own = Files.createDirectory(folder.resolve("nn" + i));
        nameNodes.add(new NameNodeProcess(NameNodeProgram.ACACIA, own, fill(i, false)));
      }
      NameNodeProcess.Exit format = nameNodes.get(0).format("CID-" + name);
      if (format.code() != 0) {
        throw new AssertionError("format failed: " + format.output());
      }
      for (int i = 1; i < nameNodeCount; i++) {
        NameNode.bootstrap(fill(i, true));
      }
      for (NameNodeProcess nameNode : nameNodes) {
        nameNode.start();
      }
      for (int i = 0; i < nameNodeCount; i++) {
        await(i);
      }
    } catch (Throwable e) {
      try {
        close();
      } catch (Exception suppressed) {
        e.addSuppressed(suppressed);
      }
      throw e;
    }
  }

  /** Settings of one more NameNode, for this process. */
  public Configuration oneMore() throws IOException {
    ports.add(FreePorts.next());
    return fill(ports.size() - 1, true);
  }

  private Configuration fill(int index, boolean withDefaults) {
    Configuration conf = withDefaults ? new HdfsConfiguration() : new Configuration(false);
    conf.set("fs.defaultFS", uri(index).toString());
    conf.set("dfs.namenode.rpc-address", "127.0.0.1:" + ports.get(index));
    conf.set("dfs.namenode.http-address", "127.0.0.1:0");
    conf.set("dfs.namenode.name.dir", folder.resolve("nn" + index + "/name").toUri().toString());
    conf.set("hadoop.tmp.dir", folder.resolve("nn" + index + "/tmp").toString());
    conf.set("dfs.namenode.safemode.extension", "0");
    conf.set("acacia.store.engine", "hbase");
    conf.set("acacia.store.hbase.zookeeper", hbase.zooKeeper());
    conf.set("acacia.store.hbase.coprocessor", COPROCESSOR);
    settings.forEach(conf::set);
    return conf;
  }

  /** Waits until a NameNode that was started answers. */
  public void await(int index) throws Exception {
    try (Probe probe = new Probe(uri(index), new HdfsConfiguration())) {
      Await.until(
          "an answer of NameNode " + index,
          SERVE_LIMIT,
          () -> {
            if (!nameNodes.get(index).isAlive()) {
              throw new AssertionError("it has ended; " + nameNodes.get(index).describe());
            }
            return probe.answers();
          });
    }
  }

  /** Waits until a NameNode answers, and starts it whenever it has ended. */
  public void revive(int index, Duration limit) throws Exception {
    NameNodeProcess nameNode = nameNodes.get(index);
    try (Probe probe = new Probe(uri(index), new HdfsConfiguration())) {
      Await.until(
          "an answer of NameNode " + index,
          limit,
          () -> {
            if (!nameNode.isAlive()) {
              nameNode.start();
            }
            return probe.answers();
          });
    }
  }

  public LocalHBase hbase() {
    return hbase;
  }

  public NameNodeProcess nameNode(int index) {
    return nameNodes.get(index);
  }

  public URI uri(int index) {
    return URI.create("hdfs://127.0.0.1:" + ports.get(index));
  }

  /** A client of one NameNode, which gives up at once when there is no connection. */
  public FileSystem clientOf(int index) throws IOException {
    Configuration conf = new HdfsConfiguration();
    conf.setInt("ipc.client.connect.max.retries", 0);
    return FileSystem.newInstance(uri(index), conf);
  }

  /** A client of all, as docs/deploy-hbase.md sets it up. */
  public FileSystem clientOfAll() throws IOException {
    return FileSystem.newInstance(URI.create("hdfs://" + NAME_SERVICE), clientConfiguration());
  }

  /** A client that begins with the first of these, and goes on with the next. */
  public FileSystem clientOf(List<Integer> indexes) throws IOException {
    return FileSystem.newInstance(URI.create("hdfs://" + NAME_SERVICE), service(indexes));
  }

  /** Starts a DataNode in this process that knows the first two NameNodes. */
  public void startDataNode() throws IOException {
    Configuration conf = service(List.of(0, 1));
    conf.set("dfs.heartbeat.interval", "1");
    dataNodes.add(folder.resolve("data" + dataNodes.running().size()), List.of(), conf);
  }

  /** Waits until all NameNodes know of room for data. */
  public void awaitDataNodes() throws Exception {
    for (int i = 0; i < nameNodes.size(); i++) {
      try (FileSystem client = clientOf(i)) {
        Await.until(
            "a DataNode that NameNode " + i + " knows",
            SERVE_LIMIT,
            () -> client.getStatus().getRemaining() > 0);
      }
    }
  }

  /** Settings of a client of all, for who makes his own. */
  public Configuration clientConfiguration() {
    Configuration conf = service(IntStream.range(0, nameNodes.size()).boxed().toList());
    conf.setBoolean("dfs.client.failover.random.order", true);
    return conf;
  }

  private Configuration service(List<Integer> indexes) {
    Configuration conf = new HdfsConfiguration();
    settings.forEach(conf::set);
    conf.set("fs.defaultFS", "hdfs://" + NAME_SERVICE);
    conf.set("dfs.nameservices", NAME_SERVICE);
    conf.set(
        "dfs.ha.namenodes." + NAME_SERVICE,
        indexes.stream().map(i -> "nn" + i).collect(Collectors.joining(",")));
    for (int i : indexes) {
      conf.set("dfs.namenode.rpc-address." + NAME_SERVICE + ".nn" + i, "127.0.0.1:" + ports.get(i));
    }
    conf.set(
        "dfs.client.failover.proxy.provider." + NAME_SERVICE,
        "org.apache.hadoop.hdfs.server.namenode.ha.ConfiguredFailoverProxyProvider");
    return conf;
  }

  @Override
  public void close() throws IOException {
    dataNodes.shutdown();
    try {
      for (NameNodeProcess nameNode : nameNodes) {
        if (nameNode.isAlive()) {
          nameNode.kill();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while the NameNodes ended", e);
    } finally {
      hbase.close();
    }
  }
}
