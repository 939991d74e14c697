package io.acaciafs.namenode.admin;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.namenode.RunningNameNode;
import io.acaciafs.web.ProxyUserRules;
import java.io.File;
import java.net.InetAddress;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authorize.AuthorizationException;
import org.apache.hadoop.security.authorize.ProxyUsers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UserMappingCallsTest {
  private static final Map<String, String> OOZIE =
      Map.of("hadoop.proxyuser.oozie.hosts", "*", "hadoop.proxyuser.oozie.users", "*");

  @AfterEach
  void goBack() {
    ProxyUserRules.forget();
    ProxyUsers.refreshSuperUserGroupsConfiguration(new Configuration());
  }

  private static void actForBob() throws AuthorizationException {
    UserGroupInformation oozie = UserGroupInformation.createRemoteUser("oozie");
    ProxyUsers.authorize(
        UserGroupInformation.createProxyUser("bob", oozie), InetAddress.getLoopbackAddress());
  }

  @Test
  void whatWasRereadIsForgottenWhenANameNodeStarts(@TempDir File folder) throws Exception {
    ProxyUserRules.take(new Configuration(false));
    new RunningNameNode(folder, OOZIE).close(); // waits for the web server's start
    assertThatCode(UserMappingCallsTest::actForBob).doesNotThrowAnyException();
  }

  /** When a user may no longer speak for others, that must not end when the web server is ready. */
  @Test
  void whatIsRereadWhileTheWebServerStartsStays(@TempDir File folder) throws Exception {
    RunningNameNode nameNode = new RunningNameNode(folder, OOZIE);
    ProxyUserRules.take(new Configuration(false));
    nameNode.close();
    assertThatThrownBy(UserMappingCallsTest::actForBob)
        .isInstanceOf(AuthorizationException.class)
        .hasMessageContaining("oozie is not allowed to impersonate bob");
  }
}
