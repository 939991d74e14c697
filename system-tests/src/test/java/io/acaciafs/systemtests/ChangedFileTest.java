package io.acaciafs.systemtests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.systemtests.harness.Await;
import io.acaciafs.systemtests.harness.Cluster;
import io.acaciafs.systemtests.harness.Content;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.AlreadyBeingCreatedException;
import org.apache.hadoop.ipc.RemoteException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Files that were closed are appended to, cut and joined; open ones are read. */
class ChangedFileTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final int BLOCK_SIZE = 1 << 20;
  private static final byte[] BYTES = new Content(5, 3 * BLOCK_SIZE).bytes();

  private static Cluster cluster;
  private static DistributedFileSystem fs;

  @BeforeAll
  static void start() throws Exception {
    cluster =
        Cluster.builder("changed-files")
            .dataNodes(3)
            .set("dfs.replication", 3)
            .set("dfs.blocksize", BLOCK_SIZE)
            .start();
    fs = cluster.fileSystem();
  }

  @AfterAll
  static void stop() throws Exception {
    cluster.close();
  }

  @Test
  void appendsWithinABlockAndOverItsEnd() throws Exception {
    Path file = file("/append-within", 0, 1000);
    append(file, 1000, 2000);
    append(file, 2000, BLOCK_SIZE + 10);
    check(file, BLOCK_SIZE + 10);
    assertThat(blocks(file)).isEqualTo(2);
  }

  @Test
  void appendsBehindAFullBlock() throws Exception {
    Path file = file("/append-behind", 0, BLOCK_SIZE);
    append(file, BLOCK_SIZE, BLOCK_SIZE + 1);
    check(file, BLOCK_SIZE + 1);
    assertThat(blocks(file)).isEqualTo(2);
  }

  @Test
  void appendsANewBlockWhereThatIsAskedFor() throws Exception {
    Path file = file("/append-new-block", 0, 1000);
    try (FSDataOutputStream out =
        fs.append(file, EnumSet.of(CreateFlag.APPEND, CreateFlag.NEW_BLOCK), 4096, null)) {
      out.write(BYTES, 1000, 1000);
    }
    check(file, 2000);
    assertThat(blocks(file)).isEqualTo(2);
  }

  @Test
  void anAppendOfNothingChangesNothing() throws Exception {
    Path within = file("/append-nothing", 0, 1000);
    append(within, 1000, 1000);
    check(within, 1000);
    Path full = file("/append-nothing-full", 0, BLOCK_SIZE);
    append(full, BLOCK_SIZE, BLOCK_SIZE);
    check(full, BLOCK_SIZE);
    assertThat(blocks(full)).isEqualTo(1);
  }

  @Test
  void onlyOneWriterAppends() throws Exception {
    Path file = file("/append-once", 0, 1000);
    try (DistributedFileSystem other = cluster.newFileSystem();
        FSDataOutputStream out = fs.append(file)) {
      assertThatThrownBy(() -> other.append(file))
          .isInstanceOfSatisfying(
              RemoteException.class,
              e ->
                  assertThat(e.getClassName())
                      .isEqualTo(AlreadyBeingCreatedException.class.getName()));
      out.write(BYTES, 1000, 10);
    }
    check(file, 1010);
  }

  @Test
  void whatIsSyncedIsReadWhileTheFileIsOpen() throws Exception {
    Path file = file("/visible", 0, 1000);
    try (FSDataOutputStream out = fs.append(file)) {
      out.write(BYTES, 1000, 5000);
      out.hflush();
      check(file, 6000);
      out.write(BYTES, 6000, BLOCK_SIZE);
      out.hsync();
      check(file, 6000 + BLOCK_SIZE);
    }
  }

  @Test
  void appendedDataIsThereAfterARestart() throws Exception {
    Path file = file("/append-restart", 0, 1000);
    append(file, 1000, 2000);
    cluster.killNameNode();
    cluster.startNameNode();
    cluster.awaitDataNodes();
    check(file, 2000);
    append(file, 2000, 3000);
    check(file, 3000);
  }

  @Test
  void truncatesWithinABlock() throws Exception {
    Path file = file("/truncate-within", 0, 2 * BLOCK_SIZE);
    assertThat(fs.truncate(file, BLOCK_SIZE + 4711)).isFalse();
    awaitClosed(file);
    check(file, BLOCK_SIZE + 4711);
    append(file, BLOCK_SIZE + 4711, BLOCK_SIZE + 5000);
    check(file, BLOCK_SIZE + 5000);
    assertThat(fs.truncate(file, 3)).isFalse();
    awaitClosed(file);
    check(file, 3);
  }

  @Test
  void truncatesAtABlockBoundaryAtOnce() throws Exception {
    Path file = file("/truncate-boundary", 0, 2 * BLOCK_SIZE);
    assertThat(fs.truncate(file, BLOCK_SIZE)).isTrue();
    check(file, BLOCK_SIZE);
    assertThat(fs.truncate(file, BLOCK_SIZE)).isTrue();
    assertThat(fs.truncate(file, 0)).isTrue();
    check(file, 0);
    assertThat(blocks(file)).isZero();
  }

  @Test
  void aCutGoesOnAfterTheNameNodeWasKilled() throws Exception {
    Path file = file("/truncate-kill", 0, BLOCK_SIZE);
    assertThat(fs.truncate(file, 100)).isFalse();
    cluster.killNameNode();
    cluster.startNameNode();
    cluster.awaitDataNodes();
    awaitClosed(file);
    check(file, 100);
  }

  @Test
  void joinsFiles() throws Exception {
    Path target = file("/join-1", 0, 1000);
    Path second = file("/join-2", 1000, BLOCK_SIZE + 2000);
    Path third = file("/join-3", BLOCK_SIZE + 2000, BLOCK_SIZE + 3000);
    fs.concat(target, new Path[] {second, third});
    check(target, BLOCK_SIZE + 3000);
    assertThat(fs.exists(second)).isFalse();
    append(target, BLOCK_SIZE + 3000, BLOCK_SIZE + 4000);
    check(target, BLOCK_SIZE + 4000);
  }

  private static Path file(String name, int from, int to) throws Exception {
    Path file = new Path(name);
    try (FSDataOutputStream out = fs.create(file)) {
      out.write(BYTES, from, to - from);
    }
    return file;
  }

  private static void append(Path file, int from, int to) throws Exception {
    try (FSDataOutputStream out = fs.append(file)) {
      out.write(BYTES, from, to - from);
    }
  }

  private static void awaitClosed(Path file) throws Exception {
    Await.until("the cut of " + file, LIMIT, () -> fs.isFileClosed(file));
    assertThat(fs.getFileStatus(file).getLen()).isLessThan(BYTES.length);
  }

  private static void check(Path file, int length) throws Exception {
    try (DistributedFileSystem reader = cluster.newFileSystem();
        FSDataInputStream in = reader.open(file)) {
      assertThat(in.readAllBytes()).isEqualTo(Arrays.copyOf(BYTES, length));
    }
  }

  private static int blocks(Path file) throws Exception {
    return fs.getFileBlockLocations(file, 0, Long.MAX_VALUE).length;
  }
}
