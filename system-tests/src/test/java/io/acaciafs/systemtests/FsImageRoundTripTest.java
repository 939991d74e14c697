package io.acaciafs.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.kv.hbase.local.LocalHBase;
import io.acaciafs.kv.hbase.local.LocalHBaseOptions;
import io.acaciafs.systemtests.harness.AbandonedWriter;
import io.acaciafs.systemtests.harness.AcaciaCommand;
import io.acaciafs.systemtests.harness.Await;
import io.acaciafs.systemtests.harness.BlockFiles;
import io.acaciafs.systemtests.harness.Cluster;
import io.acaciafs.systemtests.harness.Content;
import io.acaciafs.systemtests.harness.Images;
import io.acaciafs.systemtests.harness.NameNodeProgram;
import io.acaciafs.systemtests.harness.TreePicture;
import io.acaciafs.systemtests.harness.VariedTree;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A cluster of Hadoop's NameNode goes over to Acacia and back again; its DataNodes stay, and keep
 * every block where it is. Seen by Hadoop's own client all is the same each time.
 *
 * <p>{@code -Dacacia.image-files=100000} for a larger one.
 */
class FsImageRoundTripTest {
  private static final int FILES = Integer.getInteger("acacia.image-files", 2000);
  private static final Duration COMMAND_LIMIT = Duration.ofMinutes(5);
  private static final Duration LIMIT = Duration.ofSeconds(120 + FILES / 100);
  private static final org.apache.hadoop.fs.Path OPEN = new org.apache.hadoop.fs.Path("/open");
  private static final Content SYNCED = new Content(3, 1500);

  /** Tells how long each step took. */
  private static final class Steps {
    private long sinceNs = System.nanoTime();

    void done(String what) {
      long nowNs = System.nanoTime();
      System.out.printf(
          "Round trip of %d files: %s in %.1f s%n", FILES, what, (nowNs - sinceNs) / 1e9);
      sinceNs = nowNs;
    }
  }

  @Test
  void aClusterGoesOverAndBackWithItsBlocks() throws Exception {
    goOverAndBack(Map.of());
  }

  /** The rows come to HBase by files of its own, as in {@link MigrationTest}. */
  @Test
  @Tag("long")
  void aClusterGoesToHBaseAndBack(@TempDir Path folder) throws Exception {
    Path classPath = Path.of(System.getProperty("acacia.hbase.classpath"));
    try (LocalHBase hbase = LocalHBase.start(LocalHBaseOptions.of(folder, classPath, 1))) {
      goOverAndBack(
          Map.of(
              "acacia.store.engine",
              "hbase",
              "acacia.store.hbase.zookeeper",
              hbase.zooKeeper(),
              "acacia.store.hbase.regions",
              "4",
              "acacia.store.hbase.load.folder",
              folder.resolve("load").toUri().toString()));
    }
  }

