package io.acaciafs.systemtests.harness;

import io.acaciafs.kv.hbase.local.FreePorts;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.DataNode;

/**
 * Hadoop's DataNode in a process of its own, which can be killed: it keeps its disks and its ports
 * over restarts. Its logs are {@code datanode-N.log}, one a start. Not thread-safe.
 */
public final class DataNodeProcess {
  private final Path folder;
  private final List<Path> disks;
  private final String address;
  private final List<String> jvmOptions;
  private JavaProcess process;
  private int starts;

  /**
   * Writes the configuration for the process.
   *
   * @param folder for all that is its own; need not exist
   * @param disks how many folders it keeps blocks in
   * @param settings beyond those of the cluster
   */
  DataNodeProcess(Cluster cluster, Path folder, int disks, Map<String, String> settings)
      throws IOException {
    this(cluster.clientConfiguration(), folder, disks, settings, List.of());
  }

  /**
   * The same without a cluster of the tests.
   *
   * @param conf of the cluster; is changed
   * @param jvmOptions further ones
   */
  DataNodeProcess(
      Configuration conf,
      Path folder,
      int disks,
      Map<String, String> settings,
      List<String> jvmOptions)
      throws IOException {
    this.jvmOptions = List.copyOf(jvmOptions);
    this.folder = Files.createDirectories(folder);
    this.disks = new ArrayList<>();
    for (int i = 0; i < disks; i++) {
      this.disks.add(folder.resolve("disk-" + i));
    }
    this.address = "127.0.0.1:" + FreePorts.next();
    conf.set("hadoop.tmp.dir", folder.resolve("tmp").toString());
    conf.set("hadoop.http.temp.dir", folder.resolve("tmp/http").toString());
    conf.set(
        "dfs.datanode.data.dir",
        this.disks.stream().map(disk -> disk.toUri().toString()).collect(Collectors.joining(",")));
    conf.set("dfs.datanode.hostname", "127.0.0.1");
    conf.set("dfs.datanode.address", address);
    conf.set("dfs.datanode.ipc.address", "127.0.0.1:0");
    conf.set("dfs.datanode.http.address", "127.0.0.1:0");
    conf.set("dfs.datanode.directoryscan.interval", "-1");
    conf.set("dfs.block.scanner.volume.bytes.per.second", "0");
    conf.set("ipc.client.connect.max.retries", "0");
    settings.forEach(conf::set);
    Path site = Files.createDirectories(folder.resolve("conf")).resolve("hdfs-site.xml");
    try (OutputStream out = Files.newOutputStream(site)) {
      conf.writeXml(out);
    }
    Files.copy(site, site.resolveSibling("core-site.xml"));
  }

  /** Starts it; returns before it has registered. */
  public void start() throws IOException {
    starts++;
    List<String> classPath = new ArrayList<>();
    classPath.add(folder.resolve("conf").toString());
    classPath.addAll(
        Arrays.asList(System.getProperty("java.class.path").split(java.io.File.pathSeparator)));
    List<String> options =
        new ArrayList<>(
            List.of(
                "-Xmx192m",
                "-XX:+UseSerialGC",
                "-Djava.net.preferIPv4Stack=true",
                "-Dlog4j.configuration=" + System.getProperty("log4j.configuration"),
                "-Dacacia.log.console=INFO"));
    options.addAll(jvmOptions);
    process =
        JavaProcess.start(
            options,
            classPath,
            List.of(DataNode.class.getName()),
            folder.resolve("datanode-" + starts + ".log"));
  }

  /** SIGKILL, and waits for the end. */
  public void kill() throws InterruptedException {
    process.kill();
  }

  /** SIGTERM, and waits for the end. */
  public void terminate() throws InterruptedException {
    process.terminate();
  }

  /** It stands still, until it is thawed or killed. */
  public void freeze() throws IOException, InterruptedException {
    process.freeze();
  }

  /** It goes on. */
  public void thaw() throws IOException, InterruptedException {
    process.thaw();
  }

  /** Waits for a process that ends by itself. */
  public void awaitExit(Duration limit) throws InterruptedException {
    process.awaitExit(limit);
  }

  /** Whether it was started and has not ended. */
  public boolean isAlive() {
    return process != null && process.isAlive();
  }

  /** Where its blocks are read and written, as clients see it. */
  public String address() {
    return address;
  }

  /** The folders that it keeps blocks in. */
  public List<Path> disks() {
    return disks;
  }

  Path folder() {
    return folder;
  }
}
