package io.acaciafs.systemtests.secure;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.systemtests.harness.Await;
import io.acaciafs.systemtests.harness.SecureCluster;
import io.acaciafs.systemtests.harness.SecureCluster.Answer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
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
      cluster.startNameNode(leader);
      Answer state = cluster.as("hdfs", "haadmin -getServiceState nn" + (leader + 1)).get(0);
      assertThat(state.text()).isEqualTo("standby");
      Answer refused = cluster.as("alice", "haadmin -checkHealth nn1").get(0);
      assertThat(refused.code()).isNotZero();
      assertThat(refused.text()).contains("Access denied for user alice");
    } finally {
      users.shutdownNow();
    }
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

  /** Which of the three leads, as haadmin tells it. */
  private static int leader(SecureCluster cluster) throws Exception {
    Answer states = cluster.as("hdfs", "haadmin -getAllServiceState").get(0);
    for (int i = 0; i < 3; i++) {
      if (states.text().matches("(?s).*localhost:" + cluster.port(i) + " +active.*")) {
        return i;
      }
    }
    throw new AssertionError(states.text());
  }
}
