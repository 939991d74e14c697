package io.acaciafs.systemtests.gateways;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.systemtests.harness.Cluster;
import io.acaciafs.systemtests.harness.NameNodeProgram;
import io.acaciafs.systemtests.harness.Tree;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.tools.DistCp;
import org.apache.hadoop.util.ToolRunner;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** DistCp copies from Hadoop's NameNode to Acacia and back, and brings a copy up to date. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DistCpTest {
  private Cluster ours;
  private Cluster hadoops;

  @BeforeAll
  void start() throws Exception {
    ours = Cluster.builder("distcp").start();
    hadoops = Cluster.builder("distcp-hadoop").program(NameNodeProgram.HADOOP).start();
    FileSystem fs = hadoops.fileSystem();
    for (int i = 0; i < 5; i++) {
      write(fs, "/from/dir-" + i + "/file", 1000 * i);
    }
    fs.setPermission(new Path("/from/dir-1/file"), new FsPermission((short) 0600));
    fs.setOwner(new Path("/from/dir-2"), "alice", "users");
    fs.setTimes(new Path("/from/dir-3/file"), 1_000_000, 2_000_000);
  }

  @AfterAll
  void stop() throws Exception {
    ours.close();
    hadoops.close();
  }

  @Test
  void copiesThereAndBack() throws Exception {
    assertThat(copy("-p", path(hadoops, "/from"), path(ours, "/from"))).isZero();
    assertThat(Tree.list(ours.fileSystem())).isNotEmpty();
    assertThat(copy("-p", path(ours, "/from"), path(hadoops, "/back"))).isZero();
    assertThat(files(hadoops.fileSystem(), "/back"))
        .isEqualTo(files(hadoops.fileSystem(), "/from"))
        .isEqualTo(files(ours.fileSystem(), "/from"));
  }

  @Test
  void bringsUpToDate() throws Exception {
    FileSystem fs = ours.fileSystem();
    write(fs, "/current/kept", 10);
    write(fs, "/current/grown", 10);
    assertThat(copy("-p", path(ours, "/current"), path(hadoops, "/current"))).isZero();
    write(fs, "/current/grown", 20);
    write(hadoops.fileSystem(), "/current/left-over", 5);
    assertThat(copy("-p", "-update", "-delete", path(ours, "/current"), path(hadoops, "/current")))
        .isZero();
    assertThat(files(hadoops.fileSystem(), "/current")).isEqualTo(files(fs, "/current"));
  }

  /** There are no snapshots to compare: it says so as on an HDFS where there are none. */
  @Test
  void refusesADifferenceOfSnapshots() throws Exception {
    for (Cluster cluster : new Cluster[] {ours, hadoops}) {
      write(cluster.fileSystem(), "/plain/file", 10);
      cluster.fileSystem().mkdirs(new Path("/copy"));
    }
    int expected =
        copy("-update", "-diff", "s1", "s2", path(hadoops, "/plain"), path(hadoops, "/copy"));
    assertThat(expected).isNotZero();
    assertThat(copy("-update", "-diff", "s1", "s2", path(ours, "/plain"), path(ours, "/copy")))
        .isEqualTo(expected);
  }

  private int copy(String... arguments) throws Exception {
    Configuration conf = ours.clientConfiguration();
    conf.set("mapreduce.framework.name", "local");
    return ToolRunner.run(conf, new DistCp(conf, null), arguments);
  }

  private static String path(Cluster cluster, String path) {
    return cluster.uri() + path;
  }

  private static void write(FileSystem fs, String path, int bytes) throws IOException {
    try (FSDataOutputStream out = fs.create(new Path(path))) {
      out.write(new byte[bytes]);
    }
  }

  /** Name, length, times, owner and mode of all below, without what the copy is called. */
  private static List<String> files(FileSystem fs, String top) throws IOException {
    List<String> files = new ArrayList<>();
    var all = fs.listFiles(new Path(top), true);
    while (all.hasNext()) {
      var file = all.next();
      files.add(
          file.getPath().toUri().getPath().substring(top.length())
              + " "
              + file.getLen()
              + " "
              + file.getModificationTime()
              + " "
              + file.getOwner()
              + ":"
              + file.getGroup()
              + " "
              + file.getPermission());
    }
    Collections.sort(files);
    return files;
  }
}
