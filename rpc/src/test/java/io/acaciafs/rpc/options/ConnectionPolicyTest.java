package io.acaciafs.rpc.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.rpc.RpcServer;
import io.acaciafs.rpc.protocol.RpcProtocol;
import io.acaciafs.rpc.testkit.RawClient;
import io.acaciafs.rpc.testkit.TestClient;
import io.acaciafs.rpc.testkit.TestService;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ha.proto.HAServiceProtocolProtos.HAServiceProtocolService;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authorize.AuthorizationException;
import org.apache.hadoop.security.authorize.ProxyUsers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which users may connect for which protocol, and at which addresses. */
@Timeout(30)
class ConnectionPolicyTest {
  private static final String OTHER_PROTOCOL = "org.apache.hadoop.ha.HAServiceProtocol";

  private final TestService service = new TestService();

  @AfterEach
  void forgetProxyUsers() {
    ProxyUsers.refreshSuperUserGroupsConfiguration(new Configuration(false));
  }

  private static void onlyAlice(UserGroupInformation user, String protocol)
      throws AuthorizationException {
    if (!user.getUserName().equals("alice") || !TestService.NAME.equals(protocol)) {
      throw new AuthorizationException(user.getUserName() + " may not speak " + protocol);
    }
  }

  private RpcServer start() throws IOException {
    return service.start(
        RpcServerOptions.builder()
            .connectionPolicy((user, protocol, client) -> onlyAlice(user, protocol))
            .build());
  }

  private static TestClient client(RpcServer server, UserGroupInformation user) throws IOException {
    return new TestClient(server.address(), new Configuration(), user);
  }

  @Test
  void servesUsersThatThePolicyAdmits() throws Exception {
    try (RpcServer server = start();
        TestClient client = client(server, UserGroupInformation.createRemoteUser("alice"))) {
      assertThat(client.ask("a")).isEqualTo("a");
    }
  }

  @Test
  void refusesOtherUsersBeforeTheirFirstCall() throws Exception {
    try (RpcServer server = start();
        TestClient client = client(server, UserGroupInformation.createRemoteUser("mallory"))) {
      assertThatThrownBy(() -> client.ask("a"))
          .isInstanceOfSatisfying(
              RemoteException.class,
              e -> assertThat(e.getClassName()).isEqualTo(AuthorizationException.class.getName()))
          .hasMessageContaining("mallory may not speak " + TestService.NAME);
      assertThat(service.calls).isEmpty();
    }
  }

  @Test
  void asksForTheEffectiveUserOfAProxyUser() throws Exception {
    Configuration proxies = new Configuration(false);
    proxies.set("hadoop.proxyuser.oozie.users", "*");
    proxies.set("hadoop.proxyuser.oozie.hosts", "*");
    ProxyUsers.refreshSuperUserGroupsConfiguration(proxies);
    UserGroupInformation oozie = UserGroupInformation.createRemoteUser("oozie");
    try (RpcServer server = start();
        TestClient alice = client(server, UserGroupInformation.createProxyUser("alice", oozie));
        TestClient bob = client(server, UserGroupInformation.createProxyUser("bob", oozie))) {
      assertThat(alice.ask("a")).isEqualTo("a");
      assertThatThrownBy(() -> bob.ask("a")).hasMessageContaining("bob may not speak");
    }
  }

  @Test
  void aConnectionCallsNoMethodsOfOtherProtocols() throws Exception {
    assertCallsNoOtherProtocol(
        RpcServerOptions.builder()
            .connectionPolicy(
                (user, protocol, client) -> {
                  if (TestService.NAME.equals(protocol)) {
                    throw new AuthorizationException("not this one");
                  }
                })
            .build());
  }

  /** Else anybody could have the network threads of DataNodes, by a false name. */
  @Test
  void aConnectionOfAServerOfTheClusterCallsNoMethodsOfOtherProtocols() throws Exception {
    assertCallsNoOtherProtocol(
        RpcServerOptions.builder().serviceProtocols(Set.of(OTHER_PROTOCOL)).build());
  }

  private void assertCallsNoOtherProtocol(RpcServerOptions options) throws Exception {
    RpcProtocol other =
        RpcProtocol.builder(
                OTHER_PROTOCOL, 1, HAServiceProtocolService.newReflectiveBlockingService(null))
            .build();
    try (RpcServer server = RpcServer.start(options, List.of(service.protocol(), other));
        RawClient client = new RawClient(server)) {
      client.send(RawClient.preamble(9, 0));
      client.send(
          RawClient.frame(
              RawClient.header(RawClient.CONTEXT),
              RawClient.context("mallory").toBuilder().setProtocol(OTHER_PROTOCOL).build()));
      client.send(RawClient.ask(1, "a"));
      assertThat(client.read().header().getErrorMsg())
          .contains("authorized for protocol " + OTHER_PROTOCOL + " alone");
      assertThat(service.calls).isEmpty();
    }
  }

  @Test
  void listensAtAllItsAddresses() throws Exception {
    InetSocketAddress free = new InetSocketAddress("127.0.0.1", 0);
    List<InetSocketAddress> addresses;
    try (RpcServer server =
        service.start(RpcServerOptions.builder().moreAddresses(List.of(free, free)).build())) {
      addresses = server.addresses();
      assertThat(addresses).hasSize(3).doesNotHaveDuplicates().startsWith(server.address());
      for (InetSocketAddress address : addresses) {
        UserGroupInformation alice = UserGroupInformation.createRemoteUser("alice");
        try (TestClient client = new TestClient(address, new Configuration(), alice)) {
          assertThat(client.ask("a")).isEqualTo("a");
        }
      }
      assertThatThrownBy(
              () ->
                  service.start(
                      RpcServerOptions.builder()
                          .moreAddresses(List.of(server.addresses().get(1)))
                          .build()))
          .hasMessageContaining(String.valueOf(server.addresses().get(1).getPort()));
    }
    try (RpcServer again =
        service.start(
            RpcServerOptions.builder()
                .bindAddress(addresses.get(0))
                .moreAddresses(addresses.subList(1, 3))
                .build())) {
      assertThat(again.addresses()).isEqualTo(addresses);
    }
  }
}
