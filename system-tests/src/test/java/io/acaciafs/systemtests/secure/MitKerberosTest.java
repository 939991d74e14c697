package io.acaciafs.systemtests.secure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.acaciafs.systemtests.harness.MitKdc;
import io.acaciafs.systemtests.harness.SecureCluster;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The programs of the other tests with MIT Kerberos, where the machine has it. */
class MitKerberosTest {
  private static final int LIMIT_S = 120;

  @BeforeAll
  static void isInstalled() {
    if (Boolean.getBoolean("acacia.require-mit")) { // a CI that has it must not skip all
      assertThat(MitKdc.missing()).as("what MIT Kerberos lacks here").isEmpty();
    }
    assumeTrue(
        MitKdc.missing().isEmpty(),
        () -> "MIT Kerberos is not installed: no " + MitKdc.missing().orElseThrow());
  }

  @Test
  void programsWithTheTicketsOfKinit() throws Exception {
    try (SecureCluster cluster =
        SecureCluster.start(MitKdc::new, "secure-mit", "privacy", 2, Map.of())) {
      SecureProgramsTest.prepare(cluster);
      SecureProgramsTest.shell(cluster);
      SecureProgramsTest.administrator(cluster);
      SecureProgramsTest.web(cluster);
      MitKdc kdc = (MitKdc) cluster.kdc();
      if (curlKnowsKerberos(cluster)) {
        curl(cluster, kdc);
      }
      // tickets from now on are for other keys, and the NameNode goes on
      kdc.changeKey("nn/localhost");
      kdc.changeKey("HTTP/localhost");
      SecureProgramsTest.assertDone(
          cluster.as("alice", "fs -ls /user/alice", "fs -ls " + cluster.web() + "/user/alice"));
    }
  }

  /** And without hadoop.security.authorization, which the others have. */
  @Test
  @Tag("long")
  void programsWithoutEncryptionAndDistCp() throws Exception {
    Map<String, String> settings = Map.of("hadoop.security.authorization", "false");
    try (SecureCluster cluster =
        SecureCluster.start(MitKdc::new, "secure-mit-plain", "authentication", 2, settings)) {
      SecureProgramsTest.prepare(cluster);
      SecureProgramsTest.shell(cluster);
      SecureProgramsTest.administrator(cluster);
      SecureProgramsTest.web(cluster);
      SecureToolsTest.distCp(cluster);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"authentication", "privacy"})
  @Tag("long")
  void theBalancer(String protection) throws Exception {
    SecureToolsTest.balance(MitKdc::new, protection);
  }

  @ParameterizedTest
  @ValueSource(strings = {"authentication", "privacy"})
  @Tag("long")
  void aSortOnYarn(String protection) throws Exception {
    SecureYarnTest.sort(MitKdc::new, protection);
  }

  private static void curl(SecureCluster cluster, MitKdc kdc) throws Exception {
    Map<String, String> alice = kdc.ticket("alice");
    String home = "https://localhost:" + cluster.httpsPort() + "/webhdfs/v1/user/alice";
    assertThat(curl(cluster, alice, home + "?op=LISTSTATUS"))
        .contains("\"owner\":\"alice\"")
        .endsWith(" 200");
    assertThat(curl(cluster, alice, home + "/g?op=OPEN&length=1"))
        .endsWith(" 200"); // by a DataNode
    assertThat(curl(cluster, alice, home.replace("user/alice", "secret") + "?op=LISTSTATUS"))
        .endsWith(" 403");
    // no file: of an empty one libkrb5 1.20.1 may crash
    Map<String, String> nobody = new HashMap<>(kdc.environment());
    nobody.put("KRB5CCNAME", cluster.folder().resolve("nobody.cc").toString());
    assertThat(curl(cluster, nobody, home + "?op=LISTSTATUS")).endsWith(" 401");
  }

  private static boolean curlKnowsKerberos(SecureCluster cluster) throws Exception {
    try {
      return run(cluster, Map.of(), List.of("curl", "--version")).contains("SPNEGO");
    } catch (IOException e) {
      return false; // there is no such program
    }
  }

  /** What it answered, and its status. */
  private static String curl(SecureCluster cluster, Map<String, String> ticket, String url)
      throws Exception {
    return run(
        cluster,
        ticket,
        List.of(
            "curl",
            "--silent",
            "--insecure", // of its certificate knows nobody but Hadoop's clients
            "--location",
            "--negotiate",
            "--user",
            ":",
            "--write-out",
            " %{http_code}",
            url));
  }

  private static String run(
      SecureCluster cluster, Map<String, String> environment, List<String> command)
      throws Exception {
    Path out = Files.createTempFile(cluster.folder(), "curl-", ".out");
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(out.toFile());
    builder.environment().putAll(environment);
    Process process = builder.start();
    boolean ended = process.waitFor(LIMIT_S, TimeUnit.SECONDS);
    process.destroyForcibly();
    assertThat(ended).as("%s", command).isTrue();
    String printed = Files.readString(out, StandardCharsets.ISO_8859_1);
    assertThat(process.waitFor()).as("%s: %s", command, printed).isZero();
    return printed;
  }
}
