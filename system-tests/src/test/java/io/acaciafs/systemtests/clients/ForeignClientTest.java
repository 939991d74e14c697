package io.acaciafs.systemtests.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.acaciafs.systemtests.harness.ClientScript;
import io.acaciafs.systemtests.harness.Cluster;
import io.acaciafs.systemtests.harness.Content;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Clients in Python and Go work, and Hadoop's client sees what they did. */
class ForeignClientTest {
  private static final int BLOCK_BYTES = 1 << 20;
  private static final int LINE_BYTES = 8;

  private static Cluster cluster;
  private static DistributedFileSystem fs;

  @BeforeAll
  static void start() throws Exception {
    cluster =
        Cluster.builder("clients")
            .dataNodes(3)
            .set("dfs.replication", 3)
            .set("dfs.blocksize", BLOCK_BYTES)
            .start();
    fs = cluster.fileSystem();
  }

  @AfterAll
  static void stop() throws Exception {
    cluster.close();
  }

  @Test
  void pythonWithHdfsNative() throws Exception {
    Path folder = run("python");
    assertThat(text(folder, "overwritten")).isEqualTo("now");
    assertThat(fs.getFileStatus(new Path(folder, "overwritten")).getPermission())
        .isEqualTo(new FsPermission("600"));
    assertThat(text(folder, "synced")).isEqualTo("before and after");
    assertThat(text(folder, "recovered")).isEqualTo("synced");
    assertThat(fs.isFileClosed(new Path(folder, "recovered"))).isTrue();
    assertThat(fs.getAclStatus(new Path(folder, "acl")).getEntries())
        .contains(AclEntry.parseAclEntry("user:alice:rwx", true))
        .noneMatch(entry -> "bob".equals(entry.getName()));
  }

  @Test
  void goWithColinmarcHdfs() throws Exception {
    Path folder = run("go");
    assertThat(text(folder, "truncated")).isEqualTo(numbers(1_001));
    assertThat(fs.getXAttrs(new Path(folder, "attributes")))
        .containsOnlyKeys("user.color")
        .containsEntry("user.color", "blue".getBytes(StandardCharsets.UTF_8));
  }

  /** Runs a client and checks what all of them do; returns its folder. */
  private static Path run(String client) throws Exception {
    ClientScript.Exit exit = new ClientScript(client).run(cluster.uri().toString());
    assumeTrue(exit.code() != ClientScript.SKIPPED, exit.output());
    assertThat(exit.code()).as(exit.output()).isZero();
    Path folder = new Path("/clients", client);
    assertAppended(new Path(folder, "numbers"));
    assertRenamedAndDeleted(folder);
    assertAttributes(fs.getFileStatus(new Path(folder, "attributes")));
    return folder;
  }

  private static void assertAppended(Path numbers) throws Exception {
    assertThat(text(numbers.getParent(), numbers.getName())).isEqualTo(numbers(400_000));
    BlockLocation[] blocks = fs.getFileBlockLocations(numbers, 0, Long.MAX_VALUE);
    assertThat(Arrays.stream(blocks).mapToLong(BlockLocation::getLength))
        .containsExactly(
            (long) BLOCK_BYTES,
            (long) BLOCK_BYTES,
            (long) BLOCK_BYTES,
            400_000L * LINE_BYTES - 3 * BLOCK_BYTES);
  }

  private static void assertRenamedAndDeleted(Path folder) throws Exception {
    assertThat(text(folder, "renamed/file")).isEqualTo("old");
    assertThat(fs.exists(new Path(folder, "other"))).isFalse();
    assertThat(fs.exists(new Path(folder, "old"))).isFalse();
    assertThat(fs.listStatus(new Path(folder, "many"))).hasSize(1_500);
  }

  private static void assertAttributes(FileStatus status) {
    assertThat(status.getPermission()).isEqualTo(new FsPermission("1640"));
    assertThat(status.getOwner()).isEqualTo("alice");
    assertThat(status.getGroup()).isEqualTo("people");
    assertThat(status.getModificationTime()).isEqualTo(1_000_000);
    assertThat(status.getReplication()).isEqualTo((short) 2);
  }

  private static String text(Path folder, String name) throws Exception {
    return new String(Content.read(fs, new Path(folder, name)), StandardCharsets.UTF_8);
  }

  private static String numbers(int end) {
    return IntStream.range(0, end).mapToObj("%07d\n"::formatted).collect(Collectors.joining());
  }
}
