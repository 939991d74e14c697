package io.acaciafs.namenode.admin;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.authorize.ProxyUsers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

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
}
