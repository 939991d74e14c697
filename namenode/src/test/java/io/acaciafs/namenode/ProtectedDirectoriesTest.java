package io.acaciafs.namenode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.namenode.settings.NamespaceConfig;
import java.io.File;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.security.AccessControlException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** fs.protected.directories, as a client meets it. */
class ProtectedDirectoriesTest {
  @Test
  void aClientCannotRemoveThem(@TempDir File folder) throws Exception {
    Map<String, String> settings =
        Map.of(
            "fs.protected.directories", "/user, /warehouse/",
            "dfs.protected.subdirectories.enable", "true");
    try (RunningNameNode nameNode = new RunningNameNode(folder, settings)) {
      DistributedFileSystem fs = nameNode.fileSystem();
      fs.mkdirs(new Path("/user/alice/x"));
      fs.mkdirs(new Path("/warehouse"));
      assertThatThrownBy(() -> fs.delete(new Path("/user"), true))
          .isInstanceOf(AccessControlException.class)
          .hasMessageContaining("Cannot delete/rename non-empty protected directory /user");
      assertThatThrownBy(() -> fs.rename(new Path("/user"), new Path("/u")))
          .hasMessageContaining("Cannot delete/rename non-empty protected directory /user");
      assertThatThrownBy(() -> fs.delete(new Path("/user/alice"), true))
          .hasMessageContaining(
              "Cannot delete/rename subdirectory under protected subdirectory /user");
      assertThat(fs.delete(new Path("/warehouse"), true)).isTrue();
      assertThat(fs.exists(new Path("/user/alice/x"))).isTrue();
    }
  }

  /** As HDFS, which names them in its log. */
  @Test
  void whatIsNoPathOfTheFileSystemIsPassedOver() {
    Configuration conf = new HdfsConfiguration();
    assertThat(NamespaceConfig.protectedDirectories(conf)).isEmpty();
    conf.set(
        "fs.protected.directories",
        " /a//b/ , relative, hdfs://host/c, /.reserved/raw/d, ,/.reservedly");
    assertThat(NamespaceConfig.protectedDirectories(conf)).containsExactly("/a/b", "/.reservedly");
  }
}
