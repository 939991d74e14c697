package io.acaciafs.systemtests.ha;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.kv.hbase.local.FreePorts;
import io.acaciafs.systemtests.harness.Await;
import io.acaciafs.systemtests.harness.Cluster;
import io.acaciafs.systemtests.harness.HaCluster;
import io.acaciafs.systemtests.harness.NameNodeProcess;
import io.acaciafs.systemtests.harness.NameNodeProgram;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file system moves by backups from one NameNode to three, and back. */
class OneAndThreeTest {
  private static final Duration LIMIT = Duration.ofMinutes(1);
  private static final int DIRECTORIES = 50;

  @TempDir private java.nio.file.Path folder;

  @Test
  void nothingIsLostOnTheWayToThreeNameNodesAndBack() throws Exception {
    java.nio.file.Path ofOne = folder.resolve("of-one");
    try (Cluster cluster =
        Cluster.builder("one").program(NameNodeProgram.ACACIA).dataNodes(0).start()) {
      make(cluster.fileSystem(), "one");
      requireSuccess(cluster.nameNode().run("backup", ofOne.toString()));
    }
    java.nio.file.Path ofThree = folder.resolve("of-three");
    try (HaCluster cluster = HaCluster.restore("three", ofOne)) {
      try (FileSystem fs = cluster.newFileSystem()) {
        assertThat(names(fs, "one")).hasSize(DIRECTORIES);
        make(fs, "three");
      }
      requireSuccess(cluster.nameNode(0).run("backup", ofThree.toString()));
      NameNodeProcess stopped = cluster.nameNode((cluster.awaitLeader() + 1) % cluster.size());
      stopped.terminate();
      requireSuccess(stopped.run("backup", folder.resolve("of-the-others").toString()));
    }
    try (OneNameNode back = new OneNameNode(folder, ofThree);
        FileSystem fs = back.fileSystem()) {
      assertThat(names(fs, "one")).hasSize(DIRECTORIES);
      assertThat(names(fs, "three")).hasSize(DIRECTORIES);
      make(fs, "back");
    }
  }

  private static void make(FileSystem fs, String name) throws IOException {
    for (int i = 0; i < DIRECTORIES; i++) {
      assertThat(fs.mkdirs(new Path("/" + name + "/" + i))).isTrue();
    }
  }

  private static List<String> names(FileSystem fs, String name) throws IOException {
    return Arrays.stream(fs.listStatus(new Path("/" + name)))
        .map(FileStatus::getPath)
        .map(Path::getName)
        .toList();
  }

  private static void requireSuccess(NameNodeProcess.Exit exit) {
    assertThat(exit.code()).as(exit.output()).isZero();
  }

  /** On the engine rocksdb, from a backup. */
  private static final class OneNameNode implements AutoCloseable {
    private final NameNodeProcess process;
    private final URI uri;

    OneNameNode(java.nio.file.Path parent, java.nio.file.Path backup) throws Exception {
      java.nio.file.Path own = Files.createDirectories(parent.resolve("back"));
      uri = URI.create("hdfs://127.0.0.1:" + FreePorts.next());
      Configuration site = new Configuration(false);
      site.set("fs.defaultFS", uri.toString());
      site.set("dfs.namenode.http-address", "127.0.0.1:0");
      site.set("dfs.namenode.name.dir", own.resolve("name").toUri().toString());
      site.set("hadoop.tmp.dir", own.resolve("tmp").toString());
      site.set("dfs.namenode.safemode.extension", "0");
      process = new NameNodeProcess(NameNodeProgram.ACACIA, own, site);
      requireSuccess(process.run("restore", backup.toString()));
      process.start();
    }

    FileSystem fileSystem() throws Exception {
      FileSystem fs = FileSystem.newInstance(uri, new HdfsConfiguration());
      Await.until("an answer", LIMIT, () -> answers(fs));
      return fs;
    }

    private static boolean answers(FileSystem fs) {
      try {
        return fs.exists(new Path("/"));
      } catch (IOException e) {
        return false;
      }
    }

    @Override
    public void close() throws IOException {
      try {
        process.terminate();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
