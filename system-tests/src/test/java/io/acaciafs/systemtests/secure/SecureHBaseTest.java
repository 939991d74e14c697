package io.acaciafs.systemtests.secure;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.kv.testkit.SecretForms;
import io.acaciafs.systemtests.harness.BlockKeyReader;
import io.acaciafs.systemtests.harness.HadoopKdc;
import io.acaciafs.systemtests.harness.MemberImpostor;
import io.acaciafs.systemtests.harness.NameNodeProcess.Exit;
import io.acaciafs.systemtests.harness.NameNodeProgram;
import io.acaciafs.systemtests.harness.SecureCluster;
import io.acaciafs.systemtests.harness.Signals;
import io.acaciafs.systemtests.harness.WaitingTokens;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.tools.DelegationTokenFetcher;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.security.token.Token;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Two NameNodes with Kerberos on an HBase and a ZooKeeper with Kerberos. */
@Tag("long")
class SecureHBaseTest {
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final Duration SHORT_LIFE = Duration.ofMinutes(2);
  private static final int SOON_MS = 5_000;
  private static final String ONLY = "-Ddfs.ha.namenodes.many=";

  @Test
  void oneDiesAndTokensOutliveIt() throws Exception {
    if (NameNodeProgram.underTest() != NameNodeProgram.ACACIA) {
      return; // Hadoop's has no engines
    }
    try (SecureCluster cluster = SecureCluster.startOnHBase("secure-hbase", 2, Map.of())) {
      SecureProgramsTest.prepare(cluster);
      SecureProgramsTest.shell(cluster);
      bothShowTheSame(cluster);
      servicesAreForWhomTheyAre(cluster);
      Path token = aTokenServesAtOneThatStartedAfterItsMakerWasKilled(cluster);
      aStoreThatDoesNotAnswerMakesNoTokenInvalid(cluster, token);
      aCancelledTokenIsRefusedByBoth(cluster, token);
      noLogTellsASecret(cluster, token);
      withoutServicesOnlyNameNodesSpeakToEachOther(cluster);
      whatHBaseDoesNotBelieveEndsSoon(cluster);
    }
  }

