package io.acaciafs.systemtests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.systemtests.harness.Cluster;
import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSClient;
import org.junit.jupiter.api.Test;

/** Nobody makes symbolic links unless the NameNode was told to allow it. */
class SymlinksOffTest {
  @Test
  void aLinkIsRefusedAndAskedForAsInHdfs() throws Exception {
    FileSystem.enableSymlinks(); // in the client
    try (Cluster cluster = Cluster.builder("symlinks-off").dataNodes(0).start()) {
      DFSClient client = cluster.fileSystem().getClient();
      cluster.fileSystem().create(new Path("/file")).close();

      assertThatThrownBy(() -> client.createSymlink("/file", "/link", true))
          .hasMessageContaining("Symlinks not supported");
      assertThat(client.getFileLinkInfo("/link")).isNull();
      assertThatThrownBy(() -> client.getLinkTarget("/link"))
          .isInstanceOf(FileNotFoundException.class);
      assertThatThrownBy(() -> client.getLinkTarget("/file"))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("Path /file is not a symbolic link");
    }
  }
}
