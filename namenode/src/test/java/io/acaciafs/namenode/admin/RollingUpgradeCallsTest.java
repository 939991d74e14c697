package io.acaciafs.namenode.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.namenode.RunningNameNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.NameNodeProxies;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.RollingUpgradeAction;
import org.apache.hadoop.hdfs.protocol.RollingUpgradeInfo;
import org.apache.hadoop.hdfs.server.protocol.NamenodeProtocol;
import org.apache.hadoop.ipc.RemoteException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A rolling upgrade of a NameNode that is alone. */
class RollingUpgradeCallsTest {
  @TempDir private Path folder;
  private Path backups;
  private RunningNameNode nameNode;
  private DistributedFileSystem fs;

  @BeforeEach
  void start() throws IOException {
    backups = Files.createDirectory(folder.resolve("backups"));
    start("name", Map.of("acacia.rollback.dir", backups.toUri().toString()));
  }

  private void start(String name, Map<String, String> settings) throws IOException {
    nameNode = new RunningNameNode(folder.resolve(name).toFile(), settings);
    fs = nameNode.fileSystem();
  }

  @AfterEach
  void stop() throws IOException {
    nameNode.close();
  }

  private RollingUpgradeInfo query() throws IOException {
    return fs.rollingUpgrade(RollingUpgradeAction.QUERY);
  }

  private RollingUpgradeInfo prepare() throws IOException {
    return fs.rollingUpgrade(RollingUpgradeAction.PREPARE);
  }

  private RollingUpgradeInfo prepareInSafeMode() throws IOException {
    fs.setSafeMode(SafeModeAction.ENTER);
    return prepare();
  }

  private RollingUpgradeInfo finish() throws IOException {
    return fs.rollingUpgrade(RollingUpgradeAction.FINALIZE);
  }

  private boolean isToldToOthers() throws IOException {
    return NameNodeProxies.createProxy(fs.getConf(), fs.getUri(), NamenodeProtocol.class)
        .getProxy()
        .isRollingUpgrade();
  }

  private static Set<String> names(Path of) throws IOException {
    try (Stream<Path> files = Files.list(of)) {
      return files.map(file -> file.getFileName().toString()).collect(Collectors.toSet());
    }
  }

  @Test
  void beginsInSafeModeAloneAndLeavesIt() throws Exception {
    assertThat(query()).isNull();
    assertThatThrownBy(this::prepare)
        .isInstanceOfSatisfying(
            RemoteException.class,
            refusal -> assertThat(refusal.getClassName()).isEqualTo(IOException.class.getName()))
        .hasMessageStartingWith(
            "Safe mode should be turned ON in order to create namespace image.");
    assertThat(query()).isNull();
    assertThat(isToldToOthers()).isFalse();

    long beforeMs = System.currentTimeMillis();
    RollingUpgradeInfo begun = prepareInSafeMode();

    assertThat(begun.getStartTime()).isBetween(beforeMs, System.currentTimeMillis());
    assertThat(begun.isFinalized()).isFalse();
    assertThat(begun.createdRollbackImages()).isTrue();
    assertThat(begun.getBlockPoolId()).startsWith("BP-");
    assertThat(fs.setSafeMode(SafeModeAction.GET)).isFalse();
    assertThat(names(backups)).containsExactly("rollback-" + begun.getStartTime());
    assertThat(query()).isEqualTo(begun);
    assertThat(query().createdRollbackImages()).isTrue();
    assertThat(isToldToOthers()).isTrue();
  }

  @Test
  void aRepetitionIsAnsweredWithTheOneThatIsUnderWay() throws Exception {
    RollingUpgradeInfo begun = prepareInSafeMode();
    assertThat(prepare()).as("without safe mode").isEqualTo(begun);
    assertThat(prepareInSafeMode()).as("in safe mode").isEqualTo(begun);
    assertThat(fs.setSafeMode(SafeModeAction.GET)).as("it was not left for that").isTrue();
    assertThat(names(backups)).hasSize(1);
  }

  @Test
  void endsOnce() throws Exception {
    assertThat(finish()).as("none is under way").isNull();
    RollingUpgradeInfo begun = prepareInSafeMode();
    fs.setSafeMode(SafeModeAction.ENTER);
    assertThatThrownBy(this::finish)
        .hasMessageContaining(
            "Failed to finalize rolling upgrade. Name node is in safe mode.\n"
                + "It was turned on manually.");
    fs.setSafeMode(SafeModeAction.LEAVE);

    RollingUpgradeInfo ended = finish();

    assertThat(ended.getStartTime()).isEqualTo(begun.getStartTime());
    assertThat(ended.isFinalized()).isTrue();
    assertThat(ended.getFinalizeTime()).isGreaterThanOrEqualTo(begun.getStartTime());
    assertThat(ended.createdRollbackImages()).isFalse();
    assertThat(finish()).isNull();
    assertThat(query()).isNull();
    assertThat(isToldToOthers()).isFalse();
    assertThat(prepareInSafeMode().getStartTime()).isGreaterThan(begun.getStartTime());
    assertThat(names(backups)).hasSize(2);
  }

  /** Nothing to finalize of an upgrade by a restart, before, during and after a rolling one. */
  @Test
  void otherUpgradesAreFinalized() throws Exception {
    fs.finalizeUpgrade();
    assertThat(fs.upgradeStatus()).isTrue();
    prepareInSafeMode();
    fs.finalizeUpgrade();
    assertThat(fs.upgradeStatus()).isTrue();
    assertThat(query()).isNotNull();
  }

  @Test
  void whatCannotBeBackedUpIsNotBegun() throws Exception {
    Files.delete(backups);
    assertThatThrownBy(this::prepareInSafeMode)
        .hasMessageContaining("There is no folder " + backups + " to make the backup in");
    assertThat(query()).isNull();
    assertThat(fs.setSafeMode(SafeModeAction.GET)).isTrue();
  }

  @Test
  void theBackupIsMadeBesideTheFolderByDefault() throws Exception {
    stop();
    Files.createDirectory(folder.resolve("other"));
    start("other/name", Map.of());
    RollingUpgradeInfo begun = prepareInSafeMode();
    assertThat(names(folder.resolve("other")))
        .containsExactlyInAnyOrder("name", "rollback-" + begun.getStartTime());
  }

  @Test
  void dashboardsSeeIt() throws Exception {
    assertThat(bean()).doesNotContain("RollingUpgradeStatus");
    assertThat(status()).doesNotContain("rollingUpgrade");
    RollingUpgradeInfo begun = prepareInSafeMode();
    String shown =
        "\"RollingUpgradeStatus\":{\"blockPoolId\":\""
            + begun.getBlockPoolId()
            + "\",\"createdRollbackImages\":true,\"finalizeTime\":0,\"startTime\":"
            + begun.getStartTime()
            + "}";
    await(() -> bean().replaceAll("\\s", "").contains(shown));
    assertThat(status()).contains("/rollback-" + begun.getStartTime());
    finish();
    await(() -> !bean().contains("RollingUpgradeStatus"));
    assertThat(status()).doesNotContain("rollingUpgrade");
  }

  /** Beans are kept for a moment. */
  private static void await(Callable<Boolean> condition) throws Exception {
    long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    while (!condition.call()) {
      assertThat(System.nanoTime()).as("too late").isLessThan(deadlineNs);
    }
  }

  private String bean() throws Exception {
    return nameNode.send("GET", "/jmx?qry=Hadoop:service=NameNode,name=NameNodeInfo").body();
  }

  private String status() throws Exception {
    return nameNode.send("GET", "/api/status").body();
  }
}
