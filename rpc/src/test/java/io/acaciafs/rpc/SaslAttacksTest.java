package io.acaciafs.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.rpc.options.RpcServerOptions;
import io.acaciafs.rpc.testkit.Eventually;
import io.acaciafs.rpc.testkit.FixedTokens;
import io.acaciafs.rpc.testkit.RawClient;
import io.acaciafs.rpc.testkit.SecurityLines;
import io.acaciafs.rpc.testkit.TestService;
import io.acaciafs.rpc.testkit.TokenClient;
import io.acaciafs.rpc.testkit.TokenDialogue;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.ipc.protobuf.IpcConnectionContextProtos.IpcConnectionContextProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcSaslProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcSaslProto.SaslState;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What a client may try on one connection: no call comes of it, the connection ends, the security
 * log has a line, and the server has nothing left of it.
 */
@Timeout(60)
class SaslAttacksTest {
  private static final int TOKEN = 7;
  private static final int ROUNDS = 10;
  private static final byte[] PASSWORD = FixedTokens.password(TOKEN);

  /** One connection. */
  private interface Attack {
    void on(RpcServer server) throws Exception;
  }

  private static Arguments attack(String name, String protection, Attack attack) {
    return Arguments.of(name, protection, attack);
  }

  private static Stream<Arguments> attacks() {
    List<Arguments> all = new ArrayList<>();
    for (SaslState state : SaslState.values()) {
      RpcSaslProto message = TokenDialogue.message(state); // an INITIATE that chooses nothing
      if (state != SaslState.NEGOTIATE) {
        all.add(
            attack(
                state + " as the first message",
                "authentication",
                server -> {
                  try (TokenClient client = stranger(server)) {
                    client.send(message);
                    assertEnded(client);
                  }
                }));
      }
      all.add(
          attack(
              state + " after the offer",
              "authentication",
              server -> {
                try (TokenClient client = stranger(server)) {
                  client.negotiate();
                  client.send(message);
                  assertEnded(client);
                }
              }));
      all.add(
          attack(
              state + " of a client that is known",
              "authentication",
              server -> {
                try (TokenClient client = known(server, "auth")) {
                  client.send(message);
                  assertEnded(client);
                }
              }));
      all.add(
          attack(
              state + " after the context",
              "authentication",
              server -> {
                try (TokenClient client = known(server, "auth")) {
                  client.raw().send(context());
                  client.send(message);
                  assertEnded(client);
                }
              }));
      all.add(
          attack(
              state + " between packets",
              "integrity",
              server -> {
                try (TokenClient client = known(server, "auth-int")) {
                  client.raw().send(client.wrap(context()));
                  client.send(message);
                  assertEnded(client);
                }
              }));
      all.add(
          attack(
              state + " within a packet",
              "integrity",
              server -> {
                try (TokenClient client = known(server, "auth-int")) {
                  client.raw().send(client.wrap(TokenDialogue.frame(message)));
                  assertEnded(client);
                }
              }));
    }
    for (int i = 0; i < PASSWORD.length; i++) {
      byte[] changed = PASSWORD.clone();
      changed[i] ^= 1;
      all.add(
          attack(
              "a token with a changed byte " + i,
              "authentication",
              server -> {
                try (TokenClient client =
                    new TokenClient(server, "alice", TOKEN, changed, "auth")) {
                  client.send(client.initiation(client.negotiate()));
                  assertEnded(client);
                }
              }));
    }
    Map<String, Change> changes =
        Map.of(
            "sent again", bytes -> List.of(bytes, bytes),
            "cut in half", bytes -> List.of(Arrays.copyOf(bytes, bytes.length / 2)),
            "without its end", bytes -> List.of(Arrays.copyOf(bytes, bytes.length - 1)),
            "with nothing in it", bytes -> List.of(new byte[0]),
            "with a byte more", bytes -> List.of(Arrays.copyOf(bytes, bytes.length + 1)),
            "with a changed byte", bytes -> List.of(changed(bytes)));
    for (String quality : List.of("auth-int", "auth-conf")) {
      changes.forEach(
          (name, change) ->
              all.add(
                  attack(
                      "a packet " + name + ", " + quality,
                      "privacy,integrity",
                      server -> sendPacket(server, quality, change))));
      all.add(
          attack(
              "a packet before the one that was made first, " + quality,
              "privacy,integrity",
              server -> {
                try (TokenClient client = known(server, quality)) {
                  client.wrap(context());
                  client.raw().send(client.wrap(RawClient.ask(1, "x")));
                  assertEnded(client);
                }
              }));
    }
    all.add(
        attack(
            "a call without a packet",
            "privacy",
            server -> {
              try (TokenClient client = known(server, "auth-conf")) {
                client.raw().send(client.wrap(context()));
                client.raw().send(RawClient.ask(1, "x"));
                assertEnded(client);
              }
            }));
    all.add(
        attack(
            "a user without a ticket",
            "authentication",
            server -> {
              try (RawClient client = new RawClient(server)) {
                client.send(
                    RawClient.concat(
                        RawClient.preamble(9, 0),
                        RawClient.frame(
                            RawClient.header(RawClient.CONTEXT), RawClient.context("hdfs")),
                        RawClient.ask(1, "x")));
                client.readToEnd();
              }
            }));
    all.add(
        attack(
            "a call before anything is proved",
            "authentication",
            server -> {
              try (TokenClient client = stranger(server)) {
                client.raw().send(RawClient.ask(1, "x"));
                assertEnded(client);
              }
            }));
    all.add(
        attack(
            "the name of another user with a token",
            "authentication",
            server -> {
              try (TokenClient client = known(server, "auth")) {
                client
                    .raw()
                    .send(
                        RawClient.frame(
                            RawClient.header(RawClient.CONTEXT), RawClient.context("hdfs")));
                assertEnded(client);
              }
            }));
    return all.stream();
  }

