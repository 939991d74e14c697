package io.acaciafs.namenode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.namenode.members.Member;
import io.acaciafs.namenode.members.MemberClient;
import io.acaciafs.namenode.members.MemberMessage;
import io.acaciafs.namenode.members.MemberMessage.Kind;
import io.acaciafs.namenode.settings.CalledNameNodes;
import io.acaciafs.namenode.settings.KerberosLogin;
import io.acaciafs.namenode.settings.Settings;
import io.acaciafs.rpc.RpcServer;
import io.acaciafs.rpc.options.RpcServerOptions;
import io.acaciafs.rpc.sasl.Authentication;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.GlobPattern;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Which servers a NameNode believes to be another one, where two are described as a service. */
@Timeout(120)
class CalledNameNodesTest {
  private static final String PATTERN = "dfs.namenode.kerberos.principal.pattern";

  @AutoClose private static TestKdc kdc;

  private final AtomicLong nowMs = new AtomicLong(5);
  private Configuration conf;
  private Configuration files = new Configuration(false);

  @BeforeAll
  static void start(@TempDir Path folder) throws Exception {
    kdc = new TestKdc(folder, "nn/localhost", "hive/localhost");
  }

  @BeforeEach
  void describe() throws Exception {
    conf = kdc.site();
    conf.set("hadoop.security.auth_to_local", "RULE:[2:$1@$0](.*)s/.*/hdfs/\nDEFAULT");
    ServiceOfTwo.describe(conf);
    TestKdc.use(conf);
    conf = Settings.ofThisNameNode(conf);
  }

  private CalledNameNodes called() {
    return new CalledNameNodes(conf, () -> files, nowMs::get);
  }

  private static boolean takes(Configuration client, String principal) {
    return GlobPattern.compile(client.get(PATTERN)).matcher(principal).matches();
  }

  @Test
  void eachOfTheServiceIsBelievedAndNobodyElse() {
    Configuration client = called().believing(conf);
    assertThat(takes(client, "nn/localhost@EXAMPLE.COM")).isTrue();
    assertThat(takes(client, "nn/nn2.invalid@EXAMPLE.COM")).isTrue();
    for (String other :
        List.of(
            "nn/nn3.invalid@EXAMPLE.COM",
            "nn/nn2xinvalid@EXAMPLE.COM",
            "nn/localhost@OTHER.COM",
            "hive/localhost@EXAMPLE.COM",
            "nn@EXAMPLE.COM",
            "")) {
      assertThat(takes(client, other)).as(other).isFalse();
    }
  }

  @Test
  void aNameNodeThatWasAddedIsBelievedASecondLater() {
    CalledNameNodes called = called();
    called.believing(conf);
    files = new Configuration(conf);
    files.set("dfs.ha.namenodes.many", "nn1,nn2,nn3");
    files.set("dfs.namenode.rpc-address.many.nn3", "nn3.invalid:8020");
    nowMs.addAndGet(999);
    assertThat(takes(called.believing(conf), "nn/nn3.invalid@EXAMPLE.COM")).isFalse();
    nowMs.addAndGet(1);
    assertThat(takes(called.believing(conf), "nn/nn3.invalid@EXAMPLE.COM")).isTrue();
  }

  @Test
  void aPatternOfTheSiteIsLeftAsItIs() {
    for (String pattern : List.of("nn/*@EXAMPLE.COM", "*", "")) {
      conf.set(PATTERN, pattern);
      assertThat(called().believing(conf).get(PATTERN)).isEqualTo(pattern);
    }
  }

  @Test
  void withoutKerberosNothingChanges() {
    Configuration plain = new HdfsConfiguration();
    assertThat(new CalledNameNodes(plain, () -> files, nowMs::get).believing(plain))
        .isSameAs(plain);
  }

  /** It has a principal of the KDC, and the address of a NameNode. */
  @Test
  void aServiceThatPlaysANameNodeIsToldNothing() throws Exception {
    KerberosLogin.login(conf);
    RpcServerOptions options =
        RpcServerOptions.builder()
            .authentication(Authentication.of(conf, kdc.login("hive/localhost"), null))
            .ioThreads(1)
            .build();
    try (RpcServer impostor = RpcServer.start(options, List.of())) {
      Member receiver = new Member(2, "localhost", impostor.address().getPort(), 0, "secret");
      MemberMessage message = new MemberMessage(Kind.UNBLOCK, receiver, "change", List.of());
      try (MemberClient wary = new MemberClient(conf, called()::believing, 10_000);
          MemberClient any = new MemberClient(conf, UnaryOperator.identity(), 10_000)) {
        assertThatThrownBy(() -> wary.send(receiver, message))
            .hasStackTraceContaining(
                "Server has invalid Kerberos principal: hive/localhost@EXAMPLE.COM, doesn't match"
                    + " the pattern: {nn/localhost@EXAMPLE.COM,nn/nn2.invalid@EXAMPLE.COM}");
        assertThatThrownBy(() -> any.send(receiver, message))
            .hasMessageContaining("Unknown protocol");
      }
    }
  }
}
