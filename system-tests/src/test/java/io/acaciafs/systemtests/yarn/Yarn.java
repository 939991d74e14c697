package io.acaciafs.systemtests.yarn;

import io.acaciafs.systemtests.harness.Await;
import io.acaciafs.systemtests.harness.Cluster;
import io.acaciafs.systemtests.harness.YarnServers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.client.api.YarnClient;

/**
 * A ResourceManager, a NodeManager and MapReduce's history server in processes of their own, set up
 * as docs/applications.md describes, except for addresses, local folders and memory limits of a
 * small machine. Not thread-safe.
 */
final class Yarn implements AutoCloseable {
  private static final Duration START_LIMIT = Duration.ofMinutes(5);

  private final Configuration site;
  private final YarnServers servers;

  private Yarn(Configuration site, Path folder) {
    this.site = site;
    this.servers = new YarnServers(folder, site, List.of());
  }

  /** Starts all; returns when the NodeManager offers itself and the history server answers. */
  static Yarn start(Cluster cluster) throws Exception {
    Path folder = Files.createDirectories(cluster.folder().resolve("yarn"));
    Yarn yarn = new Yarn(site(cluster, folder), folder);
    try {
      yarn.servers.start();
      yarn.awaitNodes();
      yarn.servers.awaitReachable("mapreduce.jobhistory.address", START_LIMIT);
      return yarn;
    } catch (Throwable e) {
      yarn.close();
      throw e;
    }
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
          () -> servers.live() && offersItself(client));
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
    YarnServers.describe(site, "127.0.0.1", folder);
    site.set("yarn.nodemanager.resource.memory-mb", "2048");
    site.set("yarn.app.mapreduce.am.command-opts", "-Xmx256m -XX:+UseSerialGC");
    site.set("mapred.child.java.opts", "-Xmx160m -XX:+UseSerialGC");
    return site;
  }

  @Override
  public void close() throws IOException {
    servers.close();
  }
}