  /** What is made of a packet's contents. */
  private interface Change {
    List<byte[]> of(byte[] bytes);
  }

  private static byte[] changed(byte[] bytes) {
    byte[] changed = bytes.clone();
    changed[bytes.length / 2] ^= 1;
    return changed;
  }

  private static void sendPacket(RpcServer server, String quality, Change change)
      throws IOException {
    try (TokenClient client = known(server, quality)) {
      byte[] packet = client.wrap(context());
      int at = Integer.BYTES + 1 + packet[Integer.BYTES]; // behind the header
      RpcSaslProto message =
          RpcSaslProto.parseDelimitedFrom(new ByteArrayInputStream(packet, at, packet.length - at));
      for (byte[] bytes : change.of(message.getToken().toByteArray())) {
        client.send(message.toBuilder().setToken(ByteString.copyFrom(bytes)).build());
      }
      assertEnded(client);
    }
  }

  private static TokenClient stranger(RpcServer server) throws IOException {
    return new TokenClient(server, "alice", TOKEN, new byte[] {1}, "auth");
  }

  private static TokenClient known(RpcServer server, String quality) throws IOException {
    return TokenClient.authenticated(server, "alice", TOKEN, quality);
  }

  private static byte[] context() throws IOException {
    return RawClient.frame(
        RawClient.header(RawClient.CONTEXT),
        IpcConnectionContextProto.newBuilder().setProtocol(TestService.NAME).build());
  }

  /** The server closes; else the read fails after a while. */
  private static void assertEnded(TokenClient client) throws IOException {
    client.raw().readToEnd();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("attacks")
  void nothingComesOfItAndNothingIsLeft(String name, String protection, Attack attack)
      throws Exception {
    TestService service = new TestService();
    Set<String> before = threads();
    try (SecurityLines lines = new SecurityLines()) {
      RpcServerOptions options =
          RpcServerOptions.builder()
              .authentication(new FixedTokens().add(TOKEN).authentication(protection))
              .ioThreads(1)
              .workerThreads(2)
              .build();
      try (RpcServer server = service.start(options)) {
        repeat(attack, server);
        Set<String> serving = threads();
        repeat(attack, server);
        assertThat(threads()).isEqualTo(serving);
      }
      assertThat(lines.matching("(Auth failed|Connection refused) for 127\\.0\\.0\\.1:[0-9]+:.*"))
          .hasSize(2 * ROUNDS);
    }
    assertThat(service.calls).isEmpty();
    Eventually.await("the server's threads have ended", () -> before.containsAll(threads()));
  }

  private static void repeat(Attack attack, RpcServer server) throws Exception {
    for (int i = 0; i < ROUNDS; i++) {
      attack.on(server);
    }
    Eventually.await(
        "no connection is left", () -> server.metrics().snapshot().connections().open() == 0);
    Eventually.await("nothing is held", () -> server.heldBytes() == 0);
  }

  private static Set<String> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith("rpc-"))
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
