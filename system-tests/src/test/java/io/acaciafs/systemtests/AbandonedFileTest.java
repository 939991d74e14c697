package io.acaciafs.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.systemtests.harness.AbandonedWriter;
import io.acaciafs.systemtests.harness.Await;
import io.acaciafs.systemtests.harness.Cluster;
import io.acaciafs.systemtests.harness.Content;
import java.time.Duration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Test;

/** A file whose writer was killed in the middle of a block is closed with all that he synced. */
class AbandonedFileTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);
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
