package io.acaciafs.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.rpc.options.RpcServerOptions;
import io.acaciafs.rpc.protocol.RpcCall;
import io.acaciafs.rpc.testkit.Eventually;
import io.acaciafs.rpc.testkit.TestClient;
import io.acaciafs.rpc.testkit.TestService;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.hdfs.protocolPB.ClientDatanodeProtocolPB;
import org.apache.hadoop.hdfs.protocolPB.ClientNamenodeProtocolPB;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.ipc.CallerContext;
import org.apache.hadoop.ipc.Client;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.RpcClientUtil;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authorize.AuthorizationException;
import org.apache.hadoop.security.authorize.ProxyUsers;
import org.apache.hadoop.security.token.Token;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What Hadoop's own client tells about itself, and how it stays in touch. */
@Timeout(30)
class ConnectionTest {
  private final TestService service = new TestService();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private RpcServer server;

  @BeforeEach
  void start() throws IOException {
    server = service.start(RpcServerOptions.builder().build());
  }

  @AfterEach
  void stop() {
    CallerContext.setCurrent(null);
    ProxyUsers.refreshSuperUserGroupsConfiguration(new Configuration(false));
    server.close();
    threads.shutdownNow();
  }

  private TestClient client(Configuration conf, UserGroupInformation user) throws IOException {
    return new TestClient(server.address(), conf, user);
  }

  @Test
  void aCallKnowsItsUserAndAddress() throws Exception {
    try (TestClient client = new TestClient(server)) {
      client.ask("a");
      client.ask("b");
      RpcCall first = service.calls.take();
      RpcCall second = service.calls.take();
      assertThat(first.user().getUserName()).isEqualTo("alice");
      assertThat(first.user().getRealUser()).isNull();
      assertThat(second.user()).isSameAs(first.user());
      assertThat(first.clientAddress().getAddress().isLoopbackAddress()).isTrue();
      assertThat(first.clientId()).hasSize(16).isEqualTo(second.clientId());
      assertThat(second.callId()).isNotEqualTo(first.callId());
      assertThat(first.retryCount()).isZero();
      assertThat(first.callerContext()).isNull();
      assertThat(first.protocol()).isEqualTo(TestService.NAME);
      assertThat(first.method()).isEqualTo("getLinkTarget");
      assertThat(second.receivedNanos() - first.receivedNanos()).isPositive();
    }
  }

  @Test
  void theCallersContextAndRetriesArrive() throws Exception {
    try (TestClient client = new TestClient(server)) {
      CallerContext.setCurrent(
          new CallerContext.Builder("job_17").setSignature("sig".getBytes()).build());
      assertThat(client.ask("context")).isEqualTo("job_17/sig");
      service.calls.take();
      int callId = Client.nextCallId();
      Client.setCallIdAndRetryCount(callId, 3, null);
      client.ask("again");
      RpcCall call = service.calls.take();
      assertThat(call.callId()).isEqualTo(callId);
      assertThat(call.retryCount()).isEqualTo(3);
    }
  }

  @Test
  void aProxyUserNeedsAPermission() throws Exception {
    UserGroupInformation oozie = UserGroupInformation.createRemoteUser("oozie");
    UserGroupInformation bob = UserGroupInformation.createProxyUser("bob", oozie);
    ProxyUsers.refreshSuperUserGroupsConfiguration(new Configuration(false));
    try (TestClient client = client(new Configuration(), bob)) {
      assertThatThrownBy(() -> client.ask("user"))
          .isInstanceOfSatisfying(
              RemoteException.class,
              e -> {
                assertThat(e.getClassName()).isEqualTo(AuthorizationException.class.getName());
                assertThat(e.getMessage()).contains("oozie").contains("not allowed to impersonate");
              });
    }
    assertThat(service.calls).isEmpty();

    Configuration allowed = new Configuration(false);
    allowed.set("hadoop.proxyuser.oozie.users", "bob");
    allowed.set("hadoop.proxyuser.oozie.hosts", "*");
    ProxyUsers.refreshSuperUserGroupsConfiguration(allowed);
    try (TestClient client = client(new Configuration(), bob)) {
      client.ask("user");
      RpcCall call = service.calls.take();
      assertThat(call.user().getUserName()).isEqualTo("bob");
      assertThat(call.user().getRealUser().getUserName()).isEqualTo("oozie");
    }
  }

  @Test
  void aClientWithATokenGoesOnWithoutIt() throws IOException {
    UserGroupInformation alice = UserGroupInformation.createRemoteUser("alice");
    alice.addToken(
        new Token<>(new byte[] {1}, new byte[] {2}, new Text("kind"), new Text("service")));
    try (TestClient client = client(new Configuration(), alice)) {
      assertThat(client.ask("user")).startsWith("alice");
    }
  }

  @Test
  void aWaitingClientStaysConnectedByPings() throws Exception {
    Configuration conf = new Configuration();
    conf.setInt(CommonConfigurationKeys.IPC_PING_INTERVAL_KEY, 20);
    try (TestClient client = client(conf, UserGroupInformation.createRemoteUser("alice"))) {
      CompletableFuture<String> reply = call(() -> client.askAsync("/later", "patience"));
      TestService.Pending pending = service.pending.poll(60, TimeUnit.SECONDS);
      Eventually.await("three pings", () -> server.metrics().snapshot().pings() >= 3);
      assertThat(reply).isNotDone();
      pending.answer();
      assertThat(reply.get(60, TimeUnit.SECONDS)).isEqualTo("patience");
      assertThat(server.metrics().snapshot().connections().opened()).isEqualTo(1);
    }
  }

  @Test
  void aClientCanAskWhichMethodsThereAre() throws IOException {
    try (TestClient client = new TestClient(server)) {
      assertThat(supports(client, ClientNamenodeProtocolPB.class, 1, "getFileInfo")).isTrue();
      assertThat(supports(client, ClientNamenodeProtocolPB.class, 1, "noSuchMethod")).isFalse();
      assertThat(supports(client, ClientNamenodeProtocolPB.class, 2, "getFileInfo")).isFalse();
      assertThat(supports(client, ClientDatanodeProtocolPB.class, 1, "refreshNamenodes")).isFalse();
    }
  }

  private static boolean supports(TestClient client, Class<?> protocol, long version, String name)
      throws IOException {
    return RpcClientUtil.isMethodSupported(
        client.proxy(), protocol, RPC.RpcKind.RPC_PROTOCOL_BUFFER, version, name);
  }

  private interface Call {
    String run() throws IOException;
  }

  private CompletableFuture<String> call(Call call) {
    CompletableFuture<String> result = new CompletableFuture<>();
    threads.execute(
        () -> {
          try {
            result.complete(call.run());
          } catch (IOException | RuntimeException e) {
            result.completeExceptionally(e);
          }
        });
    return result;
  }
}
