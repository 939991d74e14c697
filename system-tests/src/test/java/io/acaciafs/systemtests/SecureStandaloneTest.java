package io.acaciafs.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.systemtests.harness.AcaciaCommand;
import io.acaciafs.systemtests.harness.HadoopTool;
import io.acaciafs.systemtests.harness.NameNodeProcess;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyStore;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FsShell;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code acacia standalone --secure}, and Hadoop's shell. */
@Timeout(600)
class SecureStandaloneTest {
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final String CONTENT = "for guests alone";
  private static final String USER = System.getProperty("user.name");

  @TempDir private Path folder;
  private int logs;

  /** Of the file system that was started last. */
  private String address;

  @Test
  void aKeytabLetsAClientInAlsoAfterASecondStart() throws Exception {
    Path file = Files.writeString(folder.resolve("file"), CONTENT);
    byte[] keys;
    try (AcaciaCommand standalone = startSecure("first")) {
      assertThat(standalone.output())
          .contains("export KRB5_CONFIG=" + secret("krb5.conf"))
          .contains("kinit -kt " + secret(USER + ".keytab"));
      // ipc.client.connect.max.retries.on.sasl takes seconds each
      assertThat(shell(Map.of(), "-Dipc.client.connect.max.retries.on.sasl=1", "-ls", "/"))
          .satisfies(refused -> assertThat(refused.code()).isNotZero())
          .satisfies(
              refused ->
                  assertThat(refused.output())
                      .contains("Client cannot authenticate via:[TOKEN, KERBEROS]"));
      assertThat(asGuest("-put", file.toString(), "mine").code()).isZero();
      assertThat(asGuest("-cat", "/user/guest/mine").output()).contains(CONTENT);
      assertThat(asGuest("-mkdir", "/of-the-superuser").output()).contains("Permission denied");
      assertDataNodeAsksForATicket();
      keys = Files.readAllBytes(secret("guest.keytab"));
      standalone.terminate();
    }
    assertSecretsAreKept();
    try (AcaciaCommand standalone = startSecure("second")) {
      assertThat(standalone.output()).doesNotContain("Formatting");
      assertThat(Files.readAllBytes(secret("guest.keytab"))).isEqualTo(keys);
      assertThat(asGuest("-cat", "mine").output()).contains(CONTENT);
      standalone.terminate();
    }
    assertThat(Files.readString(folder.resolve("state/log/acacia.log")))
        .contains("NameNode stopped address=", "kdc server stopped");
  }

  /** As the page of security has it: all are stopped, have other settings, and are started. */
  @Test
  @Tag("long")
  void aFileSystemBecomesSecureAndInsecureAgain() throws Exception {
    Path file = Files.writeString(folder.resolve("file"), CONTENT);
    try (AcaciaCommand insecure = start("insecure")) {
      assertThat(insecurely("-put", file.toString(), "/before").code()).isZero();
      insecure.terminate();
    }
    try (AcaciaCommand secure = startSecure("secure")) {
      assertThat(as(USER, "-cat", "/before").output()).contains(CONTENT);
      assertThat(as(USER, "-put", file.toString(), "/meanwhile").code()).isZero();
      secure.terminate();
    }
    try (AcaciaCommand again = start("again")) {
      for (String path : List.of("/before", "/meanwhile")) {
        assertThat(insecurely("-cat", path).output()).contains(CONTENT);
      }
      assertThat(shell(Map.of(), "-fs", address, "-ls", "/").output())
          .contains(
              "Server asks us to fall back to SIMPLE auth, but this client is configured to only"
                  + " allow secure connections.");
      String fallback = "-Dipc.client.fallback-to-simple-auth-allowed=true";
      assertThat(shell(Map.of(), fallback, "-fs", address, "-ls", "/").output())
          .contains("/meanwhile");
      again.terminate();
    }
  }

