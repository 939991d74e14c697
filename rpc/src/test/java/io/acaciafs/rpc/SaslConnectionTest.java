package io.acaciafs.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.rpc.options.RpcServerOptions;
import io.acaciafs.rpc.protocol.CallListener;
import io.acaciafs.rpc.testkit.Eventually;
import io.acaciafs.rpc.testkit.FixedTokens;
import io.acaciafs.rpc.testkit.RawClient;
import io.acaciafs.rpc.testkit.RawClient.Reply;
import io.acaciafs.rpc.testkit.TestClient;
import io.acaciafs.rpc.testkit.TestService;
import io.acaciafs.rpc.testkit.TokenClient;
import io.acaciafs.rpc.testkit.TokenDialogue;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import javax.security.sasl.SaslException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetLinkTargetResponseProto;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.ipc.RpcConstants;
import org.apache.hadoop.ipc.RpcServerException;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.ipc.protobuf.IpcConnectionContextProtos.IpcConnectionContextProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcResponseHeaderProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcResponseHeaderProto.RpcErrorCodeProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcResponseHeaderProto.RpcStatusProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcSaslProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcSaslProto.SaslState;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.token.SecretManager.InvalidToken;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients that prove who they are, and clients that fail to. */
class SaslConnectionTest {
  private static final int TOKEN = 7;
  private final TestService service = new TestService();
  private final FixedTokens tokens = new FixedTokens().add(TOKEN);

  private RpcServer start(String protection) throws IOException {
    return service.start(
        RpcServerOptions.builder()
            .authentication(tokens.authentication(protection))
            .ioThreads(1)
            .build());
  }

  private static byte[] context() throws IOException {
    return RawClient.frame(
        RawClient.header(RawClient.CONTEXT),
        IpcConnectionContextProto.newBuilder().setProtocol(TestService.NAME).build());
  }

  private static String target(Reply reply) throws IOException {
    return GetLinkTargetResponseProto.parseDelimitedFrom(reply.rest().newInput()).getTargetPath();
  }

  private static RpcResponseHeaderProto assertRefused(
      RawClient client, RpcErrorCodeProto code, Class<?> reported, String text) throws IOException {
    RpcResponseHeaderProto header = client.read().header();
    assertThat(header.getStatus()).isEqualTo(RpcStatusProto.FATAL);
    assertThat(header.getErrorDetail()).isEqualTo(code);
    assertThat(header.getExceptionClassName()).isEqualTo(reported.getName());
    assertThat(header.getErrorMsg()).contains(text);
    assertThat(client.isClosed()).isTrue();
    return header;
  }

  private static void assertUnauthorized(RawClient client, Class<?> reported, String text)
      throws IOException {
    assertRefused(client, RpcErrorCodeProto.FATAL_UNAUTHORIZED, reported, text);
  }

  private static void assertOutOfPlace(RawClient client, Class<?> reported, String text)
      throws IOException {
    assertRefused(client, RpcErrorCodeProto.FATAL_INVALID_RPC_HEADER, reported, text);
  }

  // ---- Who may come in ----

  @Test
  void aClientThatOnlyNamesItselfIsRefused() throws IOException {
    try (RpcServer server = start("authentication");
        RawClient client = new RawClient(server)) {
      client.send(RawClient.preamble(9, 0));
      RpcResponseHeaderProto header =
          assertRefused(
              client,
              RpcErrorCodeProto.FATAL_UNAUTHORIZED,
              AccessControlException.class,
              "SIMPLE authentication is not enabled.  Available:[TOKEN, KERBEROS]");
      assertThat(header.getCallId()).isEqualTo(RpcConstants.AUTHORIZATION_FAILED_CALL_ID);
    }
  }

  @Test
  void theServersWordsHaveTheIdOfTheExchange() throws IOException {
    try (RpcServer server = start("authentication");
        TokenClient client = new TokenClient(server, "alice", TOKEN, new byte[] {1}, "auth")) {
      client.send(TokenDialogue.message(SaslState.NEGOTIATE));
      RpcResponseHeaderProto header = client.raw().read().header();
      assertThat(header.getCallId()).isEqualTo(RawClient.SASL);
      assertThat(header.getStatus()).isEqualTo(RpcStatusProto.SUCCESS);
    }
  }

