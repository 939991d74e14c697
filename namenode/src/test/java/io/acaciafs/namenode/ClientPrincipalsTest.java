package io.acaciafs.namenode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.namenode.admin.ServiceAuthorization;
import io.acaciafs.namenode.ha.ForwardProtocol;
import io.acaciafs.namenode.members.MemberProtocol;
import io.acaciafs.namenode.monitor.history.HistoryProtocol;
import io.acaciafs.namenode.settings.Settings;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.security.SaslRpcServer.AuthMethod;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authorize.AuthorizationException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which protocols are for the principals of DataNodes alone. */
class ClientPrincipalsTest {
  private static final String HDFS = "org.apache.hadoop.hdfs.";

  @AutoClose private static TestKdc kdc;

  private final Configuration conf = new HdfsConfiguration();

  @BeforeAll
  static void start(@TempDir Path folder) throws Exception {
    kdc = new TestKdc(folder);
  }

  @BeforeEach
  void describe() throws IOException {
    conf.set("hadoop.security.authentication", "kerberos");
    conf.set("hadoop.security.authorization", "true");
    conf.set("hadoop.security.auth_to_local", "RULE:[1:$1] RULE:[2:$1]");
    conf.set("dfs.namenode.kerberos.principal", "nn/_HOST@EXAMPLE.COM");
    conf.set("dfs.datanode.kerberos.principal", "dn/_HOST@EXAMPLE.COM");
    TestKdc.use(conf);
  }

  /** From an address of this machine. */
  private void authorize(String principal, String protocol) throws IOException {
    Configuration own = Settings.ofThisNameNode(conf);
    ServiceAuthorization.of(own, () -> own)
        .authorize(
            UserGroupInformation.createRemoteUser(principal, AuthMethod.KERBEROS),
            protocol,
            InetAddress.getByName("127.0.0.1"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"DatanodeProtocol", "DatanodeLifelineProtocol"})
  void whatDataNodesSpeakIsForTheirPrincipalFromItsHost(String name) throws IOException {
    String protocol = HDFS + "server.protocol." + name;
    String host = InetAddress.getByName("127.0.0.1").getCanonicalHostName();
    String own = "dn/" + host + "@EXAMPLE.COM";
    assertThatCode(() -> authorize(own, protocol)).doesNotThrowAnyException();
    for (String stranger :
        new String[] {
          "alice@EXAMPLE.COM",
          "nn/" + host + "@EXAMPLE.COM",
          "dn/elsewhere@EXAMPLE.COM",
          "dn/" + host + "@OTHER.COM",
          "dn@EXAMPLE.COM"
        }) {
      assertThatThrownBy(() -> authorize(stranger, protocol))
          .isInstanceOf(AuthorizationException.class)
          .hasMessage(
              "User "
                  + stranger
                  + " (auth:KERBEROS) is not authorized for protocol interface "
                  + protocol
                  + ": this service is only accessible by "
                  + own);
    }
  }

  /** Each may have its own, and none depends on the host that it calls from. */
  @ParameterizedTest
  @ValueSource(strings = {ForwardProtocol.NAME, HistoryProtocol.NAME, MemberProtocol.NAME})
  void whatNameNodesSpeakIsForEachOfThem(String protocol) {
    ServiceOfTwo.describe(conf);
    conf.set("dfs.namenode.kerberos.principal.many.nn1", "first/_HOST@EXAMPLE.COM");
    conf.set("dfs.namenode.kerberos.principal.many.nn2", "second/_HOST@EXAMPLE.COM");
    for (String own :
        new String[] {"first/localhost@EXAMPLE.COM", "second/nn2.invalid@EXAMPLE.COM"}) {
      assertThatCode(() -> authorize(own, protocol)).doesNotThrowAnyException();
    }
    for (String stranger :
        new String[] {
          "alice@EXAMPLE.COM",
          "nn/localhost@EXAMPLE.COM",
          "second/localhost@EXAMPLE.COM",
          "first/localhost@OTHER.COM"
        }) {
      assertThatThrownBy(() -> authorize(stranger, protocol))
          .isInstanceOf(AuthorizationException.class)
          .hasMessageContaining(": this service is only accessible by first/");
    }
  }

  /** NamenodeProtocol too, as in HDFS: its calls want the superuser instead. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        HDFS + "protocol.ClientProtocol",
        HDFS + "server.protocol.NamenodeProtocol",
        HDFS + "protocol.ReconfigurationProtocol",
        "org.apache.hadoop.ha.HAServiceProtocol",
        "org.apache.hadoop.security.authorize.RefreshAuthorizationPolicyProtocol",
        "org.apache.hadoop.tools.GetUserMappingsProtocol",
      })
  void othersAreForAllPrincipals(String protocol) {
    assertThatCode(() -> authorize("alice@EXAMPLE.COM", protocol)).doesNotThrowAnyException();
  }

  /** As in HDFS. */
  @Test
  void whereTheSiteNamesNoPrincipalOrAuthorizesNobodyAnyUserMay() throws IOException {
    String protocol = HDFS + "server.protocol.DatanodeProtocol";
    conf.unset("dfs.datanode.kerberos.principal");
    authorize("alice@EXAMPLE.COM", protocol);
    conf.set("hadoop.security.authorization", "false");
    assertThat(ServiceAuthorization.of(conf, () -> conf)).isNull();
  }
}
