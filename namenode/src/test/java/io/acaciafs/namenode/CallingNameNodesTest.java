package io.acaciafs.namenode;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.namenode.settings.Settings;
import io.acaciafs.rpc.protocol.RpcCall;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.SaslRpcServer.AuthMethod;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which callers may speak as a NameNode, where two are described as a service. */
class CallingNameNodesTest {
  @AutoClose private static TestKdc kdc;

  private final Configuration conf = new HdfsConfiguration();

  @BeforeAll
  static void start(@TempDir Path folder) throws Exception {
    kdc = new TestKdc(folder);
  }

  @BeforeEach
  void describe() throws IOException {
    conf.set("hadoop.security.authentication", "kerberos");
    conf.set("hadoop.security.auth_to_local", "RULE:[1:$1]s/@.*// RULE:[2:$1]s/.*/hdfs/");
    ServiceOfTwo.describe(conf);
    conf.set("dfs.namenode.kerberos.principal", "nn/_HOST@EXAMPLE.COM");
    TestKdc.use(conf);
  }

  private void require(UserGroupInformation user) throws AccessControlException {
    RpcCall call =
        (RpcCall)
            Proxy.newProxyInstance(
                RpcCall.class.getClassLoader(),
                new Class<?>[] {RpcCall.class},
                (proxy, method, arguments) -> user);
    new CallingNameNodes(Settings.ofThisNameNode(conf)).require(call, "NameNodes alone do this");
  }

  private static UserGroupInformation withTicket(String principal) {
    return UserGroupInformation.createRemoteUser(principal, AuthMethod.KERBEROS);
  }

  @Test
  void eachOfTheServiceMay() {
    assertThatCode(() -> require(withTicket("nn/localhost@EXAMPLE.COM")))
        .doesNotThrowAnyException();
    assertThatCode(() -> require(withTicket("nn/nn2.invalid@EXAMPLE.COM")))
        .doesNotThrowAnyException();
  }

  @Test
  void nobodyElseMay() {
    for (UserGroupInformation other :
        new UserGroupInformation[] {
          withTicket("nn/nn3.invalid@EXAMPLE.COM"),
          withTicket("nn/localhost@OTHER.COM"),
          withTicket("nn@EXAMPLE.COM"),
          withTicket("hdfs@EXAMPLE.COM"),
          UserGroupInformation.createRemoteUser("nn/localhost@EXAMPLE.COM", AuthMethod.TOKEN),
          UserGroupInformation.createRemoteUser("nn/localhost@EXAMPLE.COM", AuthMethod.SIMPLE),
          UserGroupInformation.createProxyUser(
              "nn/localhost@EXAMPLE.COM", withTicket("oozie/localhost@EXAMPLE.COM"))
        }) {
      assertThatThrownBy(() -> require(other))
          .as("%s", other)
          .isInstanceOf(AccessControlException.class)
          .hasMessage("Access denied for user " + other + ". NameNodes alone do this");
    }
  }

  @Test
  void withoutKerberosNobodyProvesToBeOne() {
    conf.set("hadoop.security.authentication", "simple");
    assertThatCode(() -> require(UserGroupInformation.createRemoteUser("anybody")))
        .doesNotThrowAnyException();
  }
}