  @Test
  void aTokenTellsWhoCalls() throws IOException {
    try (RpcServer server = start("authentication");
        TokenClient client = TokenClient.authenticated(server, "alice", TOKEN, "auth")) {
      client.raw().send(RawClient.concat(context(), RawClient.ask(1, "user")));
      assertThat(client.raw().readTarget()).isEqualTo("alice (auth:TOKEN)");
    }
  }

  @Test
  void whereTokensAreOptionalAClientMayNameItself() throws IOException {
    try (RpcServer server =
        service.start(RpcServerOptions.builder().authentication(tokens.optional()).build())) {
      try (RawClient client = RawClient.connected(server, "bob")) {
        client.send(RawClient.ask(1, "user"));
        assertThat(client.readTarget()).isEqualTo("bob (auth:SIMPLE)");
      }
      try (TokenClient client =
          new TokenClient(server, "alice", TOKEN, FixedTokens.password(TOKEN), "auth")) {
        RpcSaslProto simple =
            RpcSaslProto.newBuilder()
                .setState(SaslState.INITIATE)
                .addAuths(client.negotiate().getAuths(1))
                .build();
        client
            .raw()
            .send(
                RawClient.concat(
                    TokenDialogue.frame(simple),
                    RawClient.frame(RawClient.header(RawClient.CONTEXT), RawClient.context("bob")),
                    RawClient.ask(1, "user")));
        assertThat(client.raw().readTarget()).isEqualTo("bob (auth:SIMPLE)");
      }
      try (TokenClient client = TokenClient.authenticated(server, "alice", TOKEN, "auth")) {
        client.raw().send(RawClient.concat(context(), RawClient.ask(1, "user")));
        assertThat(client.raw().readTarget()).isEqualTo("alice (auth:TOKEN)");
      }
    }
  }

  @Test
  void aWrongPasswordAuthenticatesNobody() throws IOException {
    byte[] password = FixedTokens.password(TOKEN);
    password[0] ^= 1;
    try (RpcServer server = start("authentication");
        TokenClient client = new TokenClient(server, "alice", TOKEN, password, "auth")) {
      client.send(client.initiation(client.negotiate()));
      assertUnauthorized(client.raw(), SaslException.class, "");
    }
  }

  @Test
  void anUnknownTokenIsInvalid() throws IOException {
    try (RpcServer server = start("authentication");
        TokenClient client = new TokenClient(server, "alice", 8, new byte[] {1}, "auth")) {
      client.send(client.initiation(client.negotiate()));
      assertUnauthorized(client.raw(), InvalidToken.class, "can't be found in cache");
    }
  }

  @Test
  void aStoreThatDoesNotAnswerMakesNoTokenInvalid() throws IOException {
    tokens.add(
        8,
        () -> {
          throw new RetriableException("The store does not answer");
        });
    tokens.add(
        9,
        () -> {
          throw new StandbyException("Another one leads");
        });
    try (RpcServer server = start("authentication")) {
      try (TokenClient client = new TokenClient(server, "alice", 8, new byte[] {1}, "auth")) {
        client.send(client.initiation(client.negotiate()));
        assertUnauthorized(client.raw(), RetriableException.class, "The store does not answer");
      }
      try (TokenClient client = new TokenClient(server, "alice", 9, new byte[] {1}, "auth")) {
        client.send(client.initiation(client.negotiate()));
        assertUnauthorized(client.raw(), StandbyException.class, "Another one leads");
      }
    }
  }

  @Test
  void aTokenIsForItsOwnUserAlone() throws IOException {
    try (RpcServer server = start("authentication");
        TokenClient client = TokenClient.authenticated(server, "alice", TOKEN, "auth")) {
      client
          .raw()
          .send(RawClient.frame(RawClient.header(RawClient.CONTEXT), RawClient.context("hdfs")));
      assertUnauthorized(
          client.raw(),
          AccessControlException.class,
          "Authenticated user (alice (auth:TOKEN)) doesn't match what the client claims to be"
              + " (hdfs (auth:SIMPLE))");
    }
  }

