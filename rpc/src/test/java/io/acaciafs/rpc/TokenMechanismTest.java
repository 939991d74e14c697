package io.acaciafs.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.rpc.options.RpcServerOptions;
import io.acaciafs.rpc.testkit.FixedTokens;
import io.acaciafs.rpc.testkit.TestClient;
import io.acaciafs.rpc.testkit.TestService;
import io.acaciafs.rpc.testkit.TokenClient;
import io.acaciafs.rpc.testkit.TokenDialogue;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.Field;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcSaslProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcSaslProto.SaslAuth;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcSaslProto.SaslState;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.SaslMechanismFactory;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clients that show tokens by another mechanism than DIGEST-MD5, as the site wants it. */
class TokenMechanismTest {
  /** The JDK has it, and it needs no more callbacks than DIGEST-MD5. */
  private static final String MECHANISM = "CRAM-MD5";

  private static final int TOKEN = 7;

  private final ClassLoader loader = Thread.currentThread().getContextClassLoader();
  private final TestService service = new TestService();
  private RpcServer server;

  @BeforeEach
  void start(@TempDir Path site) throws Exception {
    Configuration conf = new Configuration(false);
    conf.set("hadoop.security.sasl.mechanism", MECHANISM);
    try (OutputStream out = Files.newOutputStream(site.resolve("core-site.xml"))) {
      conf.writeXml(out);
    }
    Thread.currentThread()
        .setContextClassLoader(new URLClassLoader(new URL[] {site.toUri().toURL()}, loader));
    forgetMechanism();
    assertThat(SaslMechanismFactory.getMechanism()).isEqualTo(MECHANISM);
    server =
        service.start(
            RpcServerOptions.builder()
                .authentication(new FixedTokens().add(TOKEN).authentication("authentication"))
                .ioThreads(1)
                .build());
  }

  @AfterEach
  void stop() throws Exception {
    server.close();
    Thread.currentThread().setContextClassLoader(loader);
    forgetMechanism();
  }

  /** A JVM reads the setting once. */
  private static void forgetMechanism() throws ReflectiveOperationException {
    Field known = SaslMechanismFactory.class.getDeclaredField("mechanism");
    known.setAccessible(true);
    known.set(null, null);
  }

  private String userOf(byte[] password) throws IOException {
    Configuration conf = new Configuration();
    conf.setInt("ipc.client.connect.max.retries.on.sasl", 1);
    UserGroupInformation holder = FixedTokens.holder(server.address(), TOKEN, password);
    try (TestClient client = new TestClient(server.address(), conf, holder)) {
      return client.ask("user");
    }
  }

  @Test
  void hadoopsClientShowsItsToken() throws IOException {
    assertThat(userOf(FixedTokens.password(TOKEN))).isEqualTo("alice (auth:TOKEN)");
    assertThatThrownBy(() -> userOf(new byte[] {1})).hasMessageContaining("Invalid response");
  }

  /** A mechanism that is none of DIGEST begins when the client has chosen it. */
  @Test
  void isOfferedWithoutAChallenge() throws IOException {
    SaslAuth offered = TokenDialogue.TOKEN_AUTH.toBuilder().setMechanism(MECHANISM).build();
    try (TokenClient client = new TokenClient(server, "alice", TOKEN, new byte[] {1}, "auth")) {
      assertThat(client.negotiate().getAuths(0)).isEqualTo(offered);
      client.send(initiation(offered));
      RpcSaslProto challenge = client.read();
      assertThat(challenge.getState()).isEqualTo(SaslState.CHALLENGE);
      assertThat(challenge.getToken().toStringUtf8()).matches("<.*@default>");
    }
  }

  /** The variable comes before the settings, and a JVM reads both once. */
  @Test
  void theEnvironmentMayNameTheMechanism(@TempDir Path folder) throws Exception {
    Path output = folder.resolve("output");
    ProcessBuilder command =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                OfferedMechanism.class.getName())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    command.environment().put("HADOOP_SASL_MECHANISM", MECHANISM);
    Process process = command.start();
    try {
      assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    } finally {
      process.destroyForcibly();
    }
    assertThat(Files.readAllLines(output)).contains("offered=" + MECHANISM);
  }

  @Test
  void theDefaultIsNotOfferedBeside() throws IOException {
    try (TokenClient client = new TokenClient(server, "alice", TOKEN, new byte[] {1}, "auth")) {
      client.negotiate();
      client.send(initiation(TokenDialogue.TOKEN_AUTH));
      assertThatThrownBy(client::read)
          .hasMessageContaining(AccessControlException.class.getName())
          .hasMessageContaining(
              "TOKEN authentication is not enabled.  Available:[TOKEN, KERBEROS]");
    }
  }

  private static RpcSaslProto initiation(SaslAuth chosen) {
    return RpcSaslProto.newBuilder()
        .setState(SaslState.INITIATE)
        .addAuths(chosen)
        .setToken(ByteString.EMPTY)
        .build();
  }
}
