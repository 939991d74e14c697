package io.acaciafs.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.servlet.Filter;
import javax.servlet.FilterChain;
import javax.servlet.FilterConfig;
import javax.servlet.ServletRequest;
import javax.servlet.ServletResponse;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authorize.AuthorizationException;
import org.apache.hadoop.security.authorize.ProxyUsers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which proxy users there are while a web server starts whose settings name one. */
class ProxyUserRulesTest {
  private final Configuration conf = new HdfsConfiguration();

  @BeforeEach
  void allow() {
    conf.set("dfs.namenode.http-address", "127.0.0.1:0");
    conf.set("hadoop.proxyuser.oozie.hosts", "*");
    conf.set("hadoop.proxyuser.oozie.users", "*");
  }

  @AfterEach
  void goBack() {
    ProxyUserRules.forget();
    ProxyUsers.refreshSuperUserGroupsConfiguration(new Configuration());
  }

  private static boolean mayOozieActForBob() {
    UserGroupInformation oozie = UserGroupInformation.createRemoteUser("oozie");
    try {
      ProxyUsers.authorize(
          UserGroupInformation.createProxyUser("bob", oozie), InetAddress.getLoopbackAddress());
      return true;
    } catch (AuthorizationException e) {
      return false;
    }
  }

  /** Starts behind Hadoop's filter, before the server answers. */
  private static final class Look implements Filter {
    private boolean wasAllowed;

    @Override
    public void init(FilterConfig config) {
      wasAllowed = mayOozieActForBob();
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain) {
      // nothing is asked
    }

    @Override
    public void destroy() {
      // nothing is kept
    }
  }

  private boolean isAllowedDuringAStart() throws Exception {
    Look look = new Look();
    try (WebServer server = WebServer.bind(conf)) {
      server.start(List.of(site -> site.filter("/*", look)));
      server.started().get(60, TimeUnit.SECONDS);
    }
    assertThat(mayOozieActForBob()).as("after the start").isEqualTo(look.wasAllowed);
    return look.wasAllowed;
  }

  /** When a user may act for others no more, no moment of a start lets it. */
  @Test
  void whatWasRereadHoldsDuringAStart() throws Exception {
    ProxyUserRules.take(new Configuration(false));
    assertThat(isAllowedDuringAStart()).isFalse();
  }

  @Test
  void whatWasRereadMayAllowMore() throws Exception {
    ProxyUserRules.take(new Configuration(conf));
    conf.unset("hadoop.proxyuser.oozie.hosts");
    conf.unset("hadoop.proxyuser.oozie.users");
    assertThat(isAllowedDuringAStart()).isTrue();
  }

  @Test
  void whereNothingWasRereadTheSettingsHold() throws Exception {
    ProxyUserRules.take(new Configuration(false));
    ProxyUserRules.forget();
    assertThat(isAllowedDuringAStart()).isTrue();
  }
}