  @Test
  void aNameThatWouldForgeALineIsRefused() throws IOException {
    try (RpcServer server = start("authentication");
        TokenClient client = TokenClient.authenticated(server, "alice\nbob", TOKEN, "auth")) {
      client.raw().send(context());
      assertUnauthorized(client.raw(), AccessControlException.class, "control characters");
    }
  }

  /** Strangers ask for as many tokens as they like: the one worker there is serves the others. */
  @Test
  void lookupsThatWaitHoldUpNoOtherConnection() throws Exception {
    CompletableFuture<byte[]> unanswered = new CompletableFuture<>();
    CompletableFuture<byte[]> later = new CompletableFuture<>();
    tokens.add(8, later).add(9, unanswered).add(10, () -> FixedTokens.password(10));
    RpcServerOptions oneWorker =
        RpcServerOptions.builder()
            .authentication(tokens.authentication("authentication"))
            .ioThreads(1)
            .workerThreads(1)
            .build();
    List<TokenClient> strangers = new ArrayList<>();
    try (RpcServer server = service.start(oneWorker);
        TokenClient slow = new TokenClient(server, "alice", 8, FixedTokens.password(8), "auth")) {
      for (int i = 0; i < 5; i++) {
        TokenClient stranger = new TokenClient(server, "alice", 9, new byte[] {1}, "auth");
        strangers.add(stranger);
        stranger.send(stranger.initiation(stranger.negotiate()));
      }
      // all at once: what follows waits for the verdict
      slow.raw()
          .send(
              RawClient.concat(
                  TokenDialogue.frame(slow.initiation(slow.negotiate())),
                  context(),
                  RawClient.ask(1, "user")));
      for (int number : new int[] {TOKEN, 10}) {
        try (TokenClient other = TokenClient.authenticated(server, "bob", number, "auth")) {
          other.raw().send(RawClient.concat(context(), RawClient.ask(1, "user")));
          assertThat(other.raw().readTarget()).isEqualTo("bob (auth:TOKEN)");
        }
      }
      try (TokenClient kerberos = new TokenClient(server, "bob", TOKEN, new byte[] {1}, "auth")) {
        RpcSaslProto offer = kerberos.negotiate();
        kerberos.send(
            RpcSaslProto.newBuilder()
                .setState(SaslState.INITIATE)
                .addAuths(offer.getAuths(1))
                .setToken(ByteString.copyFromUtf8("no ticket"))
                .build());
        assertUnauthorized(kerberos.raw(), SaslException.class, ""); // by the worker
      }
      later.complete(FixedTokens.password(8));
      assertThat(slow.read().getState()).isEqualTo(SaslState.SUCCESS);
      assertThat(slow.raw().readTarget()).isEqualTo("alice (auth:TOKEN)");
      unanswered.completeExceptionally(new RetriableException("The store does not answer"));
      for (TokenClient stranger : strangers) {
        assertUnauthorized(stranger.raw(), RetriableException.class, "The store does not answer");
      }
    } finally {
      for (TokenClient stranger : strangers) {
        stranger.close();
      }
    }
  }

  @Test
  void aClientThatLeavesWhileItsTokenIsLookedUpLeavesNothing() throws Exception {
    CompletableFuture<byte[]> password = new CompletableFuture<>();
    tokens.add(8, password);
    try (RpcServer server = start("authentication")) {
      try (TokenClient client =
          new TokenClient(server, "alice", 8, FixedTokens.password(8), "auth")) {
        client.send(client.initiation(client.negotiate()));
        Eventually.await("it is looked up", () -> password.getNumberOfDependents() > 0);
      }
      Eventually.await("it is gone", () -> server.metrics().snapshot().connections().open() == 0);
      password.complete(FixedTokens.password(8));
      try (TokenClient other = TokenClient.authenticated(server, "bob", TOKEN, "auth")) {
        other.raw().send(RawClient.concat(context(), RawClient.ask(1, "user")));
        assertThat(other.raw().readTarget()).isEqualTo("bob (auth:TOKEN)");
      }
    }
  }

