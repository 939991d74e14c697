package io.acaciafs.systemtests.secure;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.systemtests.harness.HadoopCommands;
import io.acaciafs.systemtests.harness.MemberImpostor;
import io.acaciafs.systemtests.harness.NameNodeProcess.Exit;
import io.acaciafs.systemtests.harness.NameNodeProgram;
import io.acaciafs.systemtests.harness.SecureCluster;
import io.acaciafs.systemtests.harness.Signals;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hdfs.tools.DelegationTokenFetcher;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Two NameNodes with Kerberos on an HBase and a ZooKeeper with Kerberos. */
@Tag("long")
class SecureHBaseTest {
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final String ONLY = "-Ddfs.ha.namenodes.many=";

  @Test
  void oneDiesAndTokensOutliveIt() throws Exception {
    if (NameNodeProgram.underTest() != NameNodeProgram.ACACIA) {
      return; // Hadoop's has no engines
    }
    try (SecureCluster cluster =
        SecureCluster.startOnHBase(
            "secure-hbase", 2, Map.of("hadoop.security.authorization", "false"))) {
      SecureProgramsTest.prepare(cluster);
      SecureProgramsTest.shell(cluster);
      bothShowTheSame(cluster);
      onlyNameNodesSpeakToEachOther(cluster);
      Path token = aTokenServesAtOneThatStartedAfterItsMakerWasKilled(cluster);
      aStoreThatDoesNotAnswerMakesNoTokenInvalid(cluster, token);
      aCancelledTokenIsRefusedByBoth(cluster, token);
      whatHBaseDoesNotBelieveEndsSoon(cluster);
    }
  }

  /** Every user with a ticket could read the keys of all tokens there. */
  @Test
  void onAnHBaseThatAuthorizesNobodyNothingIsFormatted() throws Exception {
    if (NameNodeProgram.underTest() != NameNodeProgram.ACACIA) {
      return;
    }
    Exit exit = SecureCluster.formatOnOpenHBase("open-hbase");
    assertThat(exit.code()).isNotZero();
    assertThat(exit.output())
        .contains("lets every user with a ticket read and change the file system.")
        .contains("Set hbase.security.authorization to true in HBase");
  }

  /** Directories are cached, and each tells the other before it changes one. */
  private static void bothShowTheSame(SecureCluster cluster) throws Exception {
    for (int round = 0; round < 2; round++) {
      String one = round == 0 ? "nn1" : "nn2";
      String other = round == 0 ? "nn2" : "nn1";
      SecureProgramsTest.assertDone(
          cluster.as(
              "alice",
              "fs " + ONLY + one + " -mkdir -p d" + round + "/below",
              "fs " + ONLY + other + " -ls d" + round + "/below",
              "fs " + ONLY + one + " -mv d" + round + " moved" + round,
              "fs " + ONLY + other + " -ls moved" + round + "/below"));
      SecureCluster.Answer gone =
          cluster.as("alice", "fs " + ONLY + other + " -ls d" + round + "/below").get(0);
      assertThat(gone.text()).contains("No such file or directory");
    }
    for (int i = 0; i < 2; i++) {
      assertThat(cluster.nameNode(i).log())
          .as("messages between NameNodes arrive")
          .anyMatch(line -> line.contains("Directories are trusted"))
          .noneMatch(line -> line.contains("Access denied"));
    }
  }

  private static void onlyNameNodesSpeakToEachOther(SecureCluster cluster) throws Exception {
    for (String user : List.of("alice", "hdfs")) {
      Exit told = cluster.run(user, LIMIT, MemberImpostor.class, String.valueOf(cluster.port(0)));
      assertThat(told.output())
          .contains("refused: ")
          .contains("Access denied for user " + user + "@EXAMPLE.COM (auth:KERBEROS)")
          .contains("NameNodes alone speak to each other");
      assertThat(cluster.audit())
          .anyMatch(
              line ->
                  line.contains("allowed=false\tugi=" + user + "@EXAMPLE.COM (auth:KERBEROS)")
                      && line.contains("cmd=memberMessage"));
    }
    Exit self =
        cluster.run("nn/localhost", LIMIT, MemberImpostor.class, String.valueOf(cluster.port(0)));
    assertThat(self.output())
        .as("who has the key, but not the secret of a row")
        .contains("Not a NameNode of this file system");
  }

