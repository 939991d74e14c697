package io.acaciafs.systemtests.secure;

import io.acaciafs.kv.hbase.local.FreePorts;
import io.acaciafs.systemtests.harness.Await;
import io.acaciafs.systemtests.harness.HadoopServer;
import io.acaciafs.systemtests.harness.Kdc;
import io.acaciafs.systemtests.harness.NameNodeProcess.Exit;
import io.acaciafs.systemtests.harness.SecureCluster;
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
 * A ResourceManager rm/localhost, a NodeManager nm/localhost and MapReduce's history server
 * jhs/localhost in processes of their own. Jobs run as the system's user that runs the tests, so
 * their user has to have this name. Not thread-safe.
 */
final class SecureYarn implements AutoCloseable {
  private static final Duration START_LIMIT = Duration.ofMinutes(3);
  private static final int CONNECT_MS = 1000;
  private static final Path CLASS_PATH = Path.of(System.getProperty("acacia.yarn.classpath"));
  private static final List<String> FILES =
      List.of(
          "core-site.xml",
          "hdfs-site.xml",
          "yarn-site.xml",
          "mapred-site.xml",
          "capacity-scheduler.xml");

  private final SecureCluster cluster;
  private final Path folder;
  private final Path library;
  private final Configuration site;
  private final List<HadoopServer> servers = new ArrayList<>();

  /**
   * Starts all; returns when they can be reached.
   *
   * @param library the folder of Hadoop's native library
   */
  SecureYarn(SecureCluster cluster, Path library) throws Exception {
    this.cluster = cluster;
    this.folder = Files.createDirectories(cluster.folder().resolve("yarn"));
    this.library = library;
    this.site = cluster.configuration();
    for (String principal : List.of("rm/localhost", "nm/localhost", "jhs/localhost")) {
      cluster.kdc().create(principal);
    }
    describe();
    try {
      run("resourcemanager", "org.apache.hadoop.yarn.server.resourcemanager.ResourceManager");
      run("nodemanager", "org.apache.hadoop.yarn.server.nodemanager.NodeManager");
      run("historyserver", "org.apache.hadoop.mapreduce.v2.hs.JobHistoryServer");
      for (String key :
          List.of(
              "yarn.resourcemanager.address",
              "yarn.nodemanager.address",
              "mapreduce.jobhistory.address")) {
        InetSocketAddress address = NetUtils.createSocketAddr(site.get(key));
        Await.until(
            key,
            START_LIMIT,
            () -> servers.stream().allMatch(HadoopServer::lives) && isReachable(address));
      }
    } catch (Throwable e) {
      close();
      throw e;
    }
  }

  private void run(String name, String mainClass) throws IOException {
    servers.add(
        HadoopServer.start(
            name,
            folder,
            CLASS_PATH,
            List.of(mainClass),
            site,
            FILES,
            List.of(cluster.kdc().option(), "-Djava.library.path=" + library)));
  }

  private static boolean isReachable(InetSocketAddress address) {
    try (Socket socket = new Socket()) {
      socket.connect(address, CONNECT_MS);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** Runs a program of a user with a ticket, which may submit jobs, to its end. */
  Exit run(String user, Duration limit, Class<?> mainClass, String... arguments) throws Exception {
    return cluster.run(
        List.of(
            folder.resolve("resourcemanager-conf").toString(),
            Files.readString(CLASS_PATH).strip()), // by which it shows the job its token
        cluster.kdc().ticket(user),
        limit,
        mainClass,
        arguments);
  }

  private void describe() throws IOException {
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
      site.set(address, "localhost:" + FreePorts.next());
    }
    for (String[] server :
        new String[][] {
          {"yarn.resourcemanager", "rm"},
          {"yarn.nodemanager", "nm"},
          {"mapreduce.jobhistory", "jhs"}
        }) {
      site.set(server[0] + ".principal", server[1] + "/_HOST" + Kdc.REALM);
      site.set(server[0] + ".keytab", cluster.kdc().keytab(server[1] + "/localhost").toString());
    }
    String jars = Files.readString(CLASS_PATH).strip().replace(java.io.File.pathSeparator, ",");
    String krb5 = cluster.kdc().option();
    Map.ofEntries(
            Map.entry("mapreduce.framework.name", "yarn"),
            // the native library that the test compiles knows of no groups
            Map.entry(
                "hadoop.security.group.mapping",
                "org.apache.hadoop.security.ShellBasedUnixGroupsMapping"),
            Map.entry("yarn.app.mapreduce.am.staging-dir", "/tmp/hadoop-yarn/staging"),
            Map.entry("yarn.nodemanager.aux-services", "mapreduce_shuffle"),
            Map.entry("yarn.log-aggregation-enable", "true"),
            Map.entry("yarn.nodemanager.remote-app-log-dir", "/tmp/logs"),
            Map.entry("hadoop.tmp.dir", folder.resolve("tmp").toString()),
            Map.entry("yarn.resourcemanager.hostname", "localhost"),
            Map.entry("yarn.nodemanager.hostname", "localhost"),
            Map.entry("yarn.nodemanager.local-dirs", folder.resolve("local").toString()),
            Map.entry("yarn.nodemanager.log-dirs", folder.resolve("logs").toString()),
            Map.entry("yarn.nodemanager.disk-health-checker.enable", "false"),
            Map.entry("yarn.nodemanager.resource.memory-mb", "1536"),
            Map.entry("yarn.nodemanager.resource.cpu-vcores", "4"),
            Map.entry("yarn.nodemanager.vmem-check-enabled", "false"),
            Map.entry("yarn.nodemanager.pmem-check-enabled", "false"),
            Map.entry("yarn.scheduler.minimum-allocation-mb", "128"),
            Map.entry("yarn.scheduler.capacity.root.queues", "default"),
            Map.entry("yarn.scheduler.capacity.root.default.capacity", "100"),
            Map.entry("yarn.scheduler.capacity.maximum-am-resource-percent", "1"),
            Map.entry("yarn.app.mapreduce.am.resource.mb", "512"),
            Map.entry("yarn.app.mapreduce.am.command-opts", "-Xmx256m -XX:+UseSerialGC " + krb5),
            Map.entry("mapreduce.map.memory.mb", "256"),
            Map.entry("mapreduce.reduce.memory.mb", "256"),
            Map.entry("mapred.child.java.opts", "-Xmx160m -XX:+UseSerialGC " + krb5),
            Map.entry("mapreduce.admin.user.env", "LD_LIBRARY_PATH=" + library),
            Map.entry("yarn.app.mapreduce.am.admin.user.env", "LD_LIBRARY_PATH=" + library),
            Map.entry("mapreduce.task.io.sort.mb", "16"),
            Map.entry("mapreduce.shuffle.port", "0"),
            Map.entry("yarn.application.classpath", jars),
            Map.entry("mapreduce.application.classpath", jars))
        .forEach(site::set);
  }

  @Override
  public void close() throws IOException {
    for (int i = servers.size() - 1; i >= 0; i--) {
      servers.get(i).close();
    }
    servers.clear();
    // containers outlive a NodeManager that is killed
    ProcessHandle.allProcesses()
        .filter(each -> each.info().commandLine().orElse("").contains(folder.toString()))
        .forEach(ProcessHandle::destroyForcibly);
  }
}
