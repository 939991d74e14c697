package io.acaciafs.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.namenode.settings.KerberosLogin;
import io.acaciafs.namenode.settings.NameNodePrincipals;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What _HOST stands for in dfs.namenode.kerberos.principal. */
@Timeout(300)
class KerberosPrincipalTest {
  /** For the name of this machine, in lower case. */
  private static final String THIS = "this";

  @TempDir static Path folder;
  @AutoClose private static TestKdc kdc;
  private static String thisHost;

  @BeforeAll
  static void start() throws Exception {
    thisHost = InetAddress.getLocalHost().getCanonicalHostName().toLowerCase(Locale.ROOT);
    Set<String> principals = new LinkedHashSet<>(Set.of("nn/localhost", "nn/shared"));
    principals.add("nn/" + thisHost);
    kdc = new TestKdc(folder, principals.toArray(String[]::new));
  }

  @ParameterizedTest
  @CsvSource({
    "nn/_HOST, LOCALHOST:8020, localhost",
    "nn/_HOST, 0.0.0.0:8020, " + THIS,
    "nn/shared, 0.0.0.0:8020, shared",
    "nn/shared, localhost:8020, shared",
  })
  void theHostOfTheRpcAddress(String principal, String address, String expected) throws Exception {
    String whole = "nn/" + (expected.equals(THIS) ? thisHost : expected);
    Configuration conf = kdc.siteOfOne();
    conf.set("dfs.namenode.kerberos.principal", principal + TestKdc.REALM);
    conf.set("dfs.namenode.keytab.file", kdc.keytab(whole).toString());
    conf.set("dfs.namenode.rpc-address", address);
    conf.set("fs.defaultFS", "hdfs://" + address);
    TestKdc.use(conf);
    KerberosLogin.login(conf);
    assertThat(UserGroupInformation.getLoginUser().getUserName()).isEqualTo(whole + TestKdc.REALM);
    assertThat(UserGroupInformation.getLoginUser().getShortUserName())
        .as("the superuser, without hadoop.security.auth_to_local")
        .isEqualTo("nn");
    assertThat(NameNodePrincipals.isNameNode(conf, whole + TestKdc.REALM)).isTrue();
  }
}
