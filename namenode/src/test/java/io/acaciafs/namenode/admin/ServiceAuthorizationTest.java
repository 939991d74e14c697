package io.acaciafs.namenode.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.namenode.RunningNameNode;
import io.acaciafs.namenode.members.MemberProtocol;
import java.io.File;
import java.net.InetAddress;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authorize.AuthorizationException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** hadoop.security.authorization and what hadoop-policy.xml says. */
class ServiceAuthorizationTest {
  private static final String CLIENT_PROTOCOL = "org.apache.hadoop.hdfs.protocol.ClientProtocol";
  private static final UserGroupInformation BOB = UserGroupInformation.createRemoteUser("bob");

  private final Configuration conf = new Configuration(false);
  private InetAddress client;

  @BeforeEach
  void switchOn() throws Exception {
    client = InetAddress.getByName("10.1.2.3");
    conf.setBoolean("hadoop.security.authorization", true);
  }

  private ServiceAuthorization authorization() {
    return ServiceAuthorization.of(conf, () -> conf);
  }

  @Test
  void isOffUnlessSwitchedOn() {
    conf.setBoolean("hadoop.security.authorization", false);
    assertThat(authorization()).isNull();
  }

  @Test
  void everybodyMaySpeakWhatNothingIsSaidOf() {
    assertThatCode(() -> authorization().authorize(BOB, CLIENT_PROTOCOL, client))
        .doesNotThrowAnyException();
  }

  @Test
  void usersAndHostsAreRefusedInHadoopsWords() {
    conf.set("security.client.protocol.acl", "alice");
    assertThatThrownBy(() -> authorization().authorize(BOB, CLIENT_PROTOCOL, client))
        .isInstanceOf(AuthorizationException.class)
        .hasMessage(
            "User bob (auth:SIMPLE) is not authorized for protocol interface "
                + CLIENT_PROTOCOL
                + ": denied by configured ACL");

    conf.set("security.client.protocol.acl", "*");
    conf.set("security.client.protocol.acl.blocked", "bob");
    assertThatThrownBy(() -> authorization().authorize(BOB, CLIENT_PROTOCOL, client))
        .hasMessageContaining("denied by configured ACL");

    conf.unset("security.client.protocol.acl.blocked");
    conf.set("security.client.protocol.hosts", "10.9.0.0/16");
    assertThatThrownBy(() -> authorization().authorize(BOB, CLIENT_PROTOCOL, client))
        .hasMessage("Host 10.1.2.3 is not authorized for protocol interface " + CLIENT_PROTOCOL);

    conf.unset("security.client.protocol.hosts");
    conf.set("security.client.protocol.hosts.blocked", "10.1.2.3");
    assertThatThrownBy(() -> authorization().authorize(BOB, CLIENT_PROTOCOL, client))
        .hasMessageContaining("Host 10.1.2.3 is not authorized");
  }

  @Test
  void groupsAndHostsInPrincipalsMayHaveToBeLookedUp() {
    String datanodes = "org.apache.hadoop.hdfs.server.protocol.DatanodeProtocol";
    assertThat(authorization().mayWait(CLIENT_PROTOCOL)).isFalse();
    assertThat(authorization().mayWait(datanodes)).as("names a client's principal").isTrue();
    assertThat(authorization().mayWait(null)).as("refused").isFalse();
    assertThat(authorization().mayWait("Unknown")).as("refused").isFalse();
    conf.set("security.client.protocol.acl", "alice,bob");
    assertThat(authorization().mayWait(CLIENT_PROTOCOL)).isFalse();
    conf.set("security.client.protocol.acl", "alice users");
    assertThat(authorization().mayWait(CLIENT_PROTOCOL)).isTrue();
    conf.set("security.client.protocol.acl", "*");
    conf.set("security.client.protocol.acl.blocked", "mallory guests");
    assertThat(authorization().mayWait(CLIENT_PROTOCOL)).isTrue();
  }

