package io.acaciafs.systemtests.harness;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;

/**
 * DataNodes of a cluster in processes of their own, beside those that it has in the test's process.
 * {@link #close} ends them and removes their disks, and keeps their logs. Not thread-safe.
 */
public final class DataNodeFleet implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final Cluster cluster;
  private final List<DataNodeProcess> all = new ArrayList<>();

  private DataNodeFleet(Cluster cluster) {
    this.cluster = cluster;
  }

  /** Starts so many, of one disk each; returns when they are live. */
  public static DataNodeFleet start(Cluster cluster, int count) throws Exception {
    return start(cluster, count, 1, Map.of());
  }

  /**
   * Starts so many; returns when they are live.
   *
   * @param disks of each
   * @param settings of each, beyond those of the cluster
   */
  public static DataNodeFleet start(
      Cluster cluster, int count, int disks, Map<String, String> settings) throws Exception {
    DataNodeFleet fleet = new DataNodeFleet(cluster);
    try {
      for (int i = 0; i < count; i++) {
        Path folder = cluster.nameFolder().resolveSibling("datanode-" + i);
        fleet.all.add(new DataNodeProcess(cluster, folder, disks, settings));
        fleet.get(i).start();
      }
      fleet.awaitLive(count);
    } catch (Throwable e) {
      fleet.close();
      throw e;
    }
    return fleet;
  }

  /** One of them, in the order in which they were started. */
  public DataNodeProcess get(int number) {
    return all.get(number);
  }

  /** All of them, whether they run or not. */
  public List<DataNodeProcess> all() {
    return List.copyOf(all);
  }

  /** Adds one that is not started. */
  public DataNodeProcess add() throws IOException {
    Path folder = cluster.nameFolder().resolveSibling("datanode-" + all.size());
    all.add(new DataNodeProcess(cluster, folder, 1, Map.of()));
    return all.get(all.size() - 1);
  }

  /** Returns when so many DataNodes are live. */
  public void awaitLive(int count) throws Exception {
    Await.until(count + " live DataNodes", LIMIT, () -> live().size() == count);
  }

  /** Addresses of the DataNodes that the NameNode takes for live. */
  public Set<String> live() throws IOException {
    Set<String> addresses = new TreeSet<>();
    Arrays.stream(cluster.fileSystem().getDataNodeStats(DatanodeReportType.LIVE))
        .filter(node -> node.getCapacity() > 0) // it has had a heartbeat
        .map(DatanodeInfo::getXferAddr)
        .forEach(addresses::add);
    return addresses;
  }

  /** The block files on all disks, finished or not. */
  public List<Path> blockFiles() throws IOException {
    List<Path> files = new ArrayList<>();
    for (DataNodeProcess node : all) {
      for (Path disk : node.disks()) {
        files.addAll(blockFiles(disk));
      }
    }
    return files;
  }

  /** The block files on one disk, finished or not. */
  public static List<Path> blockFiles(Path disk) throws IOException {
    return BlockFiles.finishedOrNot(disk);
  }

  private static void end(DataNodeProcess node) throws IOException {
    try {
      if (node.isAlive()) {
        node.kill();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while a DataNode ended", e);
    }
  }

  @Override
  public void close() throws IOException {
    for (DataNodeProcess node : all) {
      end(node);
      node.disks().forEach(disk -> FileUtil.fullyDelete(disk.toFile()));
      FileUtil.fullyDelete(node.folder().resolve("tmp").toFile());
    }
  }
}
