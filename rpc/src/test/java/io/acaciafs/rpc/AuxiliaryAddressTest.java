package io.acaciafs.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.rpc.options.RpcServerOptions;
import io.acaciafs.rpc.protocol.RpcCall;
import io.acaciafs.rpc.testkit.FixedTokens;
import io.acaciafs.rpc.testkit.RawClient;
import io.acaciafs.rpc.testkit.TestService;
import io.acaciafs.rpc.testkit.TokenClient;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Objects;
import org.apache.hadoop.ipc.protobuf.IpcConnectionContextProtos.IpcConnectionContextProto;
import org.junit.jupiter.api.Test;

/** Calls that come to an auxiliary address know how their connection is protected. */
class AuxiliaryAddressTest {
  private static final int TOKEN = 7;
  private static final InetSocketAddress FREE = new InetSocketAddress("127.0.0.1", 0);

  private final TestService service = new TestService();
  private final FixedTokens tokens = new FixedTokens().add(TOKEN);

  private RpcServerOptions.Builder options() {
    return RpcServerOptions.builder()
        .moreAddresses(List.of(FREE))
        .auxiliaryAddresses(List.of(FREE));
  }

  /** What a call by this protection knows of it. */
  private String known(InetSocketAddress server, String quality) throws IOException {
    try (TokenClient client = TokenClient.authenticated(server, "alice", TOKEN, quality)) {
      byte[] context =
          RawClient.frame(
              RawClient.header(RawClient.CONTEXT),
              IpcConnectionContextProto.newBuilder().setProtocol(TestService.NAME).build());
      byte[] bytes = RawClient.concat(context, RawClient.ask(1, "user"));
      if (quality.equals("auth")) {
        client.raw().send(bytes);
        client.raw().readTarget();
      } else {
        client.raw().send(client.wrap(bytes));
        client.readWrapped();
      }
    }
    return call().auxiliaryPortQop();
  }

  private RpcCall call() {
    return Objects.requireNonNull(service.calls.poll(), "the call was answered");
  }

  @Test
  void tellsWhatWasAgreedOn() throws IOException {
    RpcServerOptions.Builder options =
        options().authentication(tokens.authentication("authentication,integrity,privacy"));
    try (RpcServer server = service.start(options.build())) {
      List<InetSocketAddress> addresses = server.addresses();
      assertThat(addresses).hasSize(3);
      for (String quality : List.of("auth", "auth-int", "auth-conf")) {
        assertThat(known(addresses.get(0), quality)).isNull();
        assertThat(known(addresses.get(1), quality)).isNull();
        assertThat(known(addresses.get(2), quality)).isEqualTo(quality);
      }
    }
  }

  @Test
  void knowsNothingOfAClientThatOnlyNamesItself() throws IOException {
    try (RpcServer server = service.start(options().authentication(tokens.optional()).build());
        RawClient client = new RawClient(server.addresses().get(2))) {
      client.send(
          RawClient.concat(
              RawClient.preamble(9, 0),
              RawClient.frame(RawClient.header(RawClient.CONTEXT), RawClient.context("bob")),
              RawClient.ask(1, "user")));
      assertThat(client.readTarget()).isEqualTo("bob (auth:SIMPLE)");
      assertThat(call().auxiliaryPortQop()).isNull();
    }
  }
}
