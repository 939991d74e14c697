package io.acaciafs.systemtests.ha;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.systemtests.harness.HaCluster;
import io.acaciafs.systemtests.harness.Images;
import io.acaciafs.systemtests.harness.NameNodeProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.tools.DFSAdmin;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Images of Hadoop's format go into three NameNodes, and come out of them while they serve. */
class ImagesOfThreeTest {
  private static final int DIRECTORIES = 40;

  @TempDir private Path folder;

  @Test
  void anExportOfThreeNameNodesIsImportedIntoThreeOthers() throws Exception {
    Path exported = folder.resolve("exported");
    List<String> before;
    try (HaCluster cluster = HaCluster.start("exported", 0);
        DistributedFileSystem fs = cluster.newFileSystem()) {
      for (int i = 0; i < DIRECTORIES; i++) {
        assertThat(fs.mkdirs(path("/exported/" + i))).isTrue();
      }
      int leader = cluster.awaitLeader();
      NameNodeProcess standby = cluster.nameNode((leader + 1) % cluster.size());
      NameNodeProcess.Exit exit = standby.run("export", "--fsimage=" + exported);
      assertThat(exit.output())
          .contains("Exported 0 files, " + (DIRECTORIES + 2) + " directories")
          .contains(exported.toString());
      assertThat(exit.code()).isZero();
      assertThat(
              PosixFilePermissions.toString(
                  Files.getPosixFilePermissions(exported.resolve("current"))))
          .as("it holds the keys of tokens")
          .isEqualTo("rwx------");
      NameNodeProcess.Exit again = standby.run("export", "--fsimage=" + exported);
      assertThat(again.code()).as(again.output()).isNotZero();
      assertThat(cluster.nameFolder(leader).resolve("export.tmp")).doesNotExist();
      before = names(fs);

      Path fetched = Files.createDirectories(folder.resolve("fetched"));
      DFSAdmin admin = new DFSAdmin(cluster.clientConfiguration());
      assertThat(admin.run(new String[] {"-fetchImage", fetched.toString()})).isZero();
      assertThat(Images.newest(fetched)).isRegularFile();
    }
    try (HaCluster cluster =
            HaCluster.imported("imported", Images.newest(exported.resolve("current")));
        DistributedFileSystem fs = cluster.newFileSystem()) {
      assertThat(names(fs)).isEqualTo(before);
      assertThat(fs.mkdirs(path("/exported/more"))).isTrue();
      NameNodeProcess.Exit check = cluster.nameNode(0).run("check");
      assertThat(check.output())
          .contains("The store is HEALTHY")
          .doesNotContain("NOT-CHECKED", "DAMAGE");
    }
  }

  private static org.apache.hadoop.fs.Path path(String name) {
    return new org.apache.hadoop.fs.Path(name);
  }

  private static List<String> names(DistributedFileSystem fs) throws Exception {
    List<String> names = new ArrayList<>();
    for (FileStatus status : fs.listStatus(path("/exported"))) {
      names.add(status.getPath().getName() + " " + status.getModificationTime());
    }
    return names;
  }
}
