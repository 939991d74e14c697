package io.acaciafs.systemtests.ha;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.systemtests.harness.Cluster;
import io.acaciafs.systemtests.harness.Content;
import io.acaciafs.systemtests.harness.DfsAdminCommand;
import io.acaciafs.systemtests.harness.HaCluster;
import io.acaciafs.systemtests.harness.NameNodeProcess;
import io.acaciafs.systemtests.harness.NameNodeProgram;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A file system moves by backups from one NameNode to three, and back, as docs/ha.md says: its
 * DataNode keeps its folder, and all paths and blocks stay.
 */
class OneAndThreeTest {
  private static final int DIRECTORIES = 50;
  private static final int FILE_BYTES = 200_000;

  @TempDir private java.nio.file.Path folder;

  /** What each stage has written, by its name. */
  private final Map<String, Content> stages = new TreeMap<>();

  @Test
  void nothingIsLostOnTheWayToThreeNameNodesAndBack() throws Exception {
    java.nio.file.Path ofOne = folder.resolve("of-one");
    java.nio.file.Path ofThree = folder.resolve("of-three");
    try (Cluster one = Cluster.builder("one").program(NameNodeProgram.ACACIA).start()) {
      write(one.fileSystem(), "one");
      enterSafeMode(one.clientConfiguration(), one.fileSystem());
      requireSuccess(one.nameNode().run("backup", ofOne.toString()));
      one.stopNameNode();
      one.stopDataNodes();

      try (HaCluster three = HaCluster.restore("three", ofOne);
          DistributedFileSystem fs = three.newFileSystem()) {
        three.startDataNodes(one.dataFolders());
        assertHoldsAll(fs);
        write(fs, "three");
        enterSafeMode(three.clientConfiguration(), fs);
        requireSuccess(three.nameNode(0).run("backup", "--from", "nn1", ofThree.toString()));
        NameNodeProcess stopped = three.nameNode((three.awaitLeader() + 1) % three.size());
        stopped.terminate();
        requireSuccess(stopped.run("backup", folder.resolve("of-the-others").toString()));
      }

      one.useNameNode(NameNodeProgram.ACACIA, "name-back");
      requireSuccess(one.nameNode().run("restore", ofThree.toString()));
      one.startNameNode();
      one.startDataNodes();
      one.awaitDataNodes();
      assertHoldsAll(one.fileSystem());
      write(one.fileSystem(), "back");
      assertHoldsAll(one.fileSystem());
      assertThat(one.fileSystem().getMissingBlocksCount()).isZero();
    }
  }

  /** Directories and a file, in a directory of its own. */
  private void write(FileSystem fs, String stage) throws IOException {
    for (int i = 0; i < DIRECTORIES; i++) {
      assertThat(fs.mkdirs(new Path(directories(stage), Integer.toString(i)))).isTrue();
    }
    Content content = new Content(stages.size(), FILE_BYTES);
    content.write(fs, file(stage));
    stages.put(stage, content);
  }

  private static Path directories(String stage) {
    return new Path("/" + stage + "/directories");
  }

  private static Path file(String stage) {
    return new Path("/" + stage + "/file");
  }

  private static void enterSafeMode(Configuration site, FileSystem fs) throws Exception {
    DfsAdminCommand enter = DfsAdminCommand.run(site, "-safemode", "enter");
    assertThat(enter.code()).as(enter.text()).isZero();
    assertThatThrownBy(() -> fs.mkdirs(new Path("/late"))).hasMessageContaining("safe mode");
  }

  private void assertHoldsAll(FileSystem fs) throws IOException {
    for (Map.Entry<String, Content> stage : stages.entrySet()) {
      assertThat(fs.listStatus(directories(stage.getKey()))).hasSize(DIRECTORIES);
      assertThat(Content.read(fs, file(stage.getKey())))
          .as(stage.getKey())
          .isEqualTo(stage.getValue().bytes());
    }
  }

  private static void requireSuccess(NameNodeProcess.Exit exit) {
    assertThat(exit.code()).as(exit.output()).isZero();
  }
}
