package io.acaciafs.systemtests.yarn;

import io.acaciafs.kv.hbase.local.FreePorts;
import io.acaciafs.systemtests.harness.Await;
import io.acaciafs.systemtests.harness.Cluster;
import io.acaciafs.systemtests.harness.HadoopServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.client.api.YarnClient;

/**
 * A ResourceManager, a NodeManager and MapReduce's history server in processes of their own, set up
 * as docs/applications.md describes, except for addresses, local folders and memory limits of a
 * small machine. Not thread-safe.
 */
final class Yarn implements AutoCloseable {
  private static final Duration START_LIMIT = Duration.ofMinutes(5);
  private static final int CONNECT_MS = 1000;
  private static final Path CLASS_PATH = Path.of(System.getProperty("acacia.yarn.classpath"));
  private static final List<String> FILES =
      List.of(
          "core-site.xml",
          "hdfs-site.xml",
          "yarn-site.xml",
          "mapred-site.xml",
          "capacity-scheduler.xml");

  private final Configuration site;
  private final List<HadoopServer> servers = new ArrayList<>();

  private Yarn(Configuration site) {
    this.site = site;
  }

  /** Starts all; returns when the NodeManager offers itself and the history server answers. */
  static Yarn start(Cluster cluster) throws Exception {
    Path folder = Files.createDirectories(cluster.folder().resolve("yarn"));
    Yarn yarn = new Yarn(site(cluster, folder));
    try {
      yarn.run("resourcemanager", folder, "resourcemanager.ResourceManager");
      yarn.run("nodemanager", folder, "nodemanager.NodeManager");
      yarn.servers.add(
          HadoopServer.start(
              "historyserver",
              folder,
              CLASS_PATH,
              List.of("org.apache.hadoop.mapreduce.v2.hs.JobHistoryServer"),
              yarn.site,
              FILES,
              List.of()));
      yarn.awaitNodes();
      return yarn;
    } catch (Throwable e) {
      yarn.close();
      throw e;
    }
  }

  private void run(String name, Path folder, String mainClass) throws IOException {
    servers.add(
        HadoopServer.start(
            name,
            folder,
            CLASS_PATH,
            List.of("org.apache.hadoop.yarn.server." + mainClass),
            site,
            FILES,
            List.of()));
  }

  private void awaitNodes() throws Exception {
    Configuration conf = configuration();
    // asks once: the caller that waits here asks again
    conf.setLong("yarn.resourcemanager.connect.max-wait.ms", 1000);
    conf.setLong("yarn.resourcemanager.connect.retry-interval.ms", 500);
    conf.setInt("ipc.client.connect.max.retries", 0);
    try (YarnClient client = YarnClient.createYarnClient()) {
      client.init(conf);
      client.start();
      Await.until(
          "registration of the NodeManager",
          START_LIMIT,
          () -> servers.stream().allMatch(HadoopServer::lives) && offersItself(client));
    }
    InetSocketAddress history = NetUtils.createSocketAddr(site.get("mapreduce.jobhistory.address"));
    Await.until(
        "start of the history server",
        START_LIMIT,
        () -> servers.stream().allMatch(HadoopServer::lives) && isReachable(history));
  }

  private static boolean isReachable(InetSocketAddress address) {
    try (Socket socket = new Socket()) {
      socket.connect(address, CONNECT_MS);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private static boolean offersItself(YarnClient client) throws Exception {
    try {
      return !client.getNodeReports(NodeState.RUNNING).isEmpty();
    } catch (IOException e) {
      return false;
    }
  }

  /** For clients. */
  Configuration configuration() {
    Configuration conf = new Configuration();
    site.forEach(each -> conf.set(each.getKey(), each.getValue()));
    return conf;
  }

  private static Configuration site(Cluster cluster, Path folder) throws IOException {
    Configuration site = DocumentedSite.read();
    Configuration own = cluster.clientConfiguration();
    for (String key : List.of("fs.defaultFS", "dfs.replication", "dfs.blocksize")) {
      site.set(key, own.get(key));
    }
    for (String address :
        List.of(
            "yarn.resourcemanager.address",
            "yarn.resourcemanager.scheduler.address",
            "yarn.resourcemanager.resource-tracker.address",
            "yarn.resourcemanager.admin.address",
            "yarn.resourcemanager.webapp.address",
            "yarn.nodemanager.address",
            "yarn.nodemanager.localizer.address",
            "yarn.nodemanager.webapp.address",
            "mapreduce.jobhistory.address",
            "mapreduce.jobhistory.admin.address",
            "mapreduce.jobhistory.webapp.address")) {
      site.set(address, "127.0.0.1:" + FreePorts.next());
    }
    String jars = Files.readString(CLASS_PATH).strip().replace(java.io.File.pathSeparator, ",");
    onSmallMachine(folder, jars).forEach(site::set);
    return site;
  }

  private static Map<String, String> onSmallMachine(Path folder, String jars) {
    return Map.ofEntries(
        Map.entry("hadoop.tmp.dir", folder.resolve("tmp").toString()),
        Map.entry("yarn.resourcemanager.hostname", "127.0.0.1"),
        Map.entry("yarn.nodemanager.hostname", "127.0.0.1"),
        Map.entry("yarn.nodemanager.local-dirs", folder.resolve("local").toString()),
        Map.entry("yarn.nodemanager.log-dirs", folder.resolve("logs").toString()),
        Map.entry("yarn.nodemanager.disk-health-checker.enable", "false"),
        Map.entry("yarn.nodemanager.resource.memory-mb", "2048"),
        Map.entry("yarn.nodemanager.resource.cpu-vcores", "4"),
        Map.entry("yarn.nodemanager.vmem-check-enabled", "false"),
        Map.entry("yarn.scheduler.minimum-allocation-mb", "128"),
        Map.entry("yarn.scheduler.capacity.root.queues", "default"),
        Map.entry("yarn.scheduler.capacity.root.default.capacity", "100"),
        Map.entry("yarn.scheduler.capacity.maximum-am-resource-percent", "1"),
        Map.entry("yarn.app.mapreduce.am.resource.mb", "512"),
        Map.entry("yarn.app.mapreduce.am.command-opts", "-Xmx256m -XX:+UseSerialGC"),
        Map.entry("mapreduce.map.memory.mb", "256"),
        Map.entry("mapreduce.reduce.memory.mb", "256"),
        Map.entry("mapred.child.java.opts", "-Xmx160m -XX:+UseSerialGC"),
        Map.entry("mapreduce.task.io.sort.mb", "16"),
        Map.entry("mapreduce.shuffle.port", "0"),
        Map.entry("yarn.application.classpath", jars),
        Map.entry("mapreduce.application.classpath", jars));
  }

  @Override
  public void close() throws IOException {
    Collections.reverse(servers);
    for (HadoopServer server : servers) {
      server.close();
    }
    servers.clear();
  }
}
