package io.acaciafs.systemtests.ha;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.systemtests.harness.Await;
import io.acaciafs.systemtests.harness.HaCluster;
import io.acaciafs.systemtests.harness.HaOptions;
import io.acaciafs.systemtests.harness.HaadminCommand;
import io.acaciafs.systemtests.harness.NameNodeProgram;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.Options.Rename;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * A site whose settings are still those of Hadoop's NameNodes with JournalNodes and failover
 * controllers, and whose clients ask all NameNodes at the same time.
 */
class HdfsHaSiteTest {
  private static final Duration LIMIT = Duration.ofMinutes(2);

  /** Which a client asks all NameNodes, as it does not know yet which one answers. */
  private static final int FIRST_CALLS = 15;

  private static HaCluster cluster;

  @BeforeAll
  static void start() throws Exception {
    Map<String, String> settings =
        Map.ofEntries(
            Map.entry(
                "dfs.namenode.shared.edits.dir",
                "qjournal://jn1:8485;jn2:8485;jn3:8485/journal-of-site"),
            Map.entry("dfs.journalnode.edits.dir", "/data/journal"),
            Map.entry("dfs.ha.automatic-failover.enabled", "true"),
            Map.entry("ha.zookeeper.quorum", "zk1:2181,zk2:2181,zk3:2181"),
            Map.entry("ha.zookeeper.parent-znode", "/hadoop-ha-site"),
            Map.entry("dfs.ha.zkfc.port", "8020"),
            Map.entry("dfs.ha.fencing.methods", "sshfence(hdfs:22)\nshell(/bin/true)"),
            Map.entry("dfs.ha.fencing.ssh.private-key-files", "/home/hdfs/.ssh/id_rsa"),
            Map.entry("dfs.ha.tail-edits.in-progress", "true"),
            Map.entry(
                "dfs.client.failover.proxy.provider.trio",
                "org.apache.hadoop.hdfs.server.namenode.ha.RequestHedgingProxyProvider"));
    cluster =
        HaCluster.start(
            "hdfs-ha-site", new HaOptions(1, settings, false, NameNodeProgram.ACACIA, List.of()));
  }

  @AfterAll
  static void stop() throws IOException {
    cluster.close();
  }

  private static String id(int nameNode) {
    return "nn" + (nameNode + 1);
  }

  private static HaadminCommand haadmin(String... arguments) throws Exception {
    return HaadminCommand.run(cluster.clientConfiguration(), arguments);
  }

  /** Those that Hadoop's NameNode follows; the others are for failover controllers alone. */
  @Test
  void eachNameNodeNamesInOneLineWhatItDoesNotFollow() throws Exception {
    for (int i = 0; i < cluster.size(); i++) {
      List<String> warnings =
          cluster.nameNode(i).log().stream()
              .filter(
                  line ->
                      line.matches(".*(shared\\.edits|journal|zk|zookeeper|fencing|failover\\.).*"))
              .toList();
      assertThat(warnings).hasSize(1);
      assertThat(warnings.get(0))
          .contains(
              " WARN ",
              "Settings that this NameNode does not follow: dfs.ha.automatic-failover.enabled,"
                  + " dfs.ha.tail-edits.in-progress, dfs.namenode.shared.edits.dir."
                  + " See docs/hdfs-settings.md");
    }
  }

  @Test
  void haadminTellsTheStatesOfAll() throws Exception {
    int leader = cluster.awaitLeader();
    cluster.awaitFollowers();
    HaadminCommand all = haadmin("-getAllServiceState");
    assertThat(all.code()).as(all.text()).isZero();
    List<String> lines = all.text().lines().toList();
    assertThat(lines).hasSize(cluster.size());
    for (int i = 0; i < cluster.size(); i++) {
      String address = cluster.rpcAddress(i).replace("127.0.0.1", "localhost");
      String state = i == leader ? "active" : "standby";
      assertThat(lines.get(i)).matches("(localhost|127\\.0\\.0\\.1):\\d+ +" + state + " *");
      assertThat(lines.get(i)).contains(address.substring(address.indexOf(':')) + " ");
      assertThat(haadmin("-getServiceState", id(i))).isEqualTo(new HaadminCommand(0, state + "\n"));
      assertThat(haadmin("-checkHealth", id(i))).isEqualTo(new HaadminCommand(0, ""));
    }
    int ended = (leader + 1) % cluster.size();
    cluster.nameNode(ended).kill();
    try {
      HaadminCommand twoAreLeft = haadmin("-getAllServiceState");
      assertThat(twoAreLeft.code()).isZero();
      assertThat(twoAreLeft.text().lines().toList().get(ended)).contains("Failed to connect: ");
      assertThat(twoAreLeft.text()).containsOnlyOnce(" active").containsOnlyOnce(" standby");
      assertThat(haadmin("-checkHealth", id(ended)).code()).isEqualTo(-1);
    } finally {
      cluster.startEnded();
      cluster.awaitFollowers();
    }
  }