  /**
   * Connections that rest for a second end, so that all along new ones want a ticket: of NameNodes
   * to HBase, and to each other. Of HBase's servers too, which log in anew as well.
   */
  @Test
  void nameNodesOutliveTheirTickets() throws Exception {
    if (NameNodeProgram.underTest() != NameNodeProgram.ACACIA) {
      return;
    }
    Map<String, String> settings =
        Map.of(
            "hbase.ipc.client.connection.minIdleTimeBeforeClose", "1000",
            "ipc.client.connection.maxidletime", "1000",
            "hadoop.kerberos.min.seconds.before.relogin", "1");
    try (SecureCluster cluster =
        SecureCluster.startOnHBase(
            folder -> new HadoopKdc(folder, SHORT_LIFE), "secure-tickets", 1, settings)) {
      SecureProgramsTest.prepare(cluster);
      long endNs = System.nanoTime() + 2 * SHORT_LIFE.toNanos();
      int round = 0;
      do {
        eachShowsWhatTheOtherDid(cluster, "ticket" + round++);
      } while (System.nanoTime() < endNs);
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
    eachShowsWhatTheOtherDid(cluster, "d");
    for (int i = 0; i < 2; i++) {
      assertThat(cluster.nameNode(i).log())
          .as("messages between NameNodes arrive")
          .anyMatch(line -> line.contains("Directories are trusted"))
          .noneMatch(line -> line.contains("Access denied"));
    }
  }

  private static void eachShowsWhatTheOtherDid(SecureCluster cluster, String name)
      throws Exception {
    for (int round = 0; round < 2; round++) {
      String one = round == 0 ? "nn1" : "nn2";
      String other = round == 0 ? "nn2" : "nn1";
      String made = name + round;
      SecureProgramsTest.assertDone(
          cluster.as(
              "alice",
              "fs " + ONLY + one + " -mkdir -p " + made + "/below",
              "fs " + ONLY + other + " -ls " + made + "/below",
              "fs " + ONLY + one + " -mv " + made + " moved-" + made,
              "fs " + ONLY + other + " -ls moved-" + made + "/below"));
      SecureCluster.Answer gone =
          cluster.as("alice", "fs " + ONLY + other + " -ls " + made + "/below").get(0);
      assertThat(gone.text()).contains("No such file or directory");
    }
  }

  /**
   * What NameNodes say to each other is for their principal, as is what DataNodes say for theirs.
   */
  private static void servicesAreForWhomTheyAre(SecureCluster cluster) throws Exception {
    for (String user : List.of("alice", "hdfs")) {
      assertThat(impostor(cluster, user, 0))
          .contains("refused: ")
          .contains(user + "@EXAMPLE.COM (auth:KERBEROS) is not authorized for protocol")
          .contains("this service is only accessible by nn/localhost@EXAMPLE.COM");
      assertThat(cluster.nameNode(0).log())
          .anyMatch(
              line ->
                  line.contains("Authorization failed for " + user + "@EXAMPLE.COM (auth:KERBEROS)")
                      && line.contains("io.acaciafs.namenode.members.MemberProtocol"));
    }
    assertThat(impostor(cluster, "nn/localhost", 0))
        .as("who has the key, but not the secret of a row")
        .contains("Not a NameNode of this file system");
    SecureCluster.Answer refresh =
        cluster.as("alice", "dfsadmin " + ONLY + "nn1 -refreshServiceAcl").get(0);
    assertThat(refresh.code()).as("%s", refresh).isNotZero();
    assertThat(refresh.text()).contains("is not authorized for protocol");
  }

  private static void withoutServicesOnlyNameNodesSpeakToEachOther(SecureCluster cluster)
      throws Exception {
    cluster.nameNode(1).terminate();
    cluster.configure(1, "hadoop.security.authorization", "false");
    cluster.startNameNode(1);
    for (String user : List.of("alice", "hdfs")) {
      assertThat(impostor(cluster, user, 1))
          .contains("refused: ")
          .contains("Access denied for user " + user + "@EXAMPLE.COM (auth:KERBEROS)")
          .contains("NameNodes alone speak to each other");
      assertThat(cluster.audit(1))
          .anyMatch(
              line ->
                  line.contains("allowed=false\tugi=" + user + "@EXAMPLE.COM (auth:KERBEROS)")
                      && line.contains("cmd=memberMessage"));
    }
    assertThat(impostor(cluster, "nn/localhost", 1)).contains("Not a NameNode of this file system");
  }

  private static String impostor(SecureCluster cluster, String user, int index) throws Exception {
    return cluster
        .run(user, LIMIT, MemberImpostor.class, String.valueOf(cluster.port(index)))
        .output();
  }

  /** Of all processes, HBase's too. */
  private static void noLogTellsASecret(SecureCluster cluster, Path token) throws Exception {
    Path keys = cluster.folder().resolve("block.keys");
    Exit read =
        cluster.run(
            "nn/localhost",
            LIMIT,
            BlockKeyReader.class,
            String.valueOf(cluster.port(1)),
            keys.toString());
    assertThat(read.code()).as(read.output()).isZero();
    Map<String, SecretForms> secrets = new HashMap<>();
    for (String key : Files.readAllLines(keys)) {
      secrets.put("block key " + secrets.size(), new SecretForms(HexFormat.of().parseHex(key)));
    }
    for (Token<?> each :
        Credentials.readTokenStorageFile(token.toFile(), new Configuration(false)).getAllTokens()) {
      secrets.put("password of " + each.getKind(), new SecretForms(each.getPassword()));
    }
    assertThat(secrets).hasSizeGreaterThan(2).containsKey("password of HDFS_DELEGATION_TOKEN");
    List<Path> logs;
    try (Stream<Path> all = Files.walk(cluster.folder())) {
      logs = all.filter(file -> file.getFileName().toString().endsWith(".log")).toList();
    }
    assertThat(logs).hasSizeGreaterThan(10);
    for (Path log : logs) {
      String text = Files.readString(log, StandardCharsets.ISO_8859_1);
      secrets.forEach(
          (what, forms) -> assertThat(forms.in(text)).as("%s in %s", what, log).isEmpty());
    }
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
    Path back = cluster.folder().resolve("back-by-token");
    List<SecureCluster.Answer> done =
        cluster.by(
            token,
            "fs -put -f " + local + " /user/alice/by-token",
            "fs -ls /user/alice/by-token",
            "fs -get -f /user/alice/by-token " + back);
    SecureProgramsTest.assertDone(done);
    assertThat(done.get(1).text()).contains("alice workers     300000");
    assertThat(back).hasBinaryContent(Files.readAllBytes(local));
    cluster.startNameNode(0);
    return token;
  }

  private static void aStoreThatDoesNotAnswerMakesNoTokenInvalid(SecureCluster cluster, Path token)
      throws Exception {
    Signals.stop(cluster.regionServer());
    SecureCluster.Answer told;
    try {
      ticketsAreGoodMeanwhile(cluster, token);
      told =
          cluster
              .by(
                  token,
                  "fs -Ddfs.client.retry.max.attempts=0 -Ddfs.client.failover.max.attempts=0 "
                      + ONLY
                      + "nn2 -ls /user/alice/by-token")
              .get(0);
    } finally {
      Signals.resume(cluster.regionServer());
    }
    assertThat(told.text())
        .contains("RetriableException")
        .containsPattern("did not say whether the token is valid|could not be looked up")
        .doesNotContain("InvalidToken");
    SecureProgramsTest.assertDone(cluster.by(token, "fs " + ONLY + "nn2 -ls /user/alice/by-token"));
  }

  /** No thread that serves connections waits for the store. */
  private static void ticketsAreGoodMeanwhile(SecureCluster cluster, Path token) throws Exception {
    int count = 200;
    String told =
        cluster
            .run(
                "alice",
                LIMIT,
                WaitingTokens.class,
                String.valueOf(cluster.port(1)),
                token.toString(),
                String.valueOf(count))
            .output();
    assertThat(told).doesNotContain("let in");
    Matcher answer =
        Pattern.compile("answered in ([0-9]+) ms while " + count + " wait").matcher(told);
    List<Integer> took = answer.results().map(each -> Integer.valueOf(each.group(1))).toList();
    assertThat(took).as(told).hasSize(3).allMatch(ms -> ms < SOON_MS);
  }

  private static void aCancelledTokenIsRefusedByBoth(SecureCluster cluster, Path token)
      throws Exception {
    String[] eachLists =
        Stream.of("nn1", "nn2")
            .map(each -> "fs " + ONLY + each + " -ls /user/alice")
            .toArray(String[]::new);
    SecureProgramsTest.assertDone(cluster.by(token, eachLists));
    cluster.run("alice", LIMIT, DelegationTokenFetcher.class, "--cancel", token.toString());
    assertThat(cluster.by(token, eachLists))
        .allSatisfy(
            answer -> {
              assertThat(answer.code()).as("%s", answer).isEqualTo(1);
              assertThat(answer.text()).contains("can't be found in cache");
            });
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
