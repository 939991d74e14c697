package io.acaciafs.systemtests.harness;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;

/**
 * Hadoop's own DataNodes, in the test's process: what is killed in tests is the NameNode, and a
 * DataNode a process would cost seconds a cluster. Not thread-safe.
 */
public final class DataNodes {
  private final List<DataNode> running = new ArrayList<>();

  /**
   * Starts one more; returns before it has registered.
   *
   * @param types one storage of each; none: one disk
   */
  public void add(Path folder, List<StorageType> types, Configuration site) throws IOException {
    start(of(folder, types, site));
  }

  /** The same on a folder that was used before, with {@code -rollback}. */
  void rollBack(Path folder, List<StorageType> types, Configuration site) throws IOException {
    Configuration conf = of(folder, types, site);
    // Else it believes the list of replicas that it wrote at its end, less what it restores.
    conf.set("dfs.datanode.replica.cache.expiry.time", "0");
    start(conf, "-rollback");
  }

  private static Configuration of(Path folder, List<StorageType> types, Configuration site) {
    // Several daemons in one process would fight for the names of their metrics.
    DefaultMetricsSystem.setMiniClusterMode(true);
    Configuration conf = new Configuration(site);
    conf.set("hadoop.tmp.dir", folder.resolve("tmp").toString());
    conf.set("hadoop.http.temp.dir", folder.resolve("tmp/http").toString());
    conf.set("dfs.datanode.data.dir", storages(folder, types));
    conf.set("dfs.datanode.hostname", "127.0.0.1");
    conf.set("dfs.datanode.address", "127.0.0.1:0");
    conf.set("dfs.datanode.ipc.address", "127.0.0.1:0");
    conf.set("dfs.datanode.http.address", "127.0.0.1:0");
    conf.set("dfs.datanode.directoryscan.interval", "-1");
    conf.set("dfs.block.scanner.volume.bytes.per.second", "0");
    // Back as soon as the NameNode is.
    conf.set("ipc.client.connect.max.retries", "0");
    return conf;
  }

  /** Starts one with the settings of one that was stopped. */
  void start(Configuration conf, String... arguments) throws IOException {
    DataNode dataNode = DataNode.instantiateDataNode(arguments, conf);
    running.add(dataNode);
    dataNode.runDatanodeDaemon();
  }

  private static String storages(Path folder, List<StorageType> types) {
    return types.isEmpty()
        ? folder.toUri().toString()
        : types.stream()
            .map(type -> "[" + type + "]" + folder.resolve(type.name()).toUri())
            .collect(Collectors.joining(","));
  }

  /** Those that were not stopped. */
  public List<DataNode> running() {
    return List.copyOf(running);
  }

  /** Stops one. */
  public void shutdown(DataNode dataNode) {
    running.remove(dataNode);
    stop(dataNode);
  }

  /** Stops all. */
  public void shutdown() {
    running.forEach(DataNodes::stop);
    running.clear();
  }

  private static void stop(DataNode dataNode) {
    dataNode.shutdown();
    // Hadoop keeps them while any daemon of this process counts, and a later DataNode on the same
    // port has the same name.
    DefaultMetricsSystem.instance().unregisterSource(dataNode.getMetrics().name());
  }
}