  /** As Hadoop's command has it, where it takes failover controllers to be at work. */
  @Test
  void transitionsWantForcemanual() throws Exception {
    int leader = cluster.awaitLeader();
    cluster.awaitFollowers();
    int other = (leader + 1) % cluster.size();
    for (String transition :
        List.of("-transitionToStandby", "-transitionToActive", "-transitionToObserver")) {
      HaadminCommand refused = haadmin(transition, id(leader));
      assertThat(refused.code()).as(transition).isEqualTo(-1);
      assertThat(refused.text())
          .contains("Automatic failover is enabled for NameNode at ", "--forcemanual flag");
    }
    assertThat(cluster.state(leader)).isEqualTo(HAServiceState.ACTIVE);
    assertThat(haadmin("-failover", "--forcemanual", id(leader), id(other)).code())
        .as("a failover through controllers that there are not")
        .isEqualTo(-1);
    assertThat(cluster.state(leader)).isEqualTo(HAServiceState.ACTIVE);

    assertThat(haadmin("-transitionToActive", "--forcemanual", "--forceactive", id(other)))
        .isEqualTo(new HaadminCommand(0, ""));
    assertThat(cluster.state(other)).isEqualTo(HAServiceState.ACTIVE);
    cluster.awaitState(leader, HAServiceState.OBSERVER);
    assertThat(haadmin("-transitionToStandby", "--forcemanual", id(other)))
        .isEqualTo(new HaadminCommand(0, ""));
    assertThat(cluster.awaitOtherLeader(other)).isNotEqualTo(other);
    cluster.awaitState(other, HAServiceState.OBSERVER);
  }

  /** One step of a client that has asked nothing before. */
  @FunctionalInterface
  private interface Call {
    void run(DistributedFileSystem fs) throws Exception;
  }

  private static void firstCall(Call call) throws Exception {
    try (DistributedFileSystem fs = cluster.newFileSystem()) {
      call.run(fs);
    }
  }

  /**
   * A first call reaches the leader three times, once straight and twice by those that stand by: it
   * is run once, and each answer is that of the first run. A copy that comes when the client has
   * gone on undoes nothing: mkdirs makes no second directory, and delete, which found nothing,
   * deletes nothing.
   */
  @Test
  void whatAClientAsksOfAllIsDoneOnce() throws Exception {
    Path folder = new Path("/once");
    Path from = new Path(folder, "from");
    Path to = new Path(folder, "to");
    for (int round = 1; round <= FIRST_CALLS; round++) {
      int files = round;
      firstCall(fs -> assertThat(fs.delete(from, false)).isFalse());
      firstCall(fs -> assertThat(fs.mkdirs(from)).isTrue());
      firstCall(fs -> assertThat(fs.rename(from, to)).isTrue());
      firstCall(fs -> fs.rename(to, from, Rename.NONE));
      firstCall(fs -> assertThat(fs.delete(from, false)).isTrue());
      Path file = new Path(folder, "file-" + round);
      firstCall(
          fs -> {
            try (FSDataOutputStream out = fs.create(file, false)) {
              out.writeInt(files);
            }
          });
      firstCall(
          fs -> {
            try (FSDataOutputStream out = fs.append(file)) {
              out.writeInt(files);
            }
          });
      firstCall(fs -> assertThat(fs.listStatus(folder)).hasSize(files));
      firstCall(fs -> assertThat(fs.getFileStatus(file).getLen()).isEqualTo(2 * Integer.BYTES));
    }
  }

  /** All NameNodes say the same, and it is what one of them says. */
  @Test
  void aCallThatIsRefusedByAllFailsAsWithOneNameNode() throws Exception {
    Path file = new Path("/refused/file");
    firstCall(fs -> fs.create(file).close());
    firstCall(
        fs ->
            assertThatThrownBy(() -> fs.listStatus(new Path("/refused/none")))
                .isInstanceOf(FileNotFoundException.class)
                .hasMessage("File /refused/none does not exist."));
    firstCall(
        fs ->
            assertThatThrownBy(() -> fs.create(file, false))
                .isInstanceOf(FileAlreadyExistsException.class)
                .hasMessageContaining("/refused/file for client 127.0.0.1 already exists"));
    firstCall(fs -> assertThat(fs.exists(new Path("/refused/none"))).isFalse());
  }

  /** Each in turn, so that of those the one is that leads, and the one that the client uses. */
  @Test
  void aClientThatAskedAllGoesOnWhenNameNodesAreKilled() throws Exception {
    int files = 0;
    try (DistributedFileSystem fs = cluster.newFileSystem()) {
      Path folder = new Path("/kills");
      for (int i = 0; i < cluster.size(); i++) {
        int killed = i;
        for (int end = files + 5; files < end; files++) {
          fs.create(new Path(folder, Integer.toString(files)), false).close();
        }
        cluster.nameNode(killed).kill();
        for (int end = files + 5; files < end; files++) {
          fs.create(new Path(folder, Integer.toString(files)), false).close();
        }
        assertThat(fs.listStatus(folder)).hasSize(files);
        cluster.nameNode(killed).start();
        Await.until("its answer", LIMIT, () -> cluster.state(killed) != null);
        cluster.awaitFollowers();
      }
    }
  }
}
