package io.acaciafs.systemtests.secure;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.systemtests.harness.Images;
import io.acaciafs.systemtests.harness.NameNodeProcess.Exit;
import io.acaciafs.systemtests.harness.NameNodeProgram;
import io.acaciafs.systemtests.harness.SecureCluster;
import io.acaciafs.systemtests.harness.SecureCluster.Answer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hdfs.tools.DelegationTokenFetcher;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A cluster with Kerberos goes over from Hadoop's NameNode to Acacia with its keytabs, its settings
 * and its hadoop-policy.xml, while tokens of jobs are out.
 */
@Tag("long")
class SecureMoveTest {
  private static final Duration LIMIT = Duration.ofMinutes(2);

  @Test
  void tokensOutliveTheMove() throws Exception {
    try (SecureCluster cluster = SecureCluster.startOnHadoop("secure-move", 2, Map.of())) {
      SecureProgramsTest.prepare(cluster);
      SecureProgramsTest.shell(cluster);
      Path token = fetch(cluster, "of-a-job");
      Path cancelled = fetch(cluster, "cancelled-before");
      assertDone(tokens(cluster, "alice", "--cancel", cancelled));
      SecureProgramsTest.assertDone(cluster.by(token, "fs -ls /user/alice/g"));

      move(cluster);

      // by the token's password, and with block tokens of keys that the DataNodes have now
      Path back = cluster.folder().resolve("back-by-token");
      List<Answer> done =
          cluster.by(token, "fs -ls /user/alice", "fs -get -f /user/alice/g " + back);
      SecureProgramsTest.assertDone(done);
      assertThat(done.get(0).text()).contains("alice workers     300000", "/user/alice/g");
      assertThat(back).hasBinaryContent(Files.readAllBytes(cluster.folder().resolve("local")));
      assertRefused(cluster, cancelled);
      onlyItsRenewerRenews(cluster, token);
      assertDone(tokens(cluster, "alice", "--cancel", token));
      assertRefused(cluster, token);
      SecureProgramsTest.assertDone(
          cluster.by(fetch(cluster, "of-the-next-job"), "fs -ls /user/alice"));
      theUsersAreTheSame(cluster);
    }
  }

  private static Path fetch(SecureCluster cluster, String name) throws Exception {
    Path token = cluster.folder().resolve(name + ".token");
    assertDone(
        cluster.run(
            "alice", LIMIT, DelegationTokenFetcher.class, "--renewer", "bob", token.toString()));
    return token;
  }

  private static Exit tokens(SecureCluster cluster, String user, String option, Path token)
      throws Exception {
    return cluster.run(user, LIMIT, DelegationTokenFetcher.class, option, token.toString());
  }

  private static void assertDone(Exit exit) {
    assertThat(exit.code()).as(exit.output()).isZero();
  }

  private static void move(SecureCluster cluster) throws Exception {
    SecureProgramsTest.assertDone(
        cluster.as("hdfs", "dfsadmin -safemode enter", "dfsadmin -saveNamespace"));
    cluster.nameNode().terminate();
    Path image = Images.newest(cluster.nameFolder().resolve("current"));
    cluster.useNameNode(NameNodeProgram.ACACIA, "name-acacia");
    assertDone(cluster.nameNode().run("import", "--fsimage", image.toString()));
    cluster.startNameNode(0);
    SecureProgramsTest.assertDone(cluster.as("hdfs", "await-datanodes 2"));
  }

  private static void assertRefused(SecureCluster cluster, Path token) throws Exception {
    Answer told = cluster.by(token, "fs -ls /user/alice").get(0);
    assertThat(told.code()).as("%s", told).isNotZero();
    assertThat(told.text()).contains("can't be found in cache");
  }

  private static void onlyItsRenewerRenews(SecureCluster cluster, Path token) throws Exception {
    assertThat(tokens(cluster, "alice", "--renew", token).output())
        .contains("alice tries to renew a token", "with non-matching renewer bob");
    Exit renewed = tokens(cluster, "bob", "--renew", token);
    assertDone(renewed);
    assertThat(cluster.audit())
        .anyMatch(
            line ->
                line.contains("allowed=true\tugi=bob@EXAMPLE.COM (auth:KERBEROS)")
                    && line.contains("cmd=renewDelegationToken")
                    && line.contains("for alice with renewer bob"));
  }

  /** The superuser is who he was, by auth_to_local, and who may refresh is in hadoop-policy.xml. */
  private static void theUsersAreTheSame(SecureCluster cluster) throws Exception {
    SecureProgramsTest.administrator(cluster);
    Answer refused = cluster.as("alice", "dfsadmin -refreshServiceAcl").get(0);
    assertThat(refused.code()).isNotZero();
    assertThat(refused.text())
        .contains("alice@EXAMPLE.COM (auth:KERBEROS) is not authorized for protocol");
    SecureProgramsTest.assertDone(cluster.as("hdfs", "dfsadmin -refreshServiceAcl"));
  }
}
