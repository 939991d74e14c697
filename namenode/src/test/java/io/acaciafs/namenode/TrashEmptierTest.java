package io.acaciafs.namenode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With intervals of fractions of a second, which HDFS's class takes. */
class TrashEmptierTest {
  private static final Path TRASH = new Path("/user/somebody/.Trash");
  private static final Duration LIMIT = Duration.ofSeconds(30);

  @TempDir private java.nio.file.Path folder;

  private final Configuration conf = new HdfsConfiguration();
  private NameNode nameNode;
  private FileSystem fs;

  @BeforeEach
  void start() throws IOException {
    conf.set("dfs.namenode.name.dir", folder.toString());
    conf.set("fs.defaultFS", "hdfs://127.0.0.1:0");
    conf.set("dfs.namenode.rpc-address", "127.0.0.1:0");
    conf.set("dfs.namenode.http-address", "127.0.0.1:0");
    NameNode.format(conf, "CID-test", false);
    nameNode = NameNode.start(conf);
    fs = FileSystem.newInstance(uri(), conf);
    conf.set("fs.trash.interval", "0.02");
    conf.set("fs.trash.checkpoint.interval", "0.005");
  }

  @AfterEach
  void stop() throws IOException {
    fs.close();
    nameNode.close();
  }

  private URI uri() {
    return URI.create("hdfs://127.0.0.1:" + nameNode.rpcAddress().getPort());
  }

  @Test
  void whatLiesInTrashGoesFirstBehindACheckpointAndThenForGood() throws Exception {
    Path file = new Path(TRASH, "Current/some/file");
    fs.create(file).close();
    try (TrashEmptier emptier = TrashEmptier.start(conf, uri(), () -> true)) {
      assertThat(emptier).isNotNull();
      await(() -> !fs.exists(file));
      await(() -> fs.listStatus(TRASH).length == 0);
    }
    assertThat(fs.exists(TRASH)).isTrue();
  }

  @Test
  void onlyOneOfSeveralNameNodesDoesIt() throws Exception {
    Path file = new Path(TRASH, "Current/file");
    fs.create(file).close();
    AtomicBoolean isMine = new AtomicBoolean();
    AtomicInteger asked = new AtomicInteger();
    try (TrashEmptier emptier =
        TrashEmptier.start(
            conf,
            uri(),
            () -> {
              asked.incrementAndGet();
              return isMine.get();
            })) {
      assertThat(emptier).isNotNull();
      await(() -> asked.get() >= 3);
      assertThat(fs.exists(file)).isTrue();
      isMine.set(true);
      await(() -> !fs.exists(file));
    }
  }

  @Test
  void followsTheSettingOfTheSite() throws Exception {
    assertThat(TrashEmptier.isWanted(conf)).isTrue();
    conf.set("fs.trash.interval", "0");
    assertThat(TrashEmptier.isWanted(conf)).isFalse();
    conf.set("fs.trash.interval", "-1");
    assertThatThrownBy(() -> TrashEmptier.start(conf, uri(), () -> true))
        .hasMessageContaining("negative interval");
  }

  /** A question that may fail. */
  @FunctionalInterface
  private interface Condition {
    boolean holds() throws IOException;
  }

  private static void await(Condition condition) throws IOException {
    long deadlineNs = System.nanoTime() + LIMIT.toNanos();
    while (!condition.holds()) {
      assertThat(System.nanoTime() - deadlineNs).isNegative();
      LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
    }
  }
}
