package io.acaciafs.systemtests.gateways;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.kv.hbase.local.FreePorts;
import io.acaciafs.systemtests.harness.Await;
import io.acaciafs.systemtests.harness.Cluster;
import io.acaciafs.systemtests.harness.HadoopServer;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Hadoop's Router finds in Acacia all that it asks a NameNode for, and serves its files. */
@Tag("long")
class RouterTest {
  private static final Duration LIMIT = Duration.ofMinutes(3);

  @Test
  void servesWhatLiesBehindAndLogsNoError() throws Exception {
    int port = FreePorts.next();
    int httpPort = FreePorts.next();
    try (Cluster cluster = Cluster.builder("router").start();
        HadoopServer router = start(cluster, port, httpPort)) {
      URI uri = URI.create("hdfs://127.0.0.1:" + port);
      Configuration conf = cluster.clientConfiguration();
      conf.setInt("ipc.client.connect.max.retries", 0);
      try (FileSystem front = FileSystem.newInstance(uri, conf)) {
        Await.until("an answer of the Router", LIMIT, () -> router.lives() && answers(front));
        Gateways.assertSameFiles(front, cluster.fileSystem());
      }
      Await.until(
          "the Router's view of DataNodes",
          LIMIT,
          () -> router.lives() && state(httpPort).contains("\"NumLiveNodes\" : 1"));
      String state = state(httpPort);
      assertThat(state).contains("\"NumNamenodes\" : 1").contains("\"NumOfMissingBlocks\" : 0");
      assertThat(router.log().lines().filter(RouterTest::isError)).isEmpty();
    }
  }

  private static HadoopServer start(Cluster cluster, int port, int httpPort) throws IOException {
    // its pages are not published, and without a folder for them it does not start
    Files.createDirectories(cluster.folder().resolve("dfsrouter-conf/webapps/router"));
    return HadoopServer.start(
        "dfsrouter",
        cluster.folder(),
        Gateways.CLASS_PATH,
        List.of("org.apache.hadoop.hdfs.server.federation.router.DFSRouter"),
        site(cluster, port, httpPort),
        List.of("core-site.xml", "hdfs-site.xml", "hdfs-rbf-site.xml"),
        List.of());
  }

  private static Configuration site(Cluster cluster, int port, int httpPort) throws IOException {
    Configuration site = new Configuration(false);
    String folder = cluster.folder().resolve("router").toString();
    site.set("hadoop.tmp.dir", folder);
    site.set("fs.defaultFS", "hdfs://127.0.0.1:" + port);
    site.set("dfs.nameservices", "ns");
    site.set("dfs.namenode.rpc-address.ns", "127.0.0.1:" + cluster.port());
    site.set("dfs.namenode.http-address.ns", "127.0.0.1:" + cluster.httpPort());
    site.set("dfs.federation.router.default.nameserviceId", "ns");
    site.set("dfs.federation.router.monitor.namenode", "ns");
    site.set("dfs.federation.router.monitor.localnamenode.enable", "false");
    site.set("dfs.federation.router.heartbeat.interval", "500");
    site.set("dfs.federation.router.cache.ttl", "1000");
    site.set("dfs.federation.router.safemode.extension", "0");
    site.set("dfs.federation.router.rpc-address", "127.0.0.1:" + port);
    site.set("dfs.federation.router.admin-address", "127.0.0.1:" + FreePorts.next());
    site.set("dfs.federation.router.http-address", "127.0.0.1:" + httpPort);
    site.set(
        "dfs.federation.router.store.driver.class",
        "org.apache.hadoop.hdfs.server.federation.store.driver.impl.StateStoreFileImpl");
    site.set("dfs.federation.router.store.driver.file.directory", folder + "/state");
    return site;
  }

  /** All errors except those for calls before the Router has found the NameNode. */
  private static boolean isError(String line) {
    return line.matches(".* (ERROR|FATAL) .*") && !line.contains("Cannot locate eligible NNs");
  }

  /** False until the Router has found the NameNode. */
  private static boolean answers(FileSystem front) {
    try {
      return front.getFileStatus(new Path("/")).isDirectory();
    } catch (IOException e) {
      return false;
    }
  }

  private static String state(int httpPort) {
    URI jmx =
        URI.create(
            "http://127.0.0.1:" + httpPort + "/jmx?qry=Hadoop:service=Router,name=FederationState");
    try (var in = jmx.toURL().openStream()) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      return "not yet: " + e;
    }
  }
}
