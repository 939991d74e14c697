package io.acaciafs.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.systemtests.harness.Await;
import io.acaciafs.systemtests.harness.Cluster;
import io.acaciafs.systemtests.harness.Content;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Iterator;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.tools.DFSck;
import org.apache.hadoop.util.ToolRunner;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Hadoop's own {@code fsck}: the whole report, but for times, ids and ports, is what Hadoop's
 * NameNode gives for the same files.
 */
class FsckTest {
  private static final int BLOCK_BYTES = 4096;
  private static final int LENGTH_BYTES = 10_000;
  private static final Duration LIMIT = Duration.ofSeconds(30);

  private static Cluster cluster;
  private static DistributedFileSystem fileSystem;

  @BeforeAll
  static void start() throws Exception {
    cluster =
        Cluster.builder("fsck")
            .dataNodes(3)
            .set("dfs.replication", 3)
            .set("dfs.blocksize", BLOCK_BYTES)
            .set("dfs.namenode.fs-limits.min-block-size", 0)
            .start();
    fileSystem = cluster.fileSystem();
  }

  @AfterAll
  static void stop() throws Exception {
    cluster.close();
  }

  private record Report(int exitCode, String text) {}

  private static Report fsck(String... arguments) throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (PrintStream stream = new PrintStream(out, true, StandardCharsets.UTF_8)) {
      int exitCode = ToolRunner.run(new DFSck(cluster.clientConfiguration(), stream), arguments);
      return new Report(exitCode, normal(out.toString(StandardCharsets.UTF_8)));
    }
  }

  private static String normal(String report) {
    return report
        .replaceAll("FSCK started by .*", "FSCK started")
        .replaceAll("FSCK ended at .*", "FSCK ended")
        .replaceAll("BP-[-.0-9]+", "BP")
        .replaceAll("blk_[0-9_]+", "blk")
        .replaceAll("127.0.0.1:[0-9]+", "dn")
        .replaceAll("DS-[-0-9a-f]+", "DS");
  }

  private static Content file(String path) throws Exception {
    Content content = new Content(path.hashCode(), LENGTH_BYTES);
    content.write(fileSystem, new Path(path));
    Await.until(
        "three replicas of " + path,
        LIMIT,
        () ->
            Arrays.stream(fileSystem.getFileBlockLocations(new Path(path), 0, LENGTH_BYTES))
                .allMatch(block -> block.getCachedHosts() != null && places(block) == 3));
    return content;
  }

  private static int places(org.apache.hadoop.fs.BlockLocation block) {
    try {
      return block.getNames().length;
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static ExtendedBlock block(String path, int number) throws Exception {
    return fileSystem.getClient().getLocatedBlocks(path, 0).get(number).getBlock();
  }

  /** Every DataNode forgets a block; returns when the NameNode knows. */
  private static void lose(ExtendedBlock block) throws Exception {
    for (DataNode node : cluster.dataNodes()) {
      node.getFSDataset().invalidate(block.getBlockPoolId(), new Block[] {block.getLocalBlock()});
    }
    Await.until(
        "a missing block",
        LIMIT,
        () -> {
          Iterator<?> corrupt = Iterator.class.cast(null);
          return corrupt == null && fileSystem.getMissingBlocksCount() > 0;
        });
  }

  @Test
  void healthyFile() throws Exception {
    file("/healthy/f");
    Report report = fsck("/healthy", "-files", "-blocks", "-locations");
    System.out.println("REPORT healthy\n" + report);
    assertThat(fsck("/healthy", "-files", "-blocks", "-replicaDetails").text()).contains("(LIVE)");
    System.out.println(
        "REPORT racks\n"
            + fsck("/healthy", "-files", "-blocks", "-racks", "-storagepolicies", "-maintenance"));
    System.out.println("REPORT nothing\n" + fsck("/nothing"));
    System.out.println(
        "REPORT block\n" + fsck("/", "-blockId", block("/healthy/f", 0).getBlockName()));
    System.out.println(
        "REPORT block2\n"
            + fsck("/", "-blockId", block("/healthy/f", 0).getBlockName(), "-maintenance"));
  }

  @Test
  void openFile() throws Exception {
    try (FSDataOutputStream out = fileSystem.create(new Path("/open/f"))) {
      out.write(new byte[LENGTH_BYTES]);
      out.hflush();
      System.out.println("REPORT open\n" + fsck("/open", "-files"));
      System.out.println(
          "REPORT openforwrite\n"
              + fsck("/open", "-openforwrite", "-files", "-blocks", "-locations"));
    }
  }

  @Test
  void underReplicatedFile() throws Exception {
    file("/under/f");
    fileSystem.setReplication(new Path("/under/f"), (short) 5);
    System.out.println("REPORT under\n" + fsck("/under"));
    System.out.println("REPORT under files\n" + fsck("/under", "-files", "-blocks"));
  }

  @Test
  void fileWithALostBlock() throws Exception {
    Content content = file("/lost/f");
    lose(block("/lost/f", 1));
    System.out.println("REPORT lost\n" + fsck("/lost"));
    System.out.println("REPORT lost files\n" + fsck("/lost", "-files", "-blocks"));
    System.out.println("REPORT list\n" + fsck("/lost", "-list-corruptfileblocks"));
    System.out.println("REPORT list2\n" + fsck("/healthy", "-list-corruptfileblocks"));
    System.out.println(
        "REPORT blk\n" + fsck("/lost", "-blockId", block("/lost/f", 1).getBlockName()));
    System.out.println("REPORT move\n" + fsck("/lost", "-move"));
    System.out.println(Arrays.toString(fileSystem.listStatus(new Path("/lost+found/lost/f"))));
    System.out.println("REPORT delete\n" + fsck("/lost", "-delete"));
    System.out.println("REPORT after\n" + fsck("/lost"));
  }
}
