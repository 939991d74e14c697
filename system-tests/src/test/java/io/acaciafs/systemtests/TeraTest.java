package io.acaciafs.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.systemtests.harness.Await;
import io.acaciafs.systemtests.harness.BlockFiles;
import io.acaciafs.systemtests.harness.Cluster;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.examples.terasort.TeraGen;
import org.apache.hadoop.examples.terasort.TeraSort;
import org.apache.hadoop.examples.terasort.TeraValidate;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;
import org.junit.jupiter.api.Test;

/** MapReduce's sort works on the file system, and every block of it is where it should be. */
class TeraTest {
  private static final int ROWS = 100_000;
  private static final int ROW_BYTES = 100;
  private static final int REPLICAS = 3;
  private static final Duration REPLICATION_LIMIT = Duration.ofSeconds(60);

  @Test
  void sortsAndKeepsThreeReplicasOfEveryBlock() throws Exception {
    try (Cluster cluster =
        Cluster.builder("tera")
            .dataNodes(REPLICAS)
            .set("dfs.replication", REPLICAS)
            .set("dfs.blocksize", 1 << 20)
            .start()) {
      run(cluster, new TeraGen(), Integer.toString(ROWS), "/tera/in");
      run(cluster, new TeraSort(), "/tera/in", "/tera/out");
      run(cluster, new TeraValidate(), "/tera/out", "/tera/report");

      assertThat(content(cluster.fileSystem(), "/tera/report/part-*"))
          .contains("checksum")
          .doesNotContain("error");
      assertThat(bytes(cluster.fileSystem(), "/tera/in/part-*")).isEqualTo((long) ROWS * ROW_BYTES);
      assertThat(bytes(cluster.fileSystem(), "/tera/out/part-*"))
          .isEqualTo((long) ROWS * ROW_BYTES);
      assertThat(blocks(cluster.fileSystem())).hasSizeGreaterThan(20);
      assertReplicas(cluster);
    }
  }

  private static void run(Cluster cluster, Tool tool, String... args) throws Exception {
    Configuration conf = cluster.clientConfiguration();
    conf.set("mapreduce.framework.name", "local");
    conf.setInt("mapreduce.terasort.output.replication", REPLICAS);
    assertThat(ToolRunner.run(conf, tool, args)).as(tool.getClass().getSimpleName()).isZero();
  }

  /** A writer is done when the first replica is reported: the others may come a moment later. */
  private static void assertReplicas(Cluster cluster) throws Exception {
    Await.until(
        "report of all replicas",
        REPLICATION_LIMIT,
        () ->
            blocks(cluster.fileSystem()).stream()
                .allMatch(block -> block.getLocations().length == REPLICAS));
    for (LocatedBlock block : blocks(cluster.fileSystem())) {
      assertThat(BlockFiles.lengths(cluster.dataFolders(), block.getBlock().getBlockId()))
          .as("replicas on disk of %s", block)
          .hasSize(REPLICAS)
          .containsOnly(block.getBlockSize());
    }
  }

  private static List<LocatedBlock> blocks(FileSystem fs) throws IOException {
    List<LocatedBlock> blocks = new ArrayList<>();
    RemoteIterator<LocatedFileStatus> files = fs.listFiles(new Path("/tera"), true);
    while (files.hasNext()) {
      HdfsLocatedFileStatus file = (HdfsLocatedFileStatus) files.next();
      blocks.addAll(file.getLocatedBlocks().getLocatedBlocks());
    }
    return blocks;
  }

  private static long bytes(FileSystem fs, String pattern) throws IOException {
    long bytes = 0;
    for (FileStatus file : fs.globStatus(new Path(pattern))) {
      bytes += file.getLen();
    }
    return bytes;
  }

  private static String content(FileSystem fs, String pattern) throws IOException {
    StringBuilder content = new StringBuilder();
    for (FileStatus file : fs.globStatus(new Path(pattern))) {
      try (FSDataInputStream in = fs.open(file.getPath())) {
        content.append(new String(in.readAllBytes(), StandardCharsets.UTF_8));
      }
    }
    return content.toString();
  }
}
