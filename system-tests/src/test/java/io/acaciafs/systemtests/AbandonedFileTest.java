package io.acaciafs.systemtests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.systemtests.harness.AbandonedWriter;
import io.acaciafs.systemtests.harness.Await;
import io.acaciafs.systemtests.harness.Cluster;
import io.acaciafs.systemtests.harness.Content;
import io.acaciafs.systemtests.harness.DataNodeFleet;
import io.acaciafs.systemtests.harness.DataNodeProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.AlreadyBeingCreatedException;
import org.apache.hadoop.hdfs.protocol.RecoveryInProgressException;
import org.apache.hadoop.ipc.RemoteException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A file whose writer was killed in the middle of a block is closed with all that he synced. */
class AbandonedFileTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Duration TAKEOVER_LIMIT = Duration.ofSeconds(120);
  private static final List<String> NOT_YET =
      List.of(
          AlreadyBeingCreatedException.class.getName(),
          RecoveryInProgressException.class.getName());
  private static final int BLOCK_SIZE = 1 << 20;
  private static final Path FILE = new Path("/abandoned");

  /** A block and a half. */
  private static final Content CONTENT = new Content(1, BLOCK_SIZE + 300_001);

  @Test
  void isClosedWhenSomebodyAsksForIt() throws Exception {
    try (Cluster cluster = builder("recover-lease").start()) {
      abandon(cluster);
      Await.until("recovery", LIMIT, () -> cluster.fileSystem().recoverLease(FILE));
      check(cluster);
      try (FSDataOutputStream out = cluster.fileSystem().append(FILE)) {
        out.write(7);
      }
      assertThat(cluster.fileSystem().getFileStatus(FILE).getLen())
          .isEqualTo(CONTENT.lengthBytes() + 1);
    }
  }

  @Test
  void isClosedAfterTheHardLimit() throws Exception {
    try (Cluster cluster =
        builder("hard-limit").set("dfs.namenode.lease-hard-limit-sec", 10).start()) {
      abandon(cluster);
      Await.until("recovery", LIMIT, () -> cluster.fileSystem().isFileClosed(FILE));
      check(cluster);
    }
  }

  @Test
  void isClosedByANameNodeThatWasKilledMeanwhile() throws Exception {
    try (Cluster cluster = builder("recovery-kill").start()) {
      abandon(cluster);
      boolean closed = cluster.fileSystem().recoverLease(FILE);
      cluster.killNameNode();
      cluster.startNameNode();
      cluster.awaitDataNodes();
      assertThat(closed).isFalse();
      // nobody asks for it again
      Await.until("recovery", LIMIT, () -> cluster.fileSystem().isFileClosed(FILE));
      check(cluster);
    }
  }

  @Test
  void isClosedThoughADataNodeIsGone() throws Exception {
    try (Cluster cluster =
        builder("recovery-datanode")
            .set("dfs.namenode.heartbeat.recheck-interval", 500)
            .set("dfs.namenode.stale.datanode.interval", 3000)
            .start()) {
      abandon(cluster);
      cluster.dataNodes().get(0).shutdown();
      Await.until("recovery", LIMIT, () -> cluster.fileSystem().recoverLease(FILE));
      check(cluster);
    }
  }

  /** By a client that creates or appends to it; until then both are refused: a minute. */
  @Test
  @Tag("long")
  void isTakenOverAfterTheSoftLimit() throws Exception {
    try (Cluster cluster = builder("soft-limit").start()) {
      Path other = new Path("/abandoned-too");
      DistributedFileSystem fs = cluster.fileSystem();
      abandon(cluster);
      AbandonedWriter.write(
          cluster, other, CONTENT, cluster.nameFolder().resolveSibling("writer-2.log"));
      assertThatThrownBy(() -> fs.append(other)).hasMessageContaining("currently owned by");
      assertThatThrownBy(() -> fs.create(FILE, false)).hasMessageContaining("currently owned by");

      Await.until("recovery by append", TAKEOVER_LIMIT, () -> appends(fs, other));
      Await.until("recovery by create", TAKEOVER_LIMIT, () -> isClosedByCreate(fs));
      check(cluster);
      assertThat(Content.read(fs, other)).startsWith(CONTENT.bytes()).endsWith(7);
    }
  }

  private static boolean appends(FileSystem fs, Path file) throws IOException {
    try (FSDataOutputStream out = fs.append(file)) {
      out.write(7);
      return true;
    } catch (RemoteException e) {
      assertThat(e.getClassName()).isIn(NOT_YET);
      return false;
    }
  }

  private static boolean isClosedByCreate(FileSystem fs) throws IOException {
    try {
      fs.create(FILE, false).close();
      throw new AssertionError("created what is there");
    } catch (FileAlreadyExistsException e) {
      return true;
    } catch (RemoteException e) {
      assertThat(e.getClassName()).isIn(NOT_YET);
      return false;
    }
  }

  /** The DataNode that was to lead the recovery dies first; the next one leads after 30 s. */
  @Test
  @Tag("long")
  void isClosedThoughThePrimaryIsKilled() throws Exception {
    try (Cluster cluster =
            builder("recovery-primary")
                .dataNodes(0)
                .set("dfs.namenode.heartbeat.recheck-interval", 500)
                .start();
        DataNodeFleet fleet = DataNodeFleet.start(cluster, 3)) {
      abandon(cluster);
      for (DataNodeProcess node : fleet.all()) {
        node.freeze();
      }
      assertThat(cluster.fileSystem().recoverLease(FILE)).isFalse();
      String primary =
          cluster
              .nameNode()
              .describe()
              .lines()
              .filter(line -> line.contains("Block recovery begun"))
              .findFirst()
              .orElseThrow();
      for (DataNodeProcess node : fleet.all()) {
        if (primary.contains(node.address())) {
          node.kill();
        } else {
          node.thaw();
        }
      }
      assertThat(fleet.all()).filteredOn(DataNodeProcess::isAlive).hasSize(2);
      // the next attempt is due after thirty heartbeats
      Await.until(
          "recovery", Duration.ofSeconds(120), () -> cluster.fileSystem().isFileClosed(FILE));
      check(cluster);
    }
  }

  private static Cluster.Builder builder(String name) {
    return Cluster.builder(name)
        .dataNodes(3)
        .set("dfs.replication", 3)
        .set("dfs.blocksize", BLOCK_SIZE)
        .set("dfs.namenode.lease-recheck-interval-ms", 200);
  }

  private static void abandon(Cluster cluster) throws Exception {
    AbandonedWriter.write(
        cluster, FILE, CONTENT, cluster.nameFolder().resolveSibling("writer.log"));
  }

  private static void check(Cluster cluster) throws Exception {
    assertThat(Content.read(cluster.fileSystem(), FILE)).isEqualTo(CONTENT.bytes());
    assertThat(cluster.fileSystem().getFileStatus(FILE).getLen()).isEqualTo(CONTENT.lengthBytes());
  }
}
