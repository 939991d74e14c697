package io.acaciafs.systemtests.ha;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.systemtests.harness.Await;
import io.acaciafs.systemtests.harness.BlockFiles;
import io.acaciafs.systemtests.harness.Content;
import io.acaciafs.systemtests.harness.DfsAdminCommand;
import io.acaciafs.systemtests.harness.HaCluster;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.RollingUpgradeAction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A rolling upgrade of three NameNodes, by Hadoop's own dfsadmin and with Hadoop's DataNodes: all
 * NameNodes give the same answers, whichever leads.
 */
class TrioRollingUpgradeTest {
  private static final Duration LIMIT = Duration.ofMinutes(1);
  private static final String NONE =
      "There is no rolling upgrade in progress or rolling upgrade has already been finalized.";
  private static final org.apache.hadoop.fs.Path KEPT = new org.apache.hadoop.fs.Path("/kept");
  private static final org.apache.hadoop.fs.Path DELETED =
      new org.apache.hadoop.fs.Path("/deleted");
  private static final Content CONTENT = new Content(1, 100_000);

  private HaCluster cluster;
  private DistributedFileSystem fs;
  private String blockPool;

  @BeforeEach
  void start() throws Exception {
    cluster = HaCluster.start("trio-upgrade", 1);
    fs = cluster.newFileSystem();
    CONTENT.write(fs, KEPT);
    CONTENT.write(fs, DELETED);
  }

  @AfterEach
  void stop() throws Exception {
    fs.close();
    cluster.close();
  }

  private DfsAdminCommand dfsadmin(String... arguments) throws Exception {
    return DfsAdminCommand.run(cluster.clientConfiguration(), arguments);
  }

  /** What each of the three says, asked by its own address. */
  private List<DfsAdminCommand> each(String... arguments) throws Exception {
    List<DfsAdminCommand> said = new ArrayList<>();
    for (int i = 0; i < cluster.size(); i++) {
      Configuration conf = cluster.clientConfiguration();
      conf.set("fs.defaultFS", "hdfs://" + cluster.rpcAddress(i));
      said.add(DfsAdminCommand.run(conf, arguments));
    }
    return said;
  }

  private void assertAllSay(String end) throws Exception {
    List<DfsAdminCommand> said = each("-rollingUpgrade", "query");
    assertThat(said).allMatch(one -> one.code() == 0 && one.text().endsWith(end), end);
  }

  /** Returns what all say of it then, from the second line on. */
  private String prepare() throws Exception {
    DfsAdminCommand prepared = dfsadmin("-rollingUpgrade", "prepare");
    assertThat(prepared.code()).as(prepared.text()).isZero();
    assertThat(prepared.text())
        .startsWith("PREPARE rolling upgrade ...\n")
        .contains("  Finalize Time: <NOT FINALIZED>");
    Await.until(
        "a backup for the rollback",
        LIMIT,
        () ->
            dfsadmin("-rollingUpgrade", "query").text().contains("Proceed with rolling upgrade:"));
    blockPool = fs.rollingUpgrade(RollingUpgradeAction.QUERY).getBlockPoolId();
    Await.until("the DataNode keeps what it deletes", LIMIT, this::keepsDeleted);
    return dfsadmin("-rollingUpgrade", "query").text();
  }

  private boolean keepsDeleted() {
    return cluster.dataNodes().get(0).getFSDataset().trashEnabled(blockPool);
  }

  private List<Path> blockFiles(boolean inTrash) throws Exception {
    return BlockFiles.all(cluster.dataFolders().get(0), inTrash);
  }

  private List<Path> backups() throws Exception {
    List<Path> found = new ArrayList<>();
    for (int i = 0; i < cluster.size(); i++) {
      try (Stream<Path> beside = Files.list(cluster.nameFolder(i).getParent())) {
        beside
            .filter(path -> path.getFileName().toString().startsWith("rollback-"))
            .forEach(found::add);
      }
    }
    return found;
  }

