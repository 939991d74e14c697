package io.acaciafs.systemtests.harness;

import io.acaciafs.kv.hbase.local.FreePorts;
import java.io.File;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.net.NetUtils;

/**
 * A ResourceManager, a NodeManager and MapReduce's history server in processes of their own, on a
 * small machine. Not thread-safe.
 */
public final class YarnServers implements AutoCloseable {
  /** Holds the class path of the servers and of jobs. */
  public static final Path CLASS_PATH = Path.of(System.getProperty("acacia.yarn.classpath"));

  private static final int CONNECT_MS = 1000;
  private static final List<String> FILES =
      List.of(
          "core-site.xml",
          "hdfs-site.xml",
          "yarn-site.xml",
          "mapred-site.xml",
          "capacity-scheduler.xml");
  private static final List<String> ADDRESSES =
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
          "mapreduce.jobhistory.webapp.address");

  private final Path folder;
  private final Configuration site;
  private final List<String> options;
  private final List<HadoopServer> servers = new ArrayList<>();

  /**
   * @param folder of logs and configurations
   * @param site of all of them
   * @param options further ones for their JVMs
   */
  public YarnServers(Path folder, Configuration site, List<String> options) {
    this.folder = folder;
    this.site = site;
    this.options = options;
  }

  /**
   * Sets free ports, local folders, what a small machine has, and whose classes jobs load.
   *
   * @param host of all addresses
   */
  public static void describe(Configuration site, String host, Path folder) throws IOException {
    for (String address : ADDRESSES) {
      site.set(address, host + ":" + FreePorts.next());
    }
    String jars = Files.readString(CLASS_PATH).strip().replace(File.pathSeparator, ",");
    Map.ofEntries(
            Map.entry("hadoop.tmp.dir", folder.resolve("tmp").toString()),
            Map.entry("yarn.resourcemanager.hostname", host),
            Map.entry("yarn.nodemanager.hostname", host),
            Map.entry("yarn.nodemanager.local-dirs", folder.resolve("local").toString()),
            Map.entry("yarn.nodemanager.log-dirs", folder.resolve("logs").toString()),
            Map.entry("yarn.nodemanager.disk-health-checker.enable", "false"),
            Map.entry("yarn.nodemanager.resource.cpu-vcores", "4"),
            Map.entry("yarn.nodemanager.vmem-check-enabled", "false"),
            Map.entry("yarn.scheduler.minimum-allocation-mb", "128"),
            Map.entry("yarn.scheduler.capacity.root.queues", "default"),
            Map.entry("yarn.scheduler.capacity.root.default.capacity", "100"),
            Map.entry("yarn.scheduler.capacity.maximum-am-resource-percent", "1"),
            Map.entry("yarn.app.mapreduce.am.resource.mb", "512"),
            Map.entry("mapreduce.map.memory.mb", "256"),
            Map.entry("mapreduce.reduce.memory.mb", "256"),
            Map.entry("mapreduce.task.io.sort.mb", "16"),
            Map.entry("mapreduce.shuffle.port", "0"),
            Map.entry("yarn.application.classpath", jars),
            Map.entry("mapreduce.application.classpath", jars))
        .forEach(site::set);
  }

  /** Starts all; returns before they are ready. */
  public void start() throws IOException {
    run("resourcemanager", "org.apache.hadoop.yarn.server.resourcemanager.ResourceManager");
    run("nodemanager", "org.apache.hadoop.yarn.server.nodemanager.NodeManager");
    run("historyserver", "org.apache.hadoop.mapreduce.v2.hs.JobHistoryServer");
  }

  private void run(String name, String mainClass) throws IOException {
    servers.add(
        HadoopServer.start(name, folder, CLASS_PATH, List.of(mainClass), site, FILES, options));
  }

  /**
   * Asks a condition of servers that must live.
   *
   * @throws AssertionError when one has ended
   */
  public boolean live() {
    return servers.stream().allMatch(HadoopServer::lives);
  }

  /** Waits until a server listens at the address that a setting names. */
  public void awaitReachable(String setting, Duration limit) throws Exception {
    InetSocketAddress address = NetUtils.createSocketAddr(site.get(setting));
    Await.until("a server at " + setting, limit, () -> live() && isReachable(address));
  }

  private static boolean isReachable(InetSocketAddress address) {
    try (Socket socket = new Socket()) {
      socket.connect(address, CONNECT_MS);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  @Override
  public void close() throws IOException {
    for (int i = servers.size() - 1; i >= 0; i--) {
      servers.get(i).close();
    }
    servers.clear();
  }
}