  private static Path aTokenServesAtOneThatStartedAfterItsMakerWasKilled(SecureCluster cluster)
      throws Exception {
    cluster.nameNode(1).terminate();
    Path token = cluster.folder().resolve("alice.token");
    Exit fetched =
        cluster.run(
            "alice", LIMIT, DelegationTokenFetcher.class, "--renewer", "bob", token.toString());
    assertThat(token).as(fetched.output()).exists();
    cluster.nameNode(0).kill();
    cluster.startNameNode(1);
    SecureProgramsTest.assertDone(cluster.as("hdfs", "await-datanodes 2"));
    Path local = cluster.folder().resolve("local");
    String done =
        by(
            cluster,
            token,
            "fs -put -f " + local + " /user/alice/by-token",
            "fs -ls /user/alice/by-token");
    assertThat(done).contains("alice workers     300000").doesNotContain("[exit 1]");
    Path back = cluster.folder().resolve("back-by-token");
    assertThat(by(cluster, token, "fs -get -f /user/alice/by-token " + back)).contains("[exit 0]");
    assertThat(back).hasBinaryContent(Files.readAllBytes(local));
    cluster.startNameNode(0);
    return token;
  }

  private static void aStoreThatDoesNotAnswerMakesNoTokenInvalid(SecureCluster cluster, Path token)
      throws Exception {
    Signals.stop(cluster.regionServer());
    String told;
    try {
      told =
          by(
              cluster,
              token,
              "fs -Ddfs.client.retry.max.attempts=0 -Ddfs.client.failover.max.attempts=0 "
                  + ONLY
                  + "nn2 -ls /user/alice/by-token");
    } finally {
      Signals.resume(cluster.regionServer());
    }
    assertThat(told)
        .contains("RetriableException")
        .containsPattern("did not say whether the token is valid|could not be looked up")
        .doesNotContain("InvalidToken");
    assertThat(by(cluster, token, "fs " + ONLY + "nn2 -ls /user/alice/by-token"))
        .contains("[exit 0]");
  }

  private static void aCancelledTokenIsRefusedByBoth(SecureCluster cluster, Path token)
      throws Exception {
    for (String each : List.of("nn1", "nn2")) {
      assertThat(by(cluster, token, "fs " + ONLY + each + " -ls /user/alice")).contains("[exit 0]");
    }
    cluster.run("alice", LIMIT, DelegationTokenFetcher.class, "--cancel", token.toString());
    for (String each : List.of("nn1", "nn2")) {
      assertThat(by(cluster, token, "fs " + ONLY + each + " -ls /user/alice"))
          .contains("[exit 1]")
          .contains("can't be found in cache");
    }
  }

  /** What a user does that has a token and no ticket. */
  private static String by(SecureCluster cluster, Path token, String... commands) throws Exception {
    return cluster
        .run(
            List.of(cluster.folder().resolve("conf").toString()),
            Map.of("HADOOP_TOKEN_FILE_LOCATION", token.toString()),
            Duration.ofMinutes(3),
            HadoopCommands.class,
            commands)
        .output();
  }

  private static void whatHBaseDoesNotBelieveEndsSoon(SecureCluster cluster) throws Exception {
    cluster.nameNode(1).terminate();
    List<Map.Entry<String, String>> mistakes = new ArrayList<>();
    mistakes.add(Map.entry("hbase.regionserver.kerberos.principal", "other/_HOST@EXAMPLE.COM"));
    mistakes.add(Map.entry("hbase.master.kerberos.principal", "other/_HOST@EXAMPLE.COM"));
    for (Map.Entry<String, String> mistake : mistakes) {
      Exit exit = cluster.startNameNodeWith(1, mistake.getKey(), mistake.getValue(), LIMIT);
      assertThat(exit.code()).isNotZero();
      assertThat(exit.output())
          .contains("do not come to terms by Kerberos: ")
          .contains("nn/localhost@EXAMPLE.COM");
    }
    Exit open = cluster.startNameNodeWith(1, "hbase.security.authentication", "simple", LIMIT);
    assertThat(open.output())
        .contains("a NameNode keeps its files only in an HBase with Kerberos")
        .contains("hbase.master.kerberos.principal");
    Exit keyless = cluster.startNameNodeWith(1, "dfs.namenode.keytab.file", "/no/keytab", LIMIT);
    assertThat(keyless.code()).isNotZero();
    assertThat(keyless.output()).contains("/no/keytab");
  }
}