  // ---- Messages out of place ----

  @Test
  void aContextBeforeTheEndIsRefused() throws IOException {
    try (RpcServer server = start("authentication");
        TokenClient client = new TokenClient(server, "alice", TOKEN, new byte[] {1}, "auth")) {
      client.negotiate();
      client.raw().send(context());
      assertOutOfPlace(
          client.raw(), RpcServerException.class, "Connection header sent during SASL negotiation");
    }
  }

  @Test
  void aCallBeforeTheContextIsRefused() throws IOException {
    try (RpcServer server = start("authentication")) {
      try (TokenClient client = TokenClient.authenticated(server, "alice", TOKEN, "auth")) {
        client.raw().send(RawClient.ask(1, "user"));
        assertOutOfPlace(
            client.raw(), RpcServerException.class, "Connection context not established");
      }
      try (TokenClient client = new TokenClient(server, "alice", TOKEN, new byte[] {1}, "auth")) {
        client.negotiate();
        client.raw().send(RawClient.ask(1, "user"));
        assertOutOfPlace(
            client.raw(), RpcServerException.class, "Connection context not established");
      }
    }
    assertThat(service.calls).isEmpty();
  }

  @Test
  void packetsWithoutProtectionAreRefused() throws IOException {
    try (RpcServer server = start("authentication")) {
      try (TokenClient client = new TokenClient(server, "alice", TOKEN, new byte[] {1}, "auth")) {
        client.send(TokenDialogue.message(SaslState.WRAP));
        assertOutOfPlace(client.raw(), SaslException.class, "Server is not wrapping data");
      }
      try (TokenClient client = TokenClient.authenticated(server, "alice", TOKEN, "auth")) {
        client.send(TokenDialogue.message(SaslState.WRAP));
        assertOutOfPlace(client.raw(), SaslException.class, "Negotiation is already complete");
      }
    }
  }

  @Test
  void aClientAuthenticatesOnce() throws IOException {
    try (RpcServer server = start("authentication")) {
      for (SaslState state : SaslState.values()) {
        try (TokenClient client = TokenClient.authenticated(server, "alice", TOKEN, "auth")) {
          client.raw().send(context());
          client.send(TokenDialogue.message(state));
          assertOutOfPlace(client.raw(), SaslException.class, "Negotiation is already complete");
        }
      }
    }
  }

  @Test
  void theSameWordsAreOfNoUseToAnotherConnection() throws IOException {
    try (RpcServer server = start("authentication");
        TokenClient client =
            new TokenClient(server, "alice", TOKEN, FixedTokens.password(TOKEN), "auth");
        TokenClient thief = new TokenClient(server, "alice", TOKEN, new byte[] {1}, "auth")) {
      RpcSaslProto said = client.initiation(client.negotiate());
      client.send(said);
      assertThat(client.read().getState()).isEqualTo(SaslState.SUCCESS);
      thief.negotiate();
      thief.send(said);
      assertUnauthorized(thief.raw(), SaslException.class, "");
    }
  }

  @Test
  void aStrangerSendsNoLargeRequest() throws IOException {
    try (RpcServer server = start("authentication");
        TokenClient client = new TokenClient(server, "alice", TOKEN, new byte[] {1}, "auth")) {
      client.raw().send(new byte[] {0, 2, 0, 1}); // 128 KiB and a byte
      assertThat(client.raw().isClosed()).isTrue();
    }
  }

