package io.acaciafs.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.systemtests.harness.Await;
import io.acaciafs.systemtests.harness.Cluster;
import io.acaciafs.systemtests.harness.Content;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
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
  private static final Duration LIMIT = Duration.ofSeconds(60);

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
            // a copy on its way would hide for some minutes that a block is lost
            .set("dfs.namenode.redundancy.interval.seconds", 3600)
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

  /** What Hadoop's NameNode says. */
  private static String hadoops(String name) throws IOException {
    try (InputStream in = FsckTest.class.getResourceAsStream("/fsck/" + name + ".txt")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static void assertReport(String name, int exitCode, String... arguments)
      throws Exception {
    Report report = fsck(arguments);
    assertThat(report.text()).isEqualTo(hadoops(name));
    assertThat(report.exitCode()).isEqualTo(exitCode);
  }

  private static byte[] write(String path) throws Exception {
    Content content = new Content(path.hashCode(), LENGTH_BYTES);
    content.write(fileSystem, new Path(path));
    Await.until(
        "three replicas of " + path,
        LIMIT,
        () ->
            blocks(path).getLocatedBlocks().stream()
                .allMatch(block -> block.getLocations().length == 3));
    return content.bytes();
  }

  private static LocatedBlocks blocks(String path) throws IOException {
    return fileSystem.getClient().getLocatedBlocks(path, 0);
  }

  private static String name(String path, int block) throws IOException {
    return blocks(path).get(block).getBlock().getBlockName();
  }

  /** Every DataNode forgets the block; returns when the NameNode knows. */
  private static void lose(String path, int number) throws Exception {
    ExtendedBlock block = blocks(path).get(number).getBlock();
    for (DataNode node : cluster.dataNodes()) {
      node.getFSDataset().invalidate(block.getBlockPoolId(), new Block[] {block.getLocalBlock()});
    }
    Await.until("a missing block", LIMIT, () -> fsck(path).exitCode() == 1);
  }

  @Test
  void healthyFile() throws Exception {
    write("/healthy/f");
    assertReport("healthy", 0, "/healthy", "-files", "-blocks", "-locations");
    assertReport(
        "policies",
        0,
        "/healthy",
        "-files",
        "-blocks",
        "-racks",
        "-storagepolicies",
        "-maintenance");
    assertThat(fsck("/healthy", "-files", "-blocks", "-replicaDetails").text())
        .contains("[DatanodeInfoWithStorage[dn,DS,DISK](LIVE), Data");
    assertThat(fsck("/healthy", "-files", "-blocks", "-upgradedomains").text())
        .contains("[DatanodeInfoWithStorage[dn,DS,DISK](ud=undefined), Data");
    assertReport("block", 0, "/", "-blockId", name("/healthy/f", 0));
    assertThat(fsck("/healthy", "-list-corruptfileblocks"))
        .isEqualTo(new Report(0, "The filesystem under path '/healthy' has 0 CORRUPT blocks\n"));
  }

  @Test
  void openFile() throws Exception {
    try (FSDataOutputStream out = fileSystem.create(new Path("/open/f"))) {
      out.write(new byte[LENGTH_BYTES]);
      out.hflush();
      assertReport("open", 0, "/open", "-files");
      assertReport("openforwrite", 0, "/open", "-openforwrite", "-files", "-blocks", "-locations");
    }
  }

  @Test
  void underReplicatedFile() throws Exception {
    write("/under/f");
    fileSystem.setReplication(new Path("/under/f"), (short) 5);
    assertReport("under", 0, "/under");
    assertReport("under-files", 0, "/under", "-files", "-blocks");
  }

  @Test
  void fileWithALostBlock() throws Exception {
    byte[] bytes = write("/lost/f");
    lose("/lost/f", 1);
    assertReport("lost", 1, "/lost");
    assertReport("lost-files", 1, "/lost", "-files", "-blocks");
    assertReport("list", -1, "/lost", "-list-corruptfileblocks");
    assertReport("lost-block", -1, "/lost", "-blockId", name("/lost/f", 1));

    assertReport("lost", 1, "/lost", "-move");
    assertThat(read("/lost+found/lost/f/0")).isEqualTo(Arrays.copyOfRange(bytes, 0, BLOCK_BYTES));
    assertThat(read("/lost+found/lost/f/1"))
        .isEqualTo(Arrays.copyOfRange(bytes, 2 * BLOCK_BYTES, LENGTH_BYTES));
    assertThat(fileSystem.exists(new Path("/lost/f"))).isTrue();

    assertReport("lost", 1, "/lost", "-delete");
    assertThat(fileSystem.exists(new Path("/lost/f"))).isFalse();
    assertThat(fsck("/lost").exitCode()).isZero();
  }

  @Test
  void fileWithACorruptBlock() throws Exception {
    write("/corrupt/f");
    LocatedBlock first = blocks("/corrupt/f").get(0);
    fileSystem.getClient().getNamenode().reportBadBlocks(new LocatedBlock[] {first});
    assertReport("corrupt", 1, "/corrupt", "-files", "-blocks", "-replicaDetails");
    String block = fsck("/", "-blockId", name("/corrupt/f", 0)).text();
    assertThat(block.lines())
        .contains(
            "No. of corrupted Replica: 3",
            "Block replica on datanode/rack: 127.0.0.1/default-rack is CORRUPT"
                + "\t ReasonCode: CORRUPTION_REPORTED");
  }

  private static byte[] read(String path) throws IOException {
    try (InputStream in = fileSystem.open(new Path(path))) {
      return in.readAllBytes();
    }
  }
}