  private void assertDataNodeAsksForATicket() throws Exception {
    String log = Files.readString(folder.resolve("state/log/acacia.log"));
    Matcher listens = Pattern.compile("Listening HTTPS traffic on \\S+:(\\d+)").matcher(log);
    assertThat(listens.find()).isTrue();
    KeyStore trusted =
        KeyStore.getInstance(secret("trusted.p12").toFile(), "trusted".toCharArray());
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(trusted);
    SSLContext tls = SSLContext.getInstance("TLS");
    tls.init(null, factory.getTrustManagers(), null);
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("https://localhost:" + listens.group(1) + "/jmx"))
            .timeout(LIMIT)
            .build();
    assertThat(
            HttpClient.newBuilder()
                .sslContext(tls)
                .build()
                .send(request, BodyHandlers.discarding())
                .statusCode())
        .isEqualTo(401);
  }

  private void assertSecretsAreKept() throws Exception {
    List<Path> secrets;
    try (Stream<Path> files = Files.list(folder.resolve("state/secure"))) {
      secrets = files.filter(file -> !file.toString().matches(".*(trusted.p12|.pem)")).toList();
    }
    assertThat(secrets).hasSizeGreaterThan(10);
    for (Path secret : secrets) {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(secret)))
          .as(secret.toString())
          .isEqualTo("rw-------");
    }
    Configuration server = new Configuration(false);
    server.addResource(secret("standalone-ssl-server.xml").toUri().toURL());
    assertThat(Files.readString(folder.resolve("state/log/acacia.log")))
        .doesNotContain(server.get("ssl.server.keystore.password"));
  }

  private Path secret(String name) {
    return folder.resolve("state/secure").resolve(name);
  }

  private NameNodeProcess.Exit asGuest(String... arguments) throws Exception {
    return as("guest", arguments);
  }

  private NameNodeProcess.Exit as(String user, String... arguments) throws Exception {
    String keytab = secret(user + ".keytab").toString();
    return shell(Map.of("KRB5PRINCIPAL", user, "KRB5KEYTAB", keytab), arguments);
  }

  /** By a client without any settings. */
  private NameNodeProcess.Exit insecurely(String... arguments) throws Exception {
    return HadoopTool.run(
        new HadoopTool.Site(folder.resolve("no-settings"), List.of(), Map.of()),
        folder.resolve("shell-" + ++logs),
        LIMIT,
        FsShell.class,
        Stream.concat(Stream.of("-fs", address), Stream.of(arguments)).toArray(String[]::new));
  }

  private NameNodeProcess.Exit shell(Map<String, String> login, String... arguments)
      throws Exception {
    Map<String, String> environment = new HashMap<>(login);
    environment.put("KRB5CCNAME", folder.resolve("no-tickets").toString());
    List<String> options = List.of("-Djava.security.krb5.conf=" + secret("krb5.conf"));
    return HadoopTool.run(
        new HadoopTool.Site(folder.resolve("state/secure"), options, environment),
        folder.resolve("shell-" + ++logs),
        LIMIT,
        FsShell.class,
        arguments);
  }

  private AcaciaCommand startSecure(String name) throws Exception {
    return start(name, "--secure");
  }

  private AcaciaCommand start(String name, String... more) throws Exception {
    Stream<String> arguments =
        Stream.of(
            "standalone",
            "--dir=" + folder.resolve("state"),
            "--port=0",
            "--http-port=0",
            "--datanode-port=0",
            "--datanode-ipc-port=0",
            "--datanode-http-port=0",
            "--ready-file=" + folder.resolve(name));
    AcaciaCommand command =
        AcaciaCommand.start(
            folder.resolve(name + ".log"),
            List.of("-Dlog4j.configuration=" + System.getProperty("log4j.configuration")),
            Stream.concat(arguments, Stream.of(more)).toArray(String[]::new));
    address = command.awaitReady(folder.resolve(name)).getProperty("fs.defaultFS");
    return command;
  }
}
