package io.acaciafs.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.kv.hbase.local.LocalHBase;
import io.acaciafs.kv.hbase.local.LocalHBaseOptions;
import io.acaciafs.systemtests.harness.Cluster;
import io.acaciafs.systemtests.harness.NameNodeProgram;
import java.io.FileNotFoundException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.ipc.RemoteException;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What others change meanwhile is in an answer whole or not at all: a file that is deleted with its
 * blocks, and an entry that is renamed within its directory.
 */
class OneMomentTest {
  private static final int FILES = Integer.getInteger("acacia.one-moment-files", 150);
  private static final int LISTINGS = Integer.getInteger("acacia.one-moment-listings", 300);

  /** After this time the fewest will do: each costs many requests to HBase while others rename. */
  private static final Duration ENOUGH = Duration.ofSeconds(120);

  private static final int FEWEST_LISTINGS = 30;
  private static final int OTHERS = 60;
  private static final int READERS = 2;
  private static final long LONGEST_S = 300;

  private static final Logger LOG = LoggerFactory.getLogger(OneMomentTest.class);

  @TempDir private java.nio.file.Path folder;

  @Test
  void withLocalStore() throws Exception {
    try (Cluster cluster =
        Cluster.builder("one-moment")
            .set("acacia.directory.split.threshold", "10")
            .set("dfs.replication", 1)
            .start()) {
      check(cluster);
    }
  }

  @Test
  @Tag("long")
  void withHBase() throws Exception {
    Assumptions.assumeTrue(
        NameNodeProgram.underTest() == NameNodeProgram.ACACIA, "Hadoop's has no engines");
    java.nio.file.Path classPath =
        java.nio.file.Path.of(System.getProperty("acacia.hbase.classpath"));
    try (LocalHBase hbase = LocalHBase.start(LocalHBaseOptions.of(folder, classPath, 1));
        Cluster cluster =
            Cluster.builder("one-moment-hbase")
                .set("acacia.store.engine", "hbase")
                .set("acacia.store.hbase.zookeeper", hbase.zooKeeper())
                .set("acacia.store.hbase.regions", "4")
                .set("acacia.directory.split.threshold", "10")
                .set("dfs.replication", 1)
                .start()) {
      check(cluster);
    }
  }

  private static void check(Cluster cluster) throws Exception {
    DistributedFileSystem fs = cluster.fileSystem();
    AtomicInteger answers = new AtomicInteger();
    filesAreToldWithTheirBlocks(fs, answers);
    assertThat(answers).as("answers of files that were there").hasPositiveValue();
    renamesAreSeenWhole(fs);
  }

  private static void filesAreToldWithTheirBlocks(DistributedFileSystem fs, AtomicInteger answers)
      throws Exception {
    Path directory = new Path("/files");
    for (int i = 0; i < FILES; i++) {
      try (var out = fs.create(new Path(directory, "f" + i))) {
        out.write(1);
      }
    }
    AtomicInteger current = new AtomicInteger();
    AtomicBoolean ended = new AtomicBoolean();
    List<Callable<Void>> tasks = new ArrayList<>();
    for (int reader = 0; reader < READERS; reader++) {
      boolean lists = reader == 0;
      tasks.add(
          () -> {
            while (!ended.get()) {
              if (lists) {
                listFiles(fs, directory, answers);
              }
              readFile(fs, directory + "/f" + current.get(), answers);
            }
            return null;
          });
    }
    tasks.add(
        () -> {
          try {
            for (; current.get() < FILES; current.incrementAndGet()) {
              assertThat(fs.delete(new Path(directory, "f" + current.get()), false)).isTrue();
            }
          } finally {
            ended.set(true);
          }
          return null;
        });
    runAll(tasks);
  }

  private static void readFile(DistributedFileSystem fs, String path, AtomicInteger answers)
      throws Exception {
    LocatedBlocks blocks;
    try {
      blocks = fs.getClient().getNamenode().getBlockLocations(path, 0, Long.MAX_VALUE);
    } catch (FileNotFoundException | RemoteException e) {
      assertThat(e.toString()).contains("File does not exist");
      return;
    }
    if (blocks != null) {
      answers.incrementAndGet();
      assertWhole(path, blocks);
    }
  }

  private static void listFiles(DistributedFileSystem fs, Path directory, AtomicInteger answers)
      throws Exception {
    var page = fs.getClient().listPaths(directory.toString(), new byte[0], true);
    for (var entry : page.getPartialListing()) {
      answers.incrementAndGet();
      assertWhole(entry.getLocalName(), ((HdfsLocatedFileStatus) entry).getLocatedBlocks());
    }
  }

  private static void assertWhole(String path, LocatedBlocks blocks) {
    assertThat(blocks.getFileLength()).as(path).isEqualTo(1);
    for (LocatedBlock block : blocks.getLocatedBlocks()) {
      assertThat(block.getLocations()).as(path).hasSize(1);
    }
  }

  private static void renamesAreSeenWhole(DistributedFileSystem fs) throws Exception {
    Path directory = new Path("/renamed");
    for (int i = 0; i < OTHERS; i++) {
      fs.create(new Path(directory, "other" + i)).close();
    }
    fs.create(new Path(directory, "a._COPYING_")).close();
    fs.mkdirs(new Path(directory, "d1"));
    AtomicBoolean ended = new AtomicBoolean();
    List<Callable<Void>> tasks = new ArrayList<>();
    for (String[] names : new String[][] {{"a._COPYING_", "a"}, {"d1", "d2"}}) {
      tasks.add(
          () -> {
            for (int i = 0; !ended.get(); i++) {
              Path from = new Path(directory, names[i % 2]);
              assertThat(fs.rename(from, new Path(directory, names[1 - i % 2]))).isTrue();
            }
            return null;
          });
    }
    tasks.add(
        () -> {
          try {
            long enough = System.nanoTime() + ENOUGH.toNanos();
            int looks = 0;
            while (looks < LISTINGS && (looks < FEWEST_LISTINGS || System.nanoTime() < enough)) {
              lookAt(fs, directory);
              looks++;
            }
            LOG.info("Looked at entries that were renamed looks={}", looks);
          } finally {
            ended.set(true);
          }
          return null;
        });
    runAll(tasks);
  }

  private static void lookAt(DistributedFileSystem fs, Path directory) throws Exception {
    List<String> names =
        Arrays.stream(fs.listStatus(directory))
            .map(FileStatus::getPath)
            .map(Path::getName)
            .filter(name -> !name.startsWith("other"))
            .toList();
    assertThat(names).hasSize(2);
    assertThat(names.get(0)).isIn("a", "a._COPYING_");
    assertThat(names.get(1)).isIn("d1", "d2");
    assertThat(fs.getContentSummary(directory).getFileCount()).isEqualTo(OTHERS + 1);
    assertThat(fs.getContentSummary(directory).getDirectoryCount()).isEqualTo(2);
    assertThat(fs.getClient().getFileInfo(directory.toString()).getChildrenNum())
        .isEqualTo(OTHERS + 2);
  }

  private static void runAll(List<Callable<Void>> tasks) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(tasks.size());
    try {
      List<Future<Void>> running = new ArrayList<>();
      tasks.forEach(task -> running.add(threads.submit(task)));
      for (Future<Void> each : running) {
        each.get(LONGEST_S, TimeUnit.SECONDS);
      }
    } finally {
      threads.shutdownNow();
    }
  }
}
