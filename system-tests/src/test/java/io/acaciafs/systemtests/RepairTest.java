package io.acaciafs.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.systemtests.harness.Await;
import io.acaciafs.systemtests.harness.BlockFiles;
import io.acaciafs.systemtests.harness.Cluster;
import io.acaciafs.systemtests.harness.Content;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.tools.DFSAdmin;
import org.apache.hadoop.util.ToolRunner;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The cluster repairs itself: real DataNodes that stop, leave, and have bytes decay. */
class RepairTest {
  private static final int FILES = 16;
  private static final int REPLICATION = 3;
  private static final int LENGTH_BYTES = 200_000;
  private static final Duration REPAIR_LIMIT = Duration.ofSeconds(60);

  @TempDir java.nio.file.Path temporary;

  @Test
  void blocksOfAStoppedDataNodeAreBackWithinAMinute() throws Exception {
    try (Cluster cluster = quick("repair-stop").start()) {
      Map<Path, Content> before = contents("/before");
      writeWhile(cluster, before, () -> {});
      Map<Path, Content> files = contents("/during");
      DataNode victim = cluster.dataNodes().get(0);
      String victimAddress = victim.getDatanodeId().getXferAddr();
      writeWhile(cluster, files, () -> cluster.stopDataNode(victim));
      files.putAll(before);

      Await.until(
          "full replication of all files",
          REPAIR_LIMIT,
          () -> {
            for (Path file : files.keySet()) {
              Set<String> places = places(cluster.fileSystem(), file);
              if (places.size() < REPLICATION || places.contains(victimAddress)) {
                return false;
              }
            }
            return cluster.fileSystem().getDataNodeStats(DatanodeReportType.DEAD).length == 1;
          });
      checkContents(cluster, files);
      assertThat(report(cluster)).contains("Missing blocks: 0").contains("Dead datanodes (1)");
    }
  }

  @Test
  void excludedDataNodeIsEmptiedAndDecommissioned() throws Exception {
    java.nio.file.Path exclude = Files.createFile(temporary.resolve("exclude"));
    try (Cluster cluster = quick("repair-decommission").set("dfs.hosts.exclude", exclude).start()) {
      Map<Path, Content> files = contents("/files");
      writeWhile(cluster, files, () -> {});
      DataNode leaving = cluster.dataNodes().get(1);
      String address = leaving.getDatanodeId().getXferAddr();
      Files.writeString(exclude, address + "\n");
      cluster.fileSystem().refreshNodes();

      Await.until(
          "decommission",
          REPAIR_LIMIT,
          () ->
              Arrays.stream(cluster.fileSystem().getDataNodeStats(DatanodeReportType.LIVE))
                  .filter(node -> node.getXferAddr().equals(address))
                  .anyMatch(DatanodeInfo::isDecommissioned));
      for (Path file : files.keySet()) {
        Set<String> places = places(cluster.fileSystem(), file);
        places.remove(address);
        assertThat(places).as("places of %s", file).hasSize(REPLICATION);
      }
      assertThat(report(cluster)).contains("Decommission Status : Decommissioned");
      cluster.stopDataNode(leaving);
      checkContents(cluster, files);
    }
  }

  @Test
  void corruptBlockFileIsFoundByAReaderAndReplaced() throws Exception {
    try (Cluster cluster = quick("repair-corrupt").start()) {
      Path file = new Path("/file");
      Content content = new Content(7, LENGTH_BYTES);
      content.write(cluster.fileSystem(), file);
      Await.until("three replicas", REPAIR_LIMIT, () -> blockFiles(cluster).size() == REPLICATION);
      java.nio.file.Path corrupt = blockFiles(cluster).get(1);
      byte[] wrong = content.bytes();
      wrong[LENGTH_BYTES / 2] ^= 1;
      Files.write(corrupt, wrong);

      Await.until(
          "three good replicas",
          REPAIR_LIMIT,
          () -> {
            assertThat(Content.read(cluster.fileSystem(), file)).isEqualTo(content.bytes());
            List<java.nio.file.Path> replicas = blockFiles(cluster);
            for (java.nio.file.Path replica : replicas) {
              if (!isGood(replica, content)) {
                return false;
              }
            }
            return replicas.size() == REPLICATION
                && places(cluster.fileSystem(), file).size() == REPLICATION;
          });
    }
  }

