package io.acaciafs.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.systemtests.harness.AbandonedWriter;
import io.acaciafs.systemtests.harness.Await;
import io.acaciafs.systemtests.harness.Cluster;
import io.acaciafs.systemtests.harness.Content;
import io.acaciafs.systemtests.harness.DataNodeFleet;
import io.acaciafs.systemtests.harness.DataNodeProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Test;

/** What DataNodes bring back from a crash, and disks that fail. */
class DataNodeFaultTest {
  private static final Duration LIMIT = Duration.ofSeconds(90);
  private static final int BLOCK_SIZE = 1 << 20;
  private static final Path FILE = new Path("/file");

  /** It was down while its block was appended to: what it has is old. */
  @Test
  void anOldReplicaIsReplacedByTheAppendedOne() throws Exception {
    try (Cluster cluster = builder("stale-replica").start();
        DataNodeFleet fleet = DataNodeFleet.start(cluster, 2)) {
      FileSystem fs = cluster.fileSystem();
      byte[] bytes = new Content(1, 300_000).bytes();
      try (FSDataOutputStream out = fs.create(FILE)) {
        out.write(bytes, 0, 100_000);
      }
      fleet.get(0).kill();
      try (FSDataOutputStream out = fs.append(FILE)) {
        out.write(bytes, 100_000, 200_000);
      }
      assertThat(Content.read(fs, FILE)).isEqualTo(bytes);
      fleet.get(0).start();
      fleet.awaitLive(2);
      awaitReplicas(fleet, List.of(bytes));
      fleet.get(1).kill();
      assertThat(Content.read(fs, FILE)).isEqualTo(bytes);
    }
  }

  /** Nobody knows how long the replicas are that all DataNodes come back with. */
  @Test
  void syncedBytesSurviveTheCrashOfAllThatHaveThem() throws Exception {
    try (Cluster cluster = builder("crash-of-all").start();
        DataNodeFleet fleet = DataNodeFleet.start(cluster, 2)) {
      Content content = new Content(2, 700_001);
      AbandonedWriter.write(
          cluster, FILE, content, cluster.nameFolder().resolveSibling("writer.log"));
      for (DataNodeProcess node : fleet.all()) {
        node.kill();
      }
      cluster.killNameNode();
      cluster.startNameNode();
      for (DataNodeProcess node : fleet.all()) {
        node.start();
      }
      fleet.awaitLive(2);
      Await.until("recovery", LIMIT, () -> cluster.fileSystem().recoverLease(FILE));
      assertThat(Content.read(cluster.fileSystem(), FILE)).isEqualTo(content.bytes());
      awaitReplicas(fleet, List.of(content.bytes()));
    }
  }

  /** A DataNode that tolerates it goes on with its other disk. */
  @Test
  void replicasOfAFailedDiskAreMadeAnew() throws Exception {
    Map<String, String> tolerant =
        Map.of(
            "dfs.datanode.failed.volumes.tolerated", "1",
            "dfs.datanode.disk.check.min.gap", "0");
    try (Cluster cluster = builder("disk-failure").start();
        DataNodeFleet fleet = DataNodeFleet.start(cluster, 3, 2, tolerant)) {
      FileSystem fs = cluster.fileSystem();
      List<byte[]> contents = new ArrayList<>();
      for (int i = 0; i < 12; i++) {
        write(fs, contents);
      }
      java.nio.file.Path disk = fleet.get(0).disks().get(0);
      Files.move(disk, disk.resolveSibling("broken"));
      Files.createFile(disk);
      // Who writes finds it out, and does not notice.
      for (int i = 0; i < 12; i++) {
        write(fs, contents);
      }
      awaitReplicas(fleet, contents);
      for (int i = 0; i < contents.size(); i++) {
        assertThat(Content.read(fs, new Path("/file-" + i))).isEqualTo(contents.get(i));
      }
      assertThat(fleet.get(0).isAlive()).isTrue();
      assertThat(fleet.live()).hasSize(3);
    }
  }

  private static void write(FileSystem fs, List<byte[]> contents) throws IOException {
    int number = contents.size();
    Content content = new Content(number, 50_000 + number);
    content.write(fs, new Path("/file-" + number));
    contents.add(content.bytes());
  }

  private static Cluster.Builder builder(String name) {
    return Cluster.builder(name)
        .dataNodes(0)
        .set("dfs.replication", 2)
        .set("dfs.blocksize", BLOCK_SIZE)
        .set("dfs.namenode.heartbeat.recheck-interval", 500)
        .set("dfs.namenode.redundancy.interval.seconds", 1)
        .set("dfs.namenode.reconstruction.pending.timeout-sec", 5)
        .set("dfs.namenode.lease-recheck-interval-ms", 200);
  }

  /** Each block is on two disks, right, and nothing else is. */
  private static void awaitReplicas(DataNodeFleet fleet, List<byte[]> blocks) throws Exception {
    Await.until(
        "two replicas of each block and no more",
        LIMIT,
        () -> {
          try {
            List<byte[]> found = new ArrayList<>();
            for (java.nio.file.Path file : fleet.blockFiles()) {
              found.add(Files.readAllBytes(file));
            }
            return found.size() == 2 * blocks.size()
                && blocks.stream()
                    .allMatch(
                        block -> found.stream().filter(f -> Arrays.equals(f, block)).count() == 2);
          } catch (UncheckedIOException | NoSuchFileException e) {
            return false; // one went while we were looking
          }
        });
  }
}
