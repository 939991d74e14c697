package io.acaciafs.namenode.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.namenode.RunningNameNode;
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
  @AfterEach
  void goBack() {
    UserMappingCalls.forgetReread();
    ProxyUsers.refreshSuperUserGroupsConfiguration(new Configuration());
  }

  /** Else a NameNode that changes its role would go back to what it was started with. */
  @Test
  void whatWasRereadLastsForTheNextPart() {
    Configuration start = new Configuration(false);
    start.set("hadoop.proxyuser.oozie.hosts", "*");
    start.set("hadoop.proxyuser.hive.hosts", "10.0.0.1");
    start.set("other", "stays");
    Configuration files = new Configuration(false);
    files.set("hadoop.proxyuser.hive.hosts", "10.0.0.2");
    UserMappingCalls.take(files);
    UserMappingCalls.keepReread(start);
    assertThat(start.get("hadoop.proxyuser.hive.hosts")).isEqualTo("10.0.0.2");
    assertThat(start.get("hadoop.proxyuser.oozie.hosts")).isNull();
    assertThat(start.get("other")).isEqualTo("stays");
  }

  @Test
  void whatWasRereadIsForgottenWhenANameNodeStarts() {
    Configuration start = new Configuration(false);
    start.set("hadoop.proxyuser.oozie.hosts", "*");
    UserMappingCalls.take(new Configuration(false));
    UserMappingCalls.forgetReread();
    UserMappingCalls.keepReread(start);
    assertThat(start.get("hadoop.proxyuser.oozie.hosts")).isEqualTo("*");
  }

  /** When a user may no longer speak for others, that must not end when the web server is ready. */
  @Test
  void whatIsRereadWhileTheWebServerStartsStays(@TempDir File folder) throws Exception {
    Map<String, String> settings =
        Map.of("hadoop.proxyuser.oozie.hosts", "*", "hadoop.proxyuser.oozie.users", "*");
    RunningNameNode nameNode = new RunningNameNode(folder, settings);
    UserMappingCalls.take(new Configuration(false));
    nameNode.close(); // waits for the web server's start
    UserGroupInformation bob =
        UserGroupInformation.createProxyUser("bob", UserGroupInformation.createRemoteUser("oozie"));
    assertThatThrownBy(() -> ProxyUsers.authorize(bob, InetAddress.getLoopbackAddress()))
        .isInstanceOf(AuthorizationException.class)
        .hasMessageContaining("oozie is not allowed to impersonate bob");
  }
}
