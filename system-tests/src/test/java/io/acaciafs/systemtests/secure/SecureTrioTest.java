package io.acaciafs.systemtests.secure;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.systemtests.harness.Await;
import io.acaciafs.systemtests.harness.Content;
import io.acaciafs.systemtests.harness.SecureCluster;
import io.acaciafs.systemtests.harness.SecureCluster.Answer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Three NameNodes by Raft, a DataNode and users, all with Kerberos and {@code privacy}. */
@Tag("long")
class SecureTrioTest {
  private static final int FILES = 60;
  private static final int KILL_AT = 5;
  private static final Duration LIMIT = Duration.ofMinutes(2);

  @Test
  void aUserCopiesFilesWhileTheLeaderDies() throws Exception {
    ExecutorService users = Executors.newSingleThreadExecutor();
    try (SecureCluster cluster = SecureCluster.startOnRaft("secure-trio", 1, Map.of())) {
      SecureProgramsTest.assertDone(
          cluster.as("hdfs", "fs -mkdir -p /user/alice", "fs -chown alice /user/alice"));
      Path here = newFiles(cluster.folder().resolve("files"));
      Future<List<Answer>> put = users.submit(() -> cluster.as("alice", "fs -put " + here + " f"));
      int leader = leader(cluster);
      String begun = "cmd=create\tsrc=/user/alice/f/" + KILL_AT;
      Await.until(
          "the copy of some files",
          LIMIT,
          () -> cluster.audit(leader).stream().anyMatch(line -> line.contains(begun)));
      cluster.nameNode(leader).kill();
      SecureProgramsTest.assertDone(put.get(LIMIT.toMillis(), TimeUnit.MILLISECONDS));

      Path back = cluster.folder().resolve("back");
      SecureProgramsTest.assertDone(cluster.as("alice", "fs -get f " + back));
      for (int i = 0; i < FILES; i++) {
        String name = Integer.toString(i);
        assertThat(Files.readAllBytes(back.resolve(name)))
            .as(name)
            .isEqualTo(Files.readAllBytes(here.resolve(name)));
      }
      assertThat(leader(cluster)).isNotEqualTo(leader);
      cluster.startNameNodeAs(leader, "nn/localhost");
      assertHandsOnNoCalls(cluster, leader);
      cluster.nameNode(leader).kill();
      cluster.startNameNode(leader);
      SecureProgramsTest.assertDone(cluster.as("alice", mkdirs(cluster, leader)));
      Answer state = cluster.as("hdfs", "haadmin -getServiceState nn" + (leader + 1)).get(0);
      assertThat(state.text()).isEqualTo("standby");
      Answer refused = cluster.as("alice", "haadmin -checkHealth nn1").get(0);
      assertThat(refused.code()).isNotZero();
      assertThat(refused.text()).contains("Access denied for user alice");
    } finally {
      users.shutdownNow();
    }
  }

  /** Those who ask nn1 first are sent on by it, and by the one that leads after the kill. */
  @Test
  void whatGoesByHttpsFollowsTheLeader() throws Exception {
    Map<String, String> settings = Map.of("dfs.ha.fencing.methods", "shell(/bin/true)");
    try (SecureCluster cluster = SecureCluster.startOnRaft("secure-trio-web", 1, settings)) {
      SecureProgramsTest.prepare(cluster);
      if (leader(cluster) == 0) {
        SecureProgramsTest.assertDone(cluster.as("hdfs", "haadmin -failover nn1 nn2"));
      }
      int leader = leader(cluster);
      assertThat(leader).isNotZero();
      copyAndCheck(cluster, "standby");
      cluster.nameNode(leader).kill();
      copyAndCheck(cluster, "killed");
      assertThat(leader(cluster)).isNotEqualTo(leader);
    }
  }

  /** By WebHDFS, whose DataNode acts by a token of alice; then fsck of hers, and of all. */
  private static void copyAndCheck(SecureCluster cluster, String name) throws Exception {
    byte[] content = new Content(name.hashCode(), 300_000).bytes();
    Path local = Files.write(cluster.folder().resolve(name), content);
    Path back = cluster.folder().resolve(name + "-back");
    String web = "swebhdfs://many/user/alice/" + name;
    List<Answer> alice =
        cluster.as(
            "alice",
            "fs -put " + local + " " + web,
            "fs -get " + web + " " + back,
            "fsck /user/alice -files",
            "fsck /secret");
    SecureProgramsTest.assertDone(alice.subList(0, 3));
    assertThat(back).hasBinaryContent(content);
    assertThat(alice.get(2).text())
        .contains("FSCK started by alice (auth:KERBEROS_SSL)", "/user/alice/" + name, "is HEALTHY");
    SecureProgramsTest.assertRefused(
        alice.get(3), "Permission denied: user=alice, access=READ_EXECUTE");
    List<Answer> hdfs = cluster.as("hdfs", "fsck /");
    SecureProgramsTest.assertDone(hdfs);
    assertThat(hdfs.get(0).text()).contains("The filesystem under path '/' is HEALTHY");
    List<String> audit = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      audit.addAll(cluster.audit(i));
    }
    for (String command : List.of("create", "open")) {
      assertThat(audit)
          .as(command)
          .anyMatch(
              line ->
                  line.contains("allowed=true\tugi=alice (auth:TOKEN)")
                      && line.contains("cmd=" + command + "\tsrc=/user/alice/" + name)
                      && line.endsWith("proto=rpc"));
    }
  }

  /** Its principal is the superuser, and of the KDC, but no NameNode's. */
  private static void assertHandsOnNoCalls(SecureCluster cluster, int stranger) throws Exception {
    Answer refused = cluster.as("alice", mkdirs(cluster, stranger)).get(0);
    assertThat(refused.code()).as("%s", refused).isNotZero();
    assertThat(cluster.nameNode(leader(cluster)).log())
        .anyMatch(
            line ->
                line.contains(
                    "Authorization failed for nn/localhost@EXAMPLE.COM (auth:KERBEROS) for"
                        + " protocol=interface io.acaciafs.namenode.ha.ForwardProtocol"));
  }

  private static String mkdirs(SecureCluster cluster, int nameNode) {
    return "fs -mkdir hdfs://localhost:" + cluster.port(nameNode) + "/user/alice/handed-on";
  }

  private static Path newFiles(Path folder) throws IOException {
    Files.createDirectory(folder);
    for (int i = 0; i < FILES; i++) {
      byte[] content = new byte[1_000 * i];
      new Random(i).nextBytes(content);
      Files.write(folder.resolve(Integer.toString(i)), content);
    }
    return folder;
  }

  /** Which of the three leads, as haadmin tells it; waits until one does. */
  static int leader(SecureCluster cluster) throws Exception {
    AtomicInteger leader = new AtomicInteger();
    Await.until(
        "a leader",
        LIMIT,
        () -> {
          leader.set(leaderNow(cluster));
          return leader.get() >= 0;
        });
    return leader.get();
  }

  /** -1: none. */
  private static int leaderNow(SecureCluster cluster) throws Exception {
    Answer states = cluster.as("hdfs", "haadmin -getAllServiceState").get(0);
    for (int i = 0; i < 3; i++) {
      if (states.text().matches("(?s).*localhost:" + cluster.port(i) + " +active.*")) {
        return i;
      }
    }
    return -1;
  }
}
