package io.acaciafs.systemtests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.systemtests.harness.ClusterLocal;
import io.acaciafs.systemtests.harness.Content;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** {@code acacia cluster-local}: from nothing, and again on what is there. */
@Tag("long")
class ClusterLocalTest {
  private static final Path FILE = new Path("/data/file");
  private static final Content CONTENT = new Content(7, 300_000);

  @Test
  void aTreeComesUpFromNothingWithHBaseInItAndNoNameNodeOfHadoop() throws Exception {
    try (ClusterLocal cluster = new ClusterLocal("cluster-local", 2, 2)) {
      cluster.start();
      assertServers(cluster);
      try (FileSystem tree = cluster.treeClient();
          FileSystem large = cluster.largeClient();
          FileSystem meta = cluster.metaClient()) {
        CONTENT.write(tree, FILE);
        assertThat(Content.read(large, FILE)).isEqualTo(CONTENT.bytes());
        assertThat(names(tree, "/")).contains("data", "hbase", "tmp", "user");
        assertThat(names(large, "/")).contains("data").doesNotContain("hbase");
        assertThat(names(tree, "/hbase")).contains("WALs", "data", "hbase.id");
        Path id = new Path("/hbase/hbase.id");
        assertThat(Content.read(tree, id)).isEqualTo(Content.read(meta, id));
        assertThatThrownBy(() -> tree.delete(id, false))
            .as("through the tree HBase's files can only be read")
            .hasMessageContaining("read only");
      }
      List<ProcessHandle> servers = cluster.servers();
      cluster.terminate();
      assertThat(servers).noneMatch(ProcessHandle::isAlive);
      cluster.start();
      assertServers(cluster);
      try (FileSystem tree = cluster.treeClient()) {
        assertThat(Content.read(tree, FILE)).isEqualTo(CONTENT.bytes());
        assertThat(names(tree, "/hbase")).contains("hbase.id");
      }
    }
  }

  private static void assertServers(ClusterLocal cluster) throws IOException {
    assertThat(cluster.names())
        .containsExactly(
            "dn1",
            "dn2",
            "dn3",
            "master1",
            "master2",
            "meta-nn1",
            "meta-nn2",
            "meta-nn3",
            "nn1",
            "nn2",
            "router1",
            "router2",
            "rs1",
            "rs2",
            "zk1",
            "zk2",
            "zk3");
    assertThat(cluster.mainClasses())
        .hasSize(cluster.names().size())
        .doesNotContain("org.apache.hadoop.hdfs.server.namenode.NameNode")
        .contains(
            "io.acaciafs.tools.Acacia",
            "org.apache.hadoop.hdfs.server.datanode.DataNode",
            "org.apache.hadoop.hbase.master.HMaster");
  }

  private static List<String> names(FileSystem fs, String folder) throws IOException {
    return Arrays.stream(fs.listStatus(new Path(folder)))
        .map(each -> each.getPath().getName())
        .toList();
  }
}