  /**
   * @param engine settings of Acacia's, which Hadoop's does not look at
   */
  private static void goOverAndBack(Map<String, String> engine) throws Exception {
    Cluster.Builder builder = Cluster.builder("fsimage");
    engine.forEach(builder::set);
    try (Cluster cluster =
        builder
            .program(NameNodeProgram.HADOOP)
            .dataNodes(3)
            .set("dfs.blocksize", VariedTree.BLOCK_SIZE)
            .set("dfs.namenode.fs-limits.min-block-size", 512)
            .set("dfs.namenode.accesstime.precision", 0)
            .set("dfs.image.compress", true)
            .set("dfs.image.parallel.inode.threshold", 500)
            .start()) {
      DistributedFileSystem fs = cluster.fileSystem();
      Steps steps = new Steps();
      VariedTree tree = new VariedTree(fs, FILES);
      tree.make();
      AbandonedWriter.write(
          cluster, OPEN, SYNCED, cluster.nameFolder().resolveSibling("writer.log"));
      steps.done("made");
      List<String> before = TreePicture.of(fs);
      assertThat(before).hasSizeGreaterThan(FILES);
      steps.done("looked at, " + before.size() + " inodes");
      List<String> blockFiles = BlockFiles.names(cluster.dataFolders());
      fs.setSafeMode(SafeModeAction.ENTER);
      fs.saveNamespace();
      Path image = Images.newest(cluster.nameFolder().resolve("current"));
      assertRefusedWhileItRuns(cluster, image);
      cluster.stopNameNode();

      cluster.useNameNode(NameNodeProgram.ACACIA, "name-acacia");
      steps.done("saved and stopped");
      acacia(cluster, "import", "--fsimage", image.toString());
      steps.done("imported");
      cluster.startNameNode();
      cluster.awaitDataNodes();
      BlockFiles.awaitReplicas(fs, LIMIT);
      steps.done("started on Acacia, " + blockFiles.size() + " replicas reported");
      assertThat(TreePicture.differences(before, TreePicture.of(fs))).isEmpty();
      tree.checkContents(fs);
      assertThat(BlockFiles.names(cluster.dataFolders())).isEqualTo(blockFiles);
      steps.done("compared");

      goOn(fs);
      List<String> changed = TreePicture.of(fs);
      blockFiles = BlockFiles.names(cluster.dataFolders());
      cluster.stopNameNode();
      Path exported = cluster.nameFolder().resolveSibling("name-back");
      steps.done("gone on and stopped");
      acacia(cluster, "export", "--fsimage", exported.toString());
      steps.done("exported");
      cluster.useNameNode(NameNodeProgram.HADOOP, "name-back");
      cluster.startNameNode();
      cluster.awaitDataNodes();
      BlockFiles.awaitReplicas(fs, LIMIT);
      steps.done("started on Hadoop's, " + blockFiles.size() + " replicas reported");
      assertThat(TreePicture.differences(changed, TreePicture.of(fs))).isEmpty();
      tree.checkContents(fs);
      assertThat(BlockFiles.names(cluster.dataFolders())).isEqualTo(blockFiles);
      assertThat(Content.read(fs, OPEN)).startsWith(SYNCED.bytes());
      steps.done("compared");
      new Content(9, 3000).write(fs, new org.apache.hadoop.fs.Path("/written-after-all"));
    }
  }

  private static void assertRefusedWhileItRuns(Cluster cluster, Path image) throws Exception {
    Path target = cluster.nameFolder().resolveSibling("name-too-early");
    try (AcaciaCommand command =
        AcaciaCommand.start(
            cluster.nameFolder().resolveSibling("too-early.log"),
            List.of("-Xmx256m"),
            "import",
            "--fsimage",
            image.toString(),
            "-D",
            "dfs.namenode.name.dir=" + target.toUri())) {
      assertThat(command.awaitExit(COMMAND_LIMIT)).isEqualTo(1);
      assertThat(command.output()).contains("is running", "--old-image");
    }
    assertThat(target).doesNotExist();
  }

  /** Life goes on: what was open is closed, and there are new files, and longer ones. */
  private static void goOn(DistributedFileSystem fs) throws Exception {
    Await.until("recovery", LIMIT, () -> fs.recoverLease(OPEN));
    assertThat(Content.read(fs, OPEN)).isEqualTo(SYNCED.bytes());
    new Content(7, 5000).write(fs, new org.apache.hadoop.fs.Path("/new"));
    try (FSDataOutputStream out = fs.append(OPEN)) {
      out.write(new Content(8, 700).bytes());
    }
    BlockFiles.awaitReplicas(fs, LIMIT);
  }

  private static void acacia(Cluster cluster, String... arguments) throws Exception {
    Path log = cluster.nameFolder().resolveSibling(arguments[0] + ".log");
    List<String> all = new ArrayList<>(List.of(arguments));
    Map<String, String> settings = new TreeMap<>();
    settings.put("fs.defaultFS", cluster.uri().toString());
    settings.put("dfs.namenode.name.dir", cluster.nameFolder().toUri().toString());
    cluster
        .clientConfiguration()
        .getPropsWithPrefix("acacia.store.")
        .forEach((key, value) -> settings.put("acacia.store." + key, value));
    settings.forEach((key, value) -> all.addAll(List.of("-D", key + "=" + value)));
    try (AcaciaCommand command =
        AcaciaCommand.start(log, List.of("-Xmx256m"), all.toArray(String[]::new))) {
      assertThat(command.awaitExit(COMMAND_LIMIT)).as(command.output()).isZero();
    }
  }
}