  @Test
  void aStrangerDoesNotTakeForever() throws IOException {
    AtomicLong nanos = new AtomicLong();
    RpcServerOptions options =
        RpcServerOptions.builder()
            .authentication(tokens.authentication("authentication"))
            .idleTimeoutMs(20_000)
            .build();
    try (RpcServer server =
            RpcServer.start(
                options, List.of(service.protocol()), CallListener.Provider.NONE, nanos::get);
        TokenClient stranger = new TokenClient(server, "alice", TOKEN, new byte[] {1}, "auth");
        TokenClient known = TokenClient.authenticated(server, "alice", TOKEN, "auth")) {
      stranger.negotiate();
      known.raw().send(RawClient.concat(context(), RawClient.ask(1, "x")));
      assertThat(known.raw().readTarget()).isEqualTo("x");
      nanos.set(TimeUnit.MILLISECONDS.toNanos(20_001));
      server.closeIdle();
      assertThat(stranger.raw().isClosed()).isTrue();
      known.raw().send(RawClient.ask(2, "y"));
      assertThat(known.raw().readTarget()).isEqualTo("y");
    }
  }

  // ---- Packets ----

  @ParameterizedTest
  @ValueSource(strings = {"auth-int", "auth-conf"})
  void requestsAndRepliesAreWrapped(String quality) throws IOException {
    try (RpcServer server = start("privacy,integrity");
        TokenClient client = TokenClient.authenticated(server, "alice", TOKEN, quality)) {
      client.raw().send(client.wrap(RawClient.concat(context(), RawClient.ask(1, "user"))));
      assertThat(target(client.readWrapped())).isEqualTo("alice (auth:TOKEN)");
      client
          .raw()
          .send(
              client.wrap(
                  RawClient.concat(
                      RawClient.ask(2, "large 300000"),
                      RawClient.ask(3, "x"),
                      RawClient.ask(4, "missing y"))));
      Map<Integer, Reply> replies = new HashMap<>();
      for (int i = 0; i < 3; i++) {
        Reply reply = client.readWrapped();
        replies.put(reply.header().getCallId(), reply);
      }
      assertThat(target(replies.get(2))).hasSize(300_000);
      assertThat(target(replies.get(3))).isEqualTo("x");
      assertThat(replies.get(4).header().getExceptionClassName())
          .isEqualTo("java.io.FileNotFoundException");
    }
  }

  /** Its requests come in packets of 64 KiB; a reply of any length is one. */
  @ParameterizedTest
  @ValueSource(strings = {"authentication", "integrity", "privacy"})
  void hadoopsClientSendsAndReadsWhatIsLarge(String protection) throws IOException {
    Configuration conf = new Configuration();
    conf.set("hadoop.rpc.protection", protection);
    try (RpcServer server = start("authentication,integrity,privacy");
        TestClient client =
            new TestClient(
                server.address(),
                conf,
                FixedTokens.holder(server.address(), TOKEN, FixedTokens.password(TOKEN)))) {
      assertThat(client.ask("length " + "x".repeat(300_000))).isEqualTo("300000");
      assertThat(client.ask("large 1000000")).hasSize(1_000_000);
      assertThat(client.ask("user")).isEqualTo("alice (auth:TOKEN)");
    }
  }

  @Test
  void aRequestMayComeInManyPackets() throws IOException {
    try (RpcServer server = start("integrity");
        TokenClient client = TokenClient.authenticated(server, "alice", TOKEN, "auth-int")) {
      byte[] all =
          RawClient.concat(
              context(),
              RawClient.ask(1, "length " + "x".repeat(100_000)),
              RawClient.ask(2, "user"));
      for (int from = 0; from < all.length; from += 7_000) {
        int length = Math.min(7_000, all.length - from);
        byte[] part = new byte[length];
        System.arraycopy(all, from, part, 0, length);
        client.raw().send(client.wrap(part));
      }
      assertThat(target(client.readWrapped())).isEqualTo("100000");
      assertThat(target(client.readWrapped())).isEqualTo("alice (auth:TOKEN)");
    }
  }

  @Test
  void repliesOfOtherThreadsAreWrappedInTheirOrder() throws Exception {
    try (RpcServer server = start("privacy");
        TokenClient client = TokenClient.authenticated(server, "alice", TOKEN, "auth-conf")) {
      service.permits.release(100);
      client.raw().send(client.wrap(context()));
      for (int i = 0; i < 100; i++) {
        client
            .raw()
            .send(
                client.wrap(
                    RawClient.concat(RawClient.askWorker(2 * i), RawClient.ask(2 * i + 1, "x"))));
      }
      assertThat(
              IntStream.range(0, 200)
                  .mapToObj(
                      i -> {
                        try {
                          return client.readWrapped().header().getCallId();
                        } catch (IOException e) {
                          throw new UncheckedIOException(e);
                        }
                      }))
          .hasSize(200)
          .doesNotHaveDuplicates();
    }
  }