  private static boolean isGood(java.nio.file.Path replica, Content content) throws IOException {
    try {
      return Arrays.equals(Files.readAllBytes(replica), content.bytes());
    } catch (NoSuchFileException e) { // it was removed since it was listed
      return false;
    }
  }

  private static Cluster.Builder quick(String name) {
    return Cluster.builder(name)
        .dataNodes(REPLICATION + 1)
        .set("dfs.replication", REPLICATION)
        .set("dfs.heartbeat.interval", 1)
        .set("dfs.namenode.heartbeat.recheck-interval", 500)
        .set("dfs.namenode.redundancy.interval.seconds", 1)
        .set("dfs.namenode.reconstruction.pending.timeout-sec", 5)
        .set("dfs.namenode.replication.work.multiplier.per.iteration", 10)
        .set("dfs.namenode.decommission.interval", 1);
  }

  private static Map<Path, Content> contents(String folder) {
    Map<Path, Content> files = new LinkedHashMap<>();
    for (int i = 0; i < FILES; i++) {
      files.put(new Path(folder + "/file-" + i), new Content(i, LENGTH_BYTES));
    }
    return files;
  }

  /** Writes all files at the same time, the event in the midst of it. */
  private static void writeWhile(Cluster cluster, Map<Path, Content> files, Runnable event)
      throws Exception {
    CountDownLatch begun = new CountDownLatch(FILES);
    CountDownLatch happened = new CountDownLatch(1);
    ExecutorService writers =
        Executors.newFixedThreadPool(FILES, task -> new Thread(task, "repair-writer"));
    try {
      List<Future<?>> written = new ArrayList<>();
      files.forEach(
          (file, content) ->
              written.add(
                  writers.submit(
                      () -> {
                        write(cluster.fileSystem(), file, content, begun, happened);
                        return null;
                      })));
      assertThat(begun.await(60, TimeUnit.SECONDS)).isTrue();
      event.run();
      happened.countDown();
      for (Future<?> one : written) {
        one.get(120, TimeUnit.SECONDS);
      }
    } finally {
      writers.shutdownNow();
    }
  }

  private static void write(
      FileSystem fs, Path file, Content content, CountDownLatch begun, CountDownLatch happened)
      throws Exception {
    byte[] bytes = content.bytes();
    try (FSDataOutputStream out = fs.create(file, true)) {
      out.write(bytes, 0, bytes.length / 2);
      out.hflush();
      begun.countDown();
      assertThat(happened.await(60, TimeUnit.SECONDS)).isTrue();
      out.write(bytes, bytes.length / 2, bytes.length - bytes.length / 2);
    }
  }

  private static void checkContents(Cluster cluster, Map<Path, Content> files) throws Exception {
    for (Map.Entry<Path, Content> file : files.entrySet()) {
      assertThat(Content.read(cluster.fileSystem(), file.getKey()))
          .as("content of %s", file.getKey())
          .isEqualTo(file.getValue().bytes());
    }
  }

  private static Set<String> places(DistributedFileSystem fs, Path file) throws IOException {
    BlockLocation[] blocks = fs.getFileBlockLocations(file, 0, LENGTH_BYTES);
    return blocks.length == 0
        ? Set.of()
        : Arrays.stream(blocks[0].getNames()).collect(Collectors.toSet());
  }

  private static List<java.nio.file.Path> blockFiles(Cluster cluster) throws IOException {
    List<java.nio.file.Path> all = new ArrayList<>();
    for (java.nio.file.Path folder : cluster.dataFolders()) {
      all.addAll(BlockFiles.all(folder));
    }
    return all;
  }

  /** What {@code hdfs dfsadmin -report} prints. */
  private static String report(Cluster cluster) throws Exception {
    PrintStream console = System.out;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
    try {
      int exit =
          ToolRunner.run(new DFSAdmin(cluster.clientConfiguration()), new String[] {"-report"});
      assertThat(exit).isZero();
    } finally {
      System.setOut(console);
    }
    return printed.toString(StandardCharsets.UTF_8);
  }
}