  /** The settings of HDFS 3.5's HDFSPolicyProvider, and what each is for. */
  @ParameterizedTest
  @CsvSource({
    "client.protocol, org.apache.hadoop.hdfs.protocol.ClientProtocol",
    "datanode.protocol, org.apache.hadoop.hdfs.server.protocol.DatanodeProtocol",
    "datanode.lifeline.protocol, org.apache.hadoop.hdfs.server.protocol.DatanodeLifelineProtocol",
    "namenode.protocol, org.apache.hadoop.hdfs.server.protocol.NamenodeProtocol",
    "ha.service.protocol, org.apache.hadoop.ha.HAServiceProtocol",
    "refresh.policy.protocol,"
        + " org.apache.hadoop.security.authorize.RefreshAuthorizationPolicyProtocol",
    "refresh.user.mappings.protocol, org.apache.hadoop.security.RefreshUserMappingsProtocol",
    "refresh.callqueue.protocol, org.apache.hadoop.ipc.RefreshCallQueueProtocol",
    "refresh.generic.protocol, org.apache.hadoop.ipc.GenericRefreshProtocol",
    "get.user.mappings.protocol, org.apache.hadoop.tools.GetUserMappingsProtocol",
    "reconfiguration.protocol, org.apache.hadoop.hdfs.protocol.ReconfigurationProtocol",
  })
  void eachProtocolHasItsOwnList(String setting, String protocol) {
    conf.set("security.service.authorization.default.acl", "hdfs");
    assertThatThrownBy(() -> authorization().authorize(BOB, protocol, client))
        .hasMessageContaining("denied by configured ACL");
    conf.set("security." + setting + ".acl", "bob");
    assertThatCode(() -> authorization().authorize(BOB, protocol, client))
        .doesNotThrowAnyException();
    conf.set("security." + setting + ".acl.blocked", "bob");
    assertThatThrownBy(() -> authorization().authorize(BOB, protocol, client))
        .hasMessageContaining("denied by configured ACL");
    conf.unset("security." + setting + ".acl.blocked");
    conf.set("security." + setting + ".hosts", "10.1.2.4");
    assertThatThrownBy(() -> authorization().authorize(BOB, protocol, client))
        .hasMessage("Host 10.1.2.3 is not authorized for protocol interface " + protocol);
  }

  @Test
  void defaultsMayExcludeToo() {
    conf.set("security.service.authorization.default.acl.blocked", "bob");
    assertThatThrownBy(() -> authorization().authorize(BOB, CLIENT_PROTOCOL, client))
        .hasMessageContaining("denied by configured ACL");
    conf.set("security.service.authorization.default.acl.blocked", "alice");
    conf.set("security.service.authorization.default.hosts", "10.9.0.0/16");
    assertThatThrownBy(() -> authorization().authorize(BOB, CLIENT_PROTOCOL, client))
        .hasMessageContaining("Host 10.1.2.3 is not authorized");
    conf.unset("security.service.authorization.default.hosts");
    conf.set("security.service.authorization.default.hosts.blocked", "10.1.2.3");
    assertThatThrownBy(() -> authorization().authorize(BOB, CLIENT_PROTOCOL, client))
        .hasMessageContaining("Host 10.1.2.3 is not authorized");
  }

  @Test
  void theDefaultHoldsForProtocolsWithoutAListOfTheirOwn() {
    conf.set("security.service.authorization.default.acl", "hdfs");
    assertThatThrownBy(
            () ->
                authorization()
                    .authorize(
                        BOB, "org.apache.hadoop.hdfs.server.protocol.DatanodeProtocol", client))
        .hasMessageContaining("denied by configured ACL");
  }

  @Test
  void nameNodesSpeakToEachOtherAsTheirProtocolSays() {
    assertThatCode(() -> authorization().authorize(BOB, MemberProtocol.NAME, client))
        .doesNotThrowAnyException();
    conf.set("security.namenode.protocol.acl", "hdfs");
    assertThatThrownBy(() -> authorization().authorize(BOB, MemberProtocol.NAME, client))
        .hasMessageContaining("MemberProtocol: denied by configured ACL");
  }

  @Test
  void otherProtocolsAndNoneAreRefused() {
    assertThatThrownBy(() -> authorization().authorize(BOB, "java.lang.String", client))
        .hasMessage("Unknown protocol: java.lang.String");
    assertThatThrownBy(() -> authorization().authorize(BOB, null, client))
        .hasMessage("Null protocol not authorized");
  }

  @Test
  void isReadAnew() throws AuthorizationException {
    ServiceAuthorization authorization = authorization();
    authorization.authorize(BOB, CLIENT_PROTOCOL, client);
    conf.set("security.client.protocol.acl", "alice");
    authorization.refresh();
    assertThatThrownBy(() -> authorization.authorize(BOB, CLIENT_PROTOCOL, client))
        .isInstanceOf(AuthorizationException.class);
  }

  @Test
  void whomThePolicyExcludesIsNotServed(@TempDir File folder) throws Exception {
    String self = UserGroupInformation.getCurrentUser().getShortUserName();
    try (RunningNameNode nameNode =
            new RunningNameNode(
                folder,
                Map.of(
                    "hadoop.security.authorization",
                    "true",
                    "security.client.protocol.acl",
                    self));
        DistributedFileSystem bobs = nameNode.fileSystem("bob")) {
      assertThat(nameNode.fileSystem().mkdirs(new Path("/user"))).isTrue();
      assertThatThrownBy(() -> bobs.getFileStatus(new Path("/user")))
          .isInstanceOfSatisfying(
              RemoteException.class,
              e -> assertThat(e.getClassName()).isEqualTo(AuthorizationException.class.getName()))
          .hasMessageContaining("User bob (auth:SIMPLE) is not authorized for protocol interface");
    }
  }
}