  private void restartOneByOne() throws Exception {
    int leader = cluster.awaitLeader();
    List<Integer> order =
        IntStream.range(0, cluster.size())
            .map(i -> (leader + 1 + i) % cluster.size())
            .boxed()
            .toList();
    for (int i : order) {
      cluster.nameNode(i).terminate();
      cluster.nameNode(i).start();
      Await.until("an answer of " + i, LIMIT, () -> cluster.state(i) != null);
      cluster.awaitLeader();
      Await.until("all have heard", LIMIT, () -> fs.exists(KEPT));
    }
  }

  @Test
  void lastsThroughRestartsAndFailoversUntilItIsFinalized() throws Exception {
    assertAllSay(NONE);
    assertThat(dfsadmin("-safemode", "enter").code()).isZero();
    assertThat(dfsadmin("-rollingUpgrade", "prepare").text())
        .contains("Failed to start rolling upgrade. Name node is in safe mode.");
    assertThat(dfsadmin("-safemode", "leave").code()).isZero();
    assertAllSay(NONE);

    String underWay = prepare();
    assertAllSay(underWay);
    assertThat(dfsadmin("-rollingUpgrade", "prepare").text().lines().skip(1))
        .as("a repetition")
        .containsExactlyElementsOf(underWay.lines().skip(1).toList());
    restartOneByOne();
    assertAllSay(underWay);
    fs.delete(DELETED, false);
    Await.until("the block in the trash", LIMIT, () -> blockFiles(true).size() == 1);
    assertThat(backups()).hasSize(1);

    assertThat(dfsadmin("-rollingUpgrade", "finalize").text())
        .contains("Rolling upgrade is finalized.");
    assertAllSay(NONE);
    Await.until("an empty trash", LIMIT, () -> blockFiles(true).isEmpty() && !keepsDeleted());
    cluster.nameNode(cluster.awaitLeader()).kill();
    assertThat(dfsadmin("-rollingUpgrade", "query").text()).endsWith(NONE);
    assertThat(dfsadmin("-rollingUpgrade", "finalize").text()).endsWith(NONE);
  }

  @Test
  void upgradesByRestartAreFinalizedOnAll() throws Exception {
    assertThat(dfsadmin("-finalizeUpgrade").text().lines())
        .hasSize(3)
        .allMatch(line -> line.startsWith("Finalize upgrade successful for "));
    assertThat(dfsadmin("-upgrade", "query").text().lines())
        .hasSize(3)
        .allMatch(line -> line.startsWith("Upgrade finalized for "));
    assertThat(dfsadmin("-upgrade", "finalize").code()).isZero();
  }

  @Test
  void isRolledBackByAllThree() throws Exception {
    prepare();
    fs.delete(DELETED, false);
    Await.until("the block in the trash", LIMIT, () -> blockFiles(true).size() == 1);
    assertThat(fs.truncate(KEPT, 40_000)).isFalse();
    cluster.nameNode(cluster.awaitLeader()).kill();
    Await.until("the file to be cut", LIMIT, () -> fs.isFileClosed(KEPT));
    assertThat(Content.read(fs, KEPT)).isEqualTo(Arrays.copyOf(CONTENT.bytes(), 40_000));
    Await.until("the block of before in the trash", LIMIT, () -> blockFiles(true).size() == 2);
    fs.mkdirs(new org.apache.hadoop.fs.Path("/later"));
    assertThat(backups()).hasSize(1);

    cluster.rollBack(backups().get(0));

    try (DistributedFileSystem after = cluster.newFileSystem()) {
      Await.until("the end of safe mode", LIMIT, () -> !after.isInSafeMode());
      assertThat(Content.read(after, DELETED)).isEqualTo(CONTENT.bytes());
      assertThat(Content.read(after, KEPT)).isEqualTo(CONTENT.bytes());
      assertThat(after.exists(new org.apache.hadoop.fs.Path("/later"))).isFalse();
    }
    assertAllSay(NONE);
    assertThat(keepsDeleted()).isFalse();
  }
}
