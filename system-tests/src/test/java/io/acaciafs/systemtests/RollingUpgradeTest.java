package io.acaciafs.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.systemtests.harness.Await;
import io.acaciafs.systemtests.harness.BlockFiles;
import io.acaciafs.systemtests.harness.Cluster;
import io.acaciafs.systemtests.harness.Content;
import io.acaciafs.systemtests.harness.DfsAdminCommand;
import io.acaciafs.systemtests.harness.NameNodeProcess;
import io.acaciafs.systemtests.harness.NameNodeProgram;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.RollingUpgradeAction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A rolling upgrade of one NameNode, by Hadoop's own dfsadmin and with Hadoop's DataNodes. */
class RollingUpgradeTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final String NONE =
      "There is no rolling upgrade in progress or rolling upgrade has already been finalized.";
  private static final String INFO =
      "  Block Pool ID: BP-\\S+\n     Start Time: .+ \\(=\\d+\\)\n  Finalize Time: ";
  private static final org.apache.hadoop.fs.Path KEPT = new org.apache.hadoop.fs.Path("/kept");
  private static final org.apache.hadoop.fs.Path DELETED =
      new org.apache.hadoop.fs.Path("/deleted");
  private static final org.apache.hadoop.fs.Path LATER = new org.apache.hadoop.fs.Path("/later");
  private static final Content CONTENT = new Content(1, 100_000);

  private Cluster cluster;
  private DistributedFileSystem fs;
  private String blockPool;

  @BeforeEach
  void start() throws Exception {
    cluster =
        Cluster.builder("rolling-upgrade")
            .program(NameNodeProgram.ACACIA)
            .set("dfs.namenode.redundancy.interval.seconds", 1)
            .start();
    fs = cluster.fileSystem();
    CONTENT.write(fs, KEPT);
    CONTENT.write(fs, DELETED);
  }

  @AfterEach
  void stop() throws Exception {
    cluster.close();
  }

  private DfsAdminCommand dfsadmin(String... arguments) throws Exception {
    return DfsAdminCommand.run(cluster.clientConfiguration(), arguments);
  }

  private void prepare() throws Exception {
    assertThat(dfsadmin("-safemode", "enter").code()).isZero();
    DfsAdminCommand prepared = dfsadmin("-rollingUpgrade", "prepare");
    assertThat(prepared.code()).isZero();
    assertThat(prepared.text())
        .matches(
            "PREPARE rolling upgrade ...\nProceed with rolling upgrade:\n"
                + INFO
                + "<NOT FINALIZED>");
    blockPool = fs.rollingUpgrade(RollingUpgradeAction.QUERY).getBlockPoolId();
    Await.until("the DataNode keeps what it deletes", LIMIT, this::keepsDeleted);
  }

  private boolean keepsDeleted() {
    return cluster.dataNodes().get(0).getFSDataset().trashEnabled(blockPool);
  }

  /** Block files of the DataNode: in its trash, or in use. */
  private List<Path> blockFiles(boolean inTrash) throws Exception {
    return BlockFiles.all(cluster.dataFolders().get(0), inTrash);
  }

  private void deleteAndAwaitTrash() throws Exception {
    fs.delete(DELETED, false);
    Await.until("the block in the trash", LIMIT, () -> blockFiles(true).size() == 1);
  }

  @Test
  void endsWithFinalize() throws Exception {
    assertThat(dfsadmin("-rollingUpgrade", "query"))
        .isEqualTo(new DfsAdminCommand(0, "QUERY rolling upgrade ...\n" + NONE));
    assertThat(dfsadmin("-rollingUpgrade", "finalize"))
        .isEqualTo(new DfsAdminCommand(0, "FINALIZE rolling upgrade ...\n" + NONE));
    DfsAdminCommand refused = dfsadmin("-rollingUpgrade", "prepare");
    assertThat(refused.code()).isNotZero();
    assertThat(refused.text())
        .endsWith("Safe mode should be turned ON in order to create namespace image.");
    prepare();
    String underWay = dfsadmin("-rollingUpgrade", "query").text();
    deleteAndAwaitTrash();

    cluster.restartNameNode();

    assertThat(dfsadmin("-rollingUpgrade", "query").text())
        .isEqualTo(underWay)
        .startsWith("QUERY rolling upgrade ...\nProceed with rolling upgrade:\n");
    assertThat(dfsadmin("-rollingUpgrade", "finalize").text())
        .matches(
            "FINALIZE rolling upgrade ...\nRolling upgrade is finalized.\n"
                + INFO
                + ".+ \\(=\\d+\\)");
    Await.until("an empty trash", LIMIT, () -> blockFiles(true).isEmpty() && !keepsDeleted());
    assertThat(dfsadmin("-rollingUpgrade", "query").text()).endsWith(NONE);
    assertThat(dfsadmin("-finalizeUpgrade"))
        .isEqualTo(new DfsAdminCommand(0, "Finalize upgrade successful"));
    assertThat(dfsadmin("-upgrade", "query"))
        .isEqualTo(new DfsAdminCommand(0, "Upgrade finalized"));
    assertThat(dfsadmin("-upgrade", "finalize"))
        .isEqualTo(new DfsAdminCommand(0, "Finalize upgrade successful"));
    fs.delete(KEPT, false);
    Await.until("deletion without trash", LIMIT, () -> blockFiles(false).isEmpty());
    assertThat(blockFiles(true)).isEmpty();
  }

  /**
   * A DataNode that was away when it was finalized hears of it when it is back. What it has in its
   * trash stays there, as with HDFS's NameNode: it clears what it filled since its start.
   */
  @Test
  void endsForDataNodesThatComeBackLater() throws Exception {
    prepare();
    Path marker =
        cluster.dataFolders().get(0).resolve("current/" + blockPool + "/RollingUpgradeInProgress");
    Await.until("the DataNode's own mark", LIMIT, () -> Files.exists(marker));
    cluster.stopDataNodes();
    assertThat(dfsadmin("-rollingUpgrade", "finalize").code()).isZero();
    cluster.restartNameNode();
    cluster.startDataNodes();

    Await.until("it is told that it is over", LIMIT, () -> !Files.exists(marker));
    fs.delete(DELETED, false);
    Await.until("deletion without trash", LIMIT, () -> blockFiles(false).size() == 1);
    assertThat(blockFiles(true)).isEmpty();
  }

  private long startMs() throws Exception {
    return fs.rollingUpgrade(RollingUpgradeAction.QUERY).getStartTime();
  }

  private void rollBack(long startMs) throws Exception {
    cluster.stopDataNodes();
    cluster.stopNameNode();
    cluster.useNameNode(NameNodeProgram.ACACIA, "name-restored");
    NameNodeProcess.Exit restored =
        cluster
            .nameNode()
            .run("restore", cluster.folder().resolve("rollback-" + startMs).toString());
    assertThat(restored.code()).as(restored.output()).isZero();
    cluster.startNameNode();
    cluster.rollBackDataNodes();
    cluster.awaitDataNodes();
  }

  private void cut(org.apache.hadoop.fs.Path file, int lengthBytes) throws Exception {
    assertThat(fs.truncate(file, lengthBytes)).isFalse();
    Await.until("the file to be cut", LIMIT, () -> fs.isFileClosed(file));
    assertThat(Content.read(fs, file)).isEqualTo(Arrays.copyOf(CONTENT.bytes(), lengthBytes));
  }

  private long blockIdOf(org.apache.hadoop.fs.Path file) throws Exception {
    return fs.getClient()
        .getLocatedBlocks(file.toUri().getPath(), 0)
        .get(0)
        .getBlock()
        .getBlockId();
  }

  @Test
  void aFileThatWasCutIsWholeAfterARollback() throws Exception {
    long blockId = blockIdOf(KEPT);
    cut(KEPT, 90_000);
    assertThat(blockIdOf(KEPT)).as("cut in place before").isEqualTo(blockId);
    prepare();
    long startMs = startMs();

    cut(KEPT, 40_000);
    assertThat(blockIdOf(KEPT)).isNotEqualTo(blockId);
    Await.until("the block in the trash", LIMIT, () -> blockFiles(true).size() == 1);
    cut(KEPT, 30_000);
    try (FSDataOutputStream out = fs.append(KEPT)) {
      out.write(new byte[10]);
    }
    cut(DELETED, 1);
    fs.delete(DELETED, false);
    Await.until("copies in the trash too", LIMIT, () -> blockFiles(true).size() == 4);
    assertThat(fs.getFileStatus(KEPT).getLen()).isEqualTo(30_010);
    rollBack(startMs);

    assertThat(Content.read(fs, KEPT)).isEqualTo(Arrays.copyOf(CONTENT.bytes(), 90_000));
    assertThat(blockIdOf(KEPT)).isEqualTo(blockId);
    assertThat(Content.read(fs, DELETED)).isEqualTo(CONTENT.bytes());
    Await.until("deletion of the copies", LIMIT, () -> blockFiles(false).size() == 2);
    cut(KEPT, 20_000);
    assertThat(blockIdOf(KEPT)).as("cut in place again").isEqualTo(blockId);
  }

  /** Hadoop's NameNode takes up no rolling upgrade without a rollback image of its own. */
  @Test
  void endsBeforeAnythingIsExportedToHadoopsNameNode() throws Exception {
    prepare();
    cluster.stopNameNode();
    Path back = cluster.folder().resolve("name-back");
    NameNodeProcess.Exit refused = cluster.nameNode().run("export", "--fsimage", back.toString());
    assertThat(refused.code()).isEqualTo(1);
    assertThat(refused.output()).contains("A rolling upgrade is under way since ");
    assertThat(back).doesNotExist();

    cluster.startNameNode();
    assertThat(dfsadmin("-rollingUpgrade", "finalize").code()).isZero();
    cluster.stopNameNode();
    NameNodeProcess.Exit exported = cluster.nameNode().run("export", "--fsimage", back.toString());
    assertThat(exported.code()).as(exported.output()).isZero();
  }

  @Test
  void isRolledBack() throws Exception {
    prepare();
    long startMs = startMs();
    deleteAndAwaitTrash();
    CONTENT.write(fs, LATER);
    assertThat(blockFiles(false)).hasSize(2);

    rollBack(startMs);

    assertThat(Content.read(fs, DELETED)).isEqualTo(CONTENT.bytes());
    assertThat(Content.read(fs, KEPT)).isEqualTo(CONTENT.bytes());
    assertThat(fs.exists(LATER)).isFalse();
    assertThat(dfsadmin("-rollingUpgrade", "query").text()).endsWith(NONE);
    Await.until("deletion of what is in no file", LIMIT, () -> blockFiles(false).size() == 2);
    assertThat(keepsDeleted()).isFalse();
    assertThat(Content.read(fs, DELETED)).isEqualTo(CONTENT.bytes());
    try (Stream<Path> backups = Files.list(cluster.folder())) {
      assertThat(backups.filter(path -> path.getFileName().toString().startsWith("rollback-")))
          .as("the backup stays as it was")
          .hasSize(1);
    }
  }
}
