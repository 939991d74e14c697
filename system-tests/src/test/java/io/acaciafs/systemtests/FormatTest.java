package io.acaciafs.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.kv.hbase.local.FreePorts;
import io.acaciafs.systemtests.harness.Await;
import io.acaciafs.systemtests.harness.BlockFiles;
import io.acaciafs.systemtests.harness.Cluster;
import io.acaciafs.systemtests.harness.Content;
import io.acaciafs.systemtests.harness.NameNodeProcess;
import io.acaciafs.systemtests.harness.NameNodeProgram;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nobody loses files by a folder of the wrong kind. */
class FormatTest {
  private static final Duration EXIT_LIMIT = Duration.ofSeconds(60);

  @Test
  void doesNotStartOnAFolderThatIsNotFormatted(@TempDir Path folder) throws Exception {
    NameNodeProcess nameNode = nameNode(folder);
    nameNode.start();

    NameNodeProcess.Exit exit = nameNode.awaitExit(EXIT_LIMIT);

    assertThat(exit.code()).isNotZero();
    assertThat(exit.output()).contains("not formatted");
  }

  @Test
  void doesNotFormatTwiceWithoutForce() throws Exception {
    try (Cluster cluster = Cluster.builder("format").start()) {
      org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path("/file");
      Content content = new Content(1, 1000);
      content.write(cluster.fileSystem(), file);
      cluster.stopNameNode();

      NameNodeProcess.Exit exit = cluster.nameNode().format("CID-other");

      assertThat(exit.code()).isNotZero();
      assertThat(exit.output().toLowerCase(Locale.ROOT)).contains("format");
      cluster.startNameNode();
      cluster.awaitDataNodes();
      assertThat(Content.read(cluster.fileSystem(), file)).isEqualTo(content.bytes());
    }
  }

  /** Another namespace's NameNode behind the same address must not get hold of the blocks. */
  @Test
  void dataNodesOfAnotherClusterStayOutAndKeepTheirBlocks() throws Exception {
    try (Cluster cluster = Cluster.builder("reformat").start()) {
      new Content(1, 1000).write(cluster.fileSystem(), new org.apache.hadoop.fs.Path("/file"));
      List<Path> blocks = BlockFiles.all(cluster.dataFolders().get(0));
      assertThat(blocks).hasSize(1);
      cluster.stopDataNodes();
      cluster.stopNameNode();
      FileUtil.fullyDelete(cluster.nameFolder().toFile());
      assertThat(cluster.nameNode().format("CID-other").code()).isZero();
      cluster.startNameNode();
      cluster.startDataNodes();

      DataNode dataNode = cluster.dataNodes().get(0);
      Await.until("end of the DataNode's service", EXIT_LIMIT, () -> !dataNode.isDatanodeUp());

      assertThat(cluster.fileSystem().getDataNodeStats(DatanodeReportType.LIVE)).isEmpty();
      assertThat(BlockFiles.all(cluster.dataFolders().get(0))).isEqualTo(blocks);
    }
  }

  private static NameNodeProcess nameNode(Path folder) throws Exception {
    Configuration site = new Configuration(false);
    String address = "127.0.0.1:" + FreePorts.next();
    site.set("fs.defaultFS", "hdfs://" + address);
    site.set("dfs.namenode.rpc-address", address);
    site.set("dfs.namenode.http-address", "127.0.0.1:0");
    Files.createDirectories(folder.resolve("name"));
    site.set("dfs.namenode.name.dir", folder.resolve("name").toUri().toString());
    return new NameNodeProcess(NameNodeProgram.underTest(), folder, site);
  }
}
