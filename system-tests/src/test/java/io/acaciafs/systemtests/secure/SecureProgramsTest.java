package io.acaciafs.systemtests.secure;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.systemtests.harness.Content;
import io.acaciafs.systemtests.harness.SecureCluster;
import io.acaciafs.systemtests.harness.SecureCluster.Answer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Hadoop's shell and its administrator's commands, of users with tickets. */
class SecureProgramsTest {
  private static final String REFUSED =
      "Access denied for user alice. Superuser privilege is required";

  @Test
  void theShellAndTheAdministrator() throws Exception {
    try (SecureCluster cluster = SecureCluster.start("secure", "privacy", 2, Map.of())) {
      prepare(cluster);
      shell(cluster);
      administrator(cluster);
      web(cluster);
    }
  }

  static void prepare(SecureCluster cluster) throws Exception {
    assertDone(
        cluster.as(
            "hdfs",
            "fs -mkdir -p /user/alice /tmp",
            "fs -chown alice:workers /user/alice",
            "fs -chmod 1777 /tmp",
            "fs -mkdir /secret",
            "fs -chmod 700 /secret"));
  }

  static void assertDone(List<Answer> answers) {
    assertThat(answers).allSatisfy(answer -> assertThat(answer.code()).as("%s", answer).isZero());
  }

  static void assertRefused(Answer answer, String text) {
    assertThat(answer.code()).as("%s", answer).isNotZero();
    assertThat(answer.text()).contains(text);
  }

  static void shell(SecureCluster cluster) throws Exception {
    Path local = cluster.folder().resolve("local");
    byte[] content = new Content(1, 300_000).bytes();
    Files.write(local, content);
    Path back = cluster.folder().resolve("back");
    Files.deleteIfExists(back);
    List<Answer> alice =
        cluster.as(
            "alice",
            "fs -put -f " + local + " f",
            "fs -get f " + back,
            "fs -chmod 600 f",
            "fs -setfacl -m user:bob:r-- f",
            "fs -getfacl f",
            "fs -mv f g",
            "fs -ls /user/alice",
            "fs -cp g h",
            "fs -appendToFile " + local + " h",
            "fs -rm -skipTrash h",
            "fs -chown bob g");
    assertDone(alice.subList(0, 10));
    assertThat(back).hasBinaryContent(content);
    assertThat(alice.get(4).text()).contains("# owner: alice", "user:bob:r--");
    assertThat(alice.get(6).text()).contains("alice workers     300000", "/user/alice/g");
    assertRefused(
        alice.get(10), "chown: changing ownership of 'g': User alice is not a super user");
    List<Answer> bob =
        cluster.as(
            "bob",
            "fs -get -f /user/alice/g " + back,
            "fs -rm -skipTrash /user/alice/g",
            "fs -setfacl -b /user/alice/g");
    assertDone(bob.subList(0, 1));
    assertRefused(bob.get(1), "Permission denied: user=bob, access=WRITE");
    assertRefused(
        bob.get(2), "Permission denied. user=bob is not the owner of inode=/user/alice/g");
    assertThat(cluster.audit())
        .anyMatch(
            line ->
                line.contains("allowed=false\tugi=bob@EXAMPLE.COM (auth:KERBEROS)")
                    && line.contains("cmd=delete\tsrc=/user/alice/g"));
  }

  static void administrator(SecureCluster cluster) throws Exception {
    String[] commands = {
      "dfsadmin -report",
      "dfsadmin -refreshNodes",
      "dfsadmin -safemode enter",
      "dfsadmin -safemode leave",
      "dfsadmin -setQuota 1000 /user/alice",
      "dfsadmin -metasave secure",
      "dfsadmin -setBalancerBandwidth 1000000",
      "dfsadmin -saveNamespace",
    };
    List<Answer> hdfs = cluster.as("hdfs", commands);
    assertDone(hdfs.subList(0, 7));
    assertThat(hdfs.get(0).text()).contains("Live datanodes (2)");
    for (Answer answer : cluster.as("alice", commands)) {
      assertThat(answer.code()).as("%s", answer).isNotZero();
      assertThat(answer.text()).contains(REFUSED);
    }
  }

  /** What goes by HTTPS: WebHDFS also to and from DataNodes, and fsck. */
  static void web(SecureCluster cluster) throws Exception {
    Path local = cluster.folder().resolve("local");
    Path back = cluster.folder().resolve("back-by-web");
    String home = cluster.web() + "/user/alice";
    List<Answer> alice =
        cluster.as(
            "alice",
            "fs -put -f " + local + " " + home + "/w",
            "fs -get -f " + home + "/w " + back,
            "fs -ls " + home,
            "fs -rm -skipTrash " + home + "/w",
            "fsck /user/alice -files -blocks",
            "fsck /secret",
            "fs -put " + local + " " + cluster.web() + "/of-alice");
    assertDone(alice.subList(0, 5));
    assertThat(back).hasBinaryContent(Files.readAllBytes(local));
    assertThat(alice.get(2).text()).contains("alice workers     300000", home + "/w");
    assertThat(alice.get(4).text())
        .contains("FSCK started by alice (auth:KERBEROS_SSL)", "/user/alice/g", "is HEALTHY");
    assertRefused(alice.get(5), "Permission denied: user=alice, access=READ_EXECUTE");
    assertRefused(alice.get(6), "Permission denied: user=alice, access=WRITE");
    List<Answer> hdfs = cluster.as("hdfs", "fsck /", "fsck -list-corruptfileblocks");
    assertDone(hdfs);
    assertThat(hdfs.get(0).text()).contains("The filesystem under path '/' is HEALTHY");
  }
}