  @Test
  void aPacketCannotBeReplayed() throws IOException {
    try (RpcServer server = start("integrity");
        TokenClient client = TokenClient.authenticated(server, "alice", TOKEN, "auth-int")) {
      client.raw().send(client.wrap(context()));
      byte[] packet = client.wrap(RawClient.ask(1, "once"));
      client.raw().send(packet);
      assertThat(target(client.readWrapped())).isEqualTo("once");
      client.raw().send(packet);
      assertThat(client.raw().isClosed()).isTrue();
      assertThat(service.calls).hasSize(1);
    }
  }

  @Test
  void aPacketThatWasChangedOrCutEndsTheConnection() throws IOException {
    try (RpcServer server = start("integrity")) {
      for (int change = 0; change < 3; change++) {
        try (TokenClient client = TokenClient.authenticated(server, "alice", TOKEN, "auth-int")) {
          client.raw().send(client.wrap(context()));
          byte[] packet = client.wrap(RawClient.ask(1, "changed"));
          RpcSaslProto token =
              RpcSaslProto.parseDelimitedFrom(
                  new ByteArrayInputStream(
                      packet, 4 + 1 + packet[4], packet.length - 5 - packet[4]));
          byte[] bytes = token.getToken().toByteArray();
          switch (change) {
            case 0 -> bytes[bytes.length / 2] ^= 1;
            case 1 -> bytes = Arrays.copyOf(bytes, bytes.length / 2);
            default -> bytes = new byte[0];
          }
          client.send(token.toBuilder().setToken(ByteString.copyFrom(bytes)).build());
          assertThat(client.raw().isClosed()).as("change %s", change).isTrue();
        }
      }
    }
    assertThat(service.calls).isEmpty();
  }

  @Test
  void nobodyAddsACallWithoutAPacket() throws IOException {
    try (RpcServer server = start("integrity");
        TokenClient client = TokenClient.authenticated(server, "alice", TOKEN, "auth-int")) {
      client.raw().send(client.wrap(context()));
      client.raw().send(RawClient.ask(1, "added"));
      RpcResponseHeaderProto header = client.readWrapped().header();
      assertThat(header.getStatus()).isEqualTo(RpcStatusProto.FATAL);
      assertThat(header.getErrorMsg()).isEqualTo("The client has to wrap its requests");
      assertThat(client.raw().isClosed()).isTrue();
      assertThat(service.calls).isEmpty();
    }
  }

  @Test
  void aClientThatOffersTooLittleProtectionIsRefused() throws IOException {
    try (RpcServer server = start("privacy");
        TokenClient client =
            new TokenClient(server, "alice", TOKEN, FixedTokens.password(TOKEN), "auth")) {
      RpcSaslProto offer = client.negotiate();
      assertThat(offer.getAuths(0).getChallenge().toStringUtf8()).contains("auth-conf");
      assertThatThrownBy(() -> client.initiation(offer)).isInstanceOf(SaslException.class);
    }
  }

  @Test
  void nothingIsHeldForAClientThatIsGone() throws Exception {
    try (RpcServer server = start("integrity")) {
      try (TokenClient client = TokenClient.authenticated(server, "alice", TOKEN, "auth-int")) {
        byte[] request = RawClient.ask(1, "length " + "x".repeat(1_000_000));
        client.raw().send(client.wrap(RawClient.concat(context(), RawClient.ask(1, "x"))));
        assertThat(target(client.readWrapped())).isEqualTo("x");
        client.raw().send(client.wrap(Arrays.copyOf(request, 500_000)));
        Eventually.await("it counts", () -> server.heldBytes() > 400_000);
      }
      Eventually.await("it is freed", () -> server.heldBytes() == 0);
    }
  }
}
