package io.acaciafs.rpc;

import static io.acaciafs.rpc.testkit.RawClient.CONTEXT;
import static io.acaciafs.rpc.testkit.RawClient.SASL;
import static io.acaciafs.rpc.testkit.RawClient.ask;
import static io.acaciafs.rpc.testkit.RawClient.concat;
import static io.acaciafs.rpc.testkit.RawClient.context;
import static io.acaciafs.rpc.testkit.RawClient.frame;
import static io.acaciafs.rpc.testkit.RawClient.header;
import static io.acaciafs.rpc.testkit.RawClient.method;
import static io.acaciafs.rpc.testkit.RawClient.preamble;
import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.rpc.options.RpcServerOptions;
import io.acaciafs.rpc.testkit.Eventually;
import io.acaciafs.rpc.testkit.RawClient;
import io.acaciafs.rpc.testkit.TestService;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetLinkTargetResponseProto;
import org.apache.hadoop.io.WritableUtils;
import org.apache.hadoop.ipc.IpcException;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RpcNoSuchMethodException;
import org.apache.hadoop.ipc.RpcNoSuchProtocolException;
import org.apache.hadoop.ipc.RpcServerException;
import org.apache.hadoop.ipc.protobuf.IpcConnectionContextProtos.IpcConnectionContextProto;
import org.apache.hadoop.ipc.protobuf.IpcConnectionContextProtos.UserInformationProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcKindProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcRequestHeaderProto.OperationProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcResponseHeaderProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcResponseHeaderProto.RpcErrorCodeProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcResponseHeaderProto.RpcStatusProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcSaslProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcSaslProto.SaslState;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a server says to clients that do not keep to the protocol, byte by byte. */
@Timeout(30)
class MalformedInputTest {
  private static final int MAX_FRAME_BYTES = 1 << 20;

  private final TestService service = new TestService();
  private RpcServer server;

  @BeforeEach
  void start() throws IOException {
    server =
        service.start(
            RpcServerOptions.builder().ioThreads(1).maxFrameBytes(MAX_FRAME_BYTES).build());
  }

  @AfterEach
  void serverStillServesAndStops() throws IOException {
    try (RawClient client = RawClient.connected(server)) {
      client.send(ask(1, "alive"));
      assertThat(target(client.read())).isEqualTo("alive");
    } finally {
      server.close();
    }
  }

  @Test
  void setUpAndCallsMayComeInOnePacket() throws IOException {
    try (RawClient client = new RawClient(server)) {
      client.send(
          concat(preamble(9, 0), frame(header(CONTEXT), context("alice")), ask(7, "first")));
      RawClient.Reply reply = client.read();
      assertThat(target(reply)).isEqualTo("first");
      assertThat(reply.header().getCallId()).isEqualTo(7);
      assertThat(reply.header().getClientId().toStringUtf8()).isEqualTo("0123456789abcdef");
      assertThat(reply.header().getServerIpcVersionNum()).isEqualTo(9);
    }
  }

  @Test
  void requestsMayComeByteByByte() throws IOException {
    try (RawClient client = new RawClient(server)) {
      byte[] all =
          concat(
              preamble(9, 0), frame(header(CONTEXT), context("alice")), ask(1, "a"), ask(2, "b"));
      for (byte one : all) {
        client.send(new byte[] {one});
      }
      assertThat(target(client.read())).isEqualTo("a");
      assertThat(target(client.read())).isEqualTo("b");
    }
  }

  @Test
  void anHttpRequestGetsAnHttpError() throws IOException {
    try (RawClient client = new RawClient(server)) {
      client.send("GET / HTTP/1.1\r\nHost: nn\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      assertThat(new String(client.readToEnd(), StandardCharsets.US_ASCII))
          .startsWith("HTTP/1.1 404 Not Found\r\n")
          .contains("HTTP request to a Hadoop IPC port");
    }
    assertRefused(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {10, 100})
  void aNewerVersionIsRefusedInTheCurrentFormat(int version) throws IOException {
    try (RawClient client = new RawClient(server)) {
      client.send(preamble(version, 0));
      assertFatal(
          client,
          RpcErrorCodeProto.FATAL_VERSION_MISMATCH,
          RPC.VersionMismatch.class,
          "Server IPC version 9 cannot communicate with client version " + version);
    }
    assertRefused(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 8})
  void anOlderVersionIsRefusedInItsFormat(int version) throws IOException {
    try (RawClient client = new RawClient(server)) {
      client.send(preamble(version, 0));
      DataInputStream reply = new DataInputStream(new ByteArrayInputStream(client.readToEnd()));
      assertThat(reply.readInt()).isEqualTo(-1);
      assertThat(reply.readInt()).isEqualTo(-1);
      assertThat(WritableUtils.readString(reply)).isEqualTo(RPC.VersionMismatch.class.getName());
      assertThat(WritableUtils.readString(reply)).endsWith("client version " + version);
      assertThat(reply.read()).isEqualTo(-1);
    }
  }

  @Test
  void versionTwoIsRefusedInItsFormatAndEarlierOnesSilently() throws IOException {
    try (RawClient client = new RawClient(server)) {
      client.send(preamble(2, 0));
      DataInputStream reply = new DataInputStream(new ByteArrayInputStream(client.readToEnd()));
      assertThat(reply.readInt()).isZero();
      assertThat(reply.readBoolean()).isTrue();
      assertThat(WritableUtils.readString(reply)).isEqualTo(RPC.VersionMismatch.class.getName());
    }
    try (RawClient client = new RawClient(server)) {
      client.send(preamble(1, 0));
      assertThat(client.isClosed()).isTrue();
    }
  }

  @Test
  void anUnknownAuthenticationIsRefused() throws IOException {
    try (RawClient client = new RawClient(server)) {
      client.send(preamble(9, 5));
      assertFatal(
          client,
          RpcErrorCodeProto.FATAL_UNAUTHORIZED,
          IpcException.class,
          "Unknown auth protocol:5");
    }
  }

  @Test
  void aRefusedClientMayFinishSendingAndThenReadsTheReason() throws IOException {
    try (RawClient client = new RawClient(server)) {
      client.send(concat(preamble(12, 0), new byte[8 << 20]));
      assertThat(client.read().header().getErrorDetail())
          .isEqualTo(RpcErrorCodeProto.FATAL_VERSION_MISMATCH);
      assertThat(client.isClosed()).isTrue();
    }
  }

  @Test
  void randomBytesCloseTheConnectionOnce() throws IOException {
    Random random = new Random(7);
    for (int i = 0; i < 50; i++) {
      try (RawClient client = new RawClient(server)) {
        byte[] bytes = new byte[1000];
        random.nextBytes(bytes);
        client.send(bytes);
        client.readToEnd();
      }
    }
    assertRefused(50);
  }

  @Test
  void randomFramesCloseTheConnectionOnce() throws IOException {
    Random random = new Random(8);
    for (int i = 0; i < 50; i++) {
      try (RawClient client = RawClient.connected(server)) {
        byte[] bytes = new byte[1 + random.nextInt(300)];
        random.nextBytes(bytes);
        client.send(frame(bytes));
        RawClient.Reply reply = client.read();
        assertThat(reply.header().getStatus()).isEqualTo(RpcStatusProto.FATAL);
        assertThat(client.isClosed()).isTrue();
      }
    }
    assertRefused(50);
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, Integer.MIN_VALUE, Integer.MAX_VALUE, MAX_FRAME_BYTES + 1})
  void aFrameWithAnInvalidLengthClosesTheConnection(int length) throws IOException {
    try (RawClient client = RawClient.connected(server)) {
      client.send(ByteBuffer.allocate(4).putInt(length).array());
      assertThat(client.isClosed()).isTrue();
    }
    assertRefused(1);
  }

  @Test
  void aFrameOfTheMaximumLengthIsRead() throws IOException {
    int overhead = ask(1, "x".repeat(MAX_FRAME_BYTES / 2)).length - 4 - MAX_FRAME_BYTES / 2;
    String path = "length " + "x".repeat(MAX_FRAME_BYTES - overhead - 7);
    try (RawClient client = RawClient.connected(server)) {
      byte[] request = ask(1, path);
      assertThat(request).hasSize(MAX_FRAME_BYTES + 4);
      client.send(request);
      assertThat(target(client.read())).isEqualTo(String.valueOf(path.length() - 7));
    }
  }

  @Test
  void anIncompleteFrameIsReleasedWhenTheClientLeaves() throws IOException {
    try (RawClient client = RawClient.connected(server)) {
      client.send(ByteBuffer.allocate(100).putInt(1000).array());
    }
    Eventually.await(
        "connection forgotten", () -> server.metrics().snapshot().connections().open() == 0);
  }

  @Test
  void anUnreadableHeaderIsFatal() throws IOException {
    for (byte[] body : new byte[][] {{}, {5, 1, 2}, {(byte) 0xff, (byte) 0xff, 0x0f}, {2, 24, 2}}) {
      try (RawClient client = RawClient.connected(server)) {
        client.send(frame(body));
        RpcResponseHeaderProto header = client.read().header();
        assertThat(header.getStatus()).isEqualTo(RpcStatusProto.FATAL);
        assertThat(header.getErrorDetail())
            .isEqualTo(RpcErrorCodeProto.FATAL_DESERIALIZING_REQUEST);
        assertThat(header.getErrorMsg()).startsWith("Error decoding RpcRequestHeaderProto: ");
        assertThat(client.isClosed()).isTrue();
      }
    }
  }

  @Test
  void anUnreadableRequestFailsOnlyItsCall() throws IOException {
    try (RawClient client = RawClient.connected(server)) {
      client.send(
          frame(
              concat(
                  delimited(header(3)),
                  delimited(method(TestService.NAME, 1, "getLinkTarget")),
                  new byte[] {3, 10, 100, 65})));
      RpcResponseHeaderProto header = client.read().header();
      assertThat(header.getCallId()).isEqualTo(3);
      assertThat(header.getStatus()).isEqualTo(RpcStatusProto.ERROR);
      assertThat(header.getExceptionClassName()).contains("InvalidProtocolBufferException");
      client.send(ask(4, "next"));
      assertThat(target(client.read())).isEqualTo("next");
    }
  }

  @Test
  void wrongHeadersAreFatal() throws IOException {
    assertFatal(
        frame(header(1).toBuilder().clearRpcOp().build()),
        " IPC Server: No rpc op in rpcRequestHeader");
    assertFatal(
        frame(header(1).toBuilder().setRpcOp(OperationProto.RPC_CONTINUATION_PACKET).build()),
        "IPC Server does not implement rpc header operationRPC_CONTINUATION_PACKET");
    assertFatal(
        frame(header(1).toBuilder().clearRpcKind().build()),
        " IPC Server: No rpc kind in rpcRequestHeader");
    assertFatal(
        frame(header(1).toBuilder().setRpcKind(RpcKindProto.RPC_WRITABLE).build()),
        "Unknown rpc kind in rpc headerRPC_WRITABLE");
    assertFatal(frame(header(-9)), "Unknown out of band call #-9");
    assertFatal(frame(header(CONTEXT), context("bob")), "Connection context already processed");
    assertFatal(
        frame(header(SASL), RpcSaslProto.newBuilder().setState(SaslState.NEGOTIATE).build()),
        "SASL protocol not requested by client");
  }

  @Test
  void aCallNeedsAContextFirst() throws IOException {
    try (RawClient client = new RawClient(server)) {
      client.send(concat(preamble(9, 0), ask(1, "early")));
      assertFatal(
          client,
          RpcErrorCodeProto.FATAL_INVALID_RPC_HEADER,
          RpcServerException.class,
          "Connection context not established");
    }
    assertThat(service.calls).isEmpty();
  }

  @Test
  void aContextNeedsAUser() throws IOException {
    for (IpcConnectionContextProto nobody :
        new IpcConnectionContextProto[] {
          context(""), IpcConnectionContextProto.getDefaultInstance()
        }) {
      try (RawClient client = new RawClient(server)) {
        client.send(concat(preamble(9, 0), frame(header(CONTEXT), nobody), ask(1, "x")));
        assertFatal(
            client,
            RpcErrorCodeProto.FATAL_UNAUTHORIZED,
            AccessControlException.class,
            "Connection context names no user");
      }
    }
    assertThat(service.calls).isEmpty();
  }

  @Test
  void aUserNameWithLineBreaksIsRefused() throws IOException {
    for (String name : new String[] {"alice\nallowed=true", "a\rb", "a\tb", "a\u2028b", "\u0085"}) {
      try (RawClient client = new RawClient(server)) {
        client.send(concat(preamble(9, 0), frame(header(CONTEXT), context(name)), ask(1, "x")));
        assertFatal(
            client,
            RpcErrorCodeProto.FATAL_UNAUTHORIZED,
            AccessControlException.class,
            "A user's name must not have control characters");
      }
    }
    try (RawClient client = new RawClient(server)) {
      client.send(
          concat(preamble(9, 0), frame(header(CONTEXT), context("j\u00f6rg m.")), ask(1, "x")));
      assertThat(target(client.read())).isEqualTo("x");
    }
  }

  @Test
  void longNamesOfUsersAndProtocolsAreRefused() throws IOException {
    for (String name : new String[] {"u".repeat(4097), "\u00e4".repeat(2049)}) {
      int bytes = name.getBytes(StandardCharsets.UTF_8).length;
      try (RawClient client = new RawClient(server)) {
        client.send(concat(preamble(9, 0), frame(header(CONTEXT), context(name))));
        assertFatal(
            client,
            RpcErrorCodeProto.FATAL_UNAUTHORIZED,
            AccessControlException.class,
            "A user's name is " + bytes + " bytes long, at most 4096 are allowed");
      }
      try (RawClient client = new RawClient(server)) {
        IpcConnectionContextProto proxied =
            IpcConnectionContextProto.newBuilder()
                .setUserInfo(
                    UserInformationProto.newBuilder().setEffectiveUser("alice").setRealUser(name))
                .build();
        client.send(concat(preamble(9, 0), frame(header(CONTEXT), proxied)));
        assertFatal(
            client,
            RpcErrorCodeProto.FATAL_UNAUTHORIZED,
            AccessControlException.class,
            "A user's name is " + bytes + " bytes long, at most 4096 are allowed");
      }
      try (RawClient client = new RawClient(server)) {
        IpcConnectionContextProto odd = context("alice").toBuilder().setProtocol(name).build();
        client.send(concat(preamble(9, 0), frame(header(CONTEXT), odd)));
        assertFatal(
            client,
            RpcErrorCodeProto.FATAL_INVALID_RPC_HEADER,
            RpcServerException.class,
            "The protocol's name is " + bytes + " bytes long, at most 4096 are allowed");
      }
    }
    try (RawClient client = new RawClient(server)) {
      client.send(
          concat(preamble(9, 0), frame(header(CONTEXT), context("u".repeat(4096))), ask(1, "x")));
      assertThat(target(client.read())).isEqualTo("x");
    }
  }

  @Test
  void negotiationEndsInSimpleAuthentication() throws IOException {
    try (RawClient client = new RawClient(server)) {
      client.send(preamble(9, -33));
      client.send(
          frame(header(SASL), RpcSaslProto.newBuilder().setState(SaslState.NEGOTIATE).build()));
      RawClient.Reply reply = client.read();
      assertThat(reply.header().getCallId()).isEqualTo(SASL);
      assertThat(RpcSaslProto.parseDelimitedFrom(reply.rest().newInput()).getState())
          .isEqualTo(SaslState.SUCCESS);
      client.send(concat(frame(header(CONTEXT), context("alice")), ask(1, "user")));
      assertThat(target(client.read())).startsWith("alice");
    }
  }

  @Test
  void negotiationMustPrecedeTheContext() throws IOException {
    try (RawClient client = new RawClient(server)) {
      client.send(concat(preamble(9, -33), frame(header(CONTEXT), context("alice"))));
      assertFatal(
          client,
          RpcErrorCodeProto.FATAL_INVALID_RPC_HEADER,
          RpcServerException.class,
          "Connection header sent during SASL negotiation");
    }
    try (RawClient client = new RawClient(server)) {
      client.send(
          concat(
              preamble(9, -33),
              frame(header(SASL), RpcSaslProto.newBuilder().setState(SaslState.RESPONSE).build())));
      assertThat(client.read().header().getErrorDetail())
          .isEqualTo(RpcErrorCodeProto.FATAL_UNAUTHORIZED);
      assertThat(client.isClosed()).isTrue();
    }
  }

  @Test
  void unknownProtocolsVersionsAndMethodsFailOnlyTheirCall() throws IOException {
    try (RawClient client = RawClient.connected(server)) {
      client.send(frame(header(1), method("no.such.Protocol", 1, "x")));
      assertError(
          client,
          RpcErrorCodeProto.ERROR_NO_SUCH_PROTOCOL,
          RpcNoSuchProtocolException.class,
          "Unknown protocol: no.such.Protocol");
      client.send(frame(header(2), method(TestService.NAME, 1, "noSuchMethod")));
      assertError(
          client,
          RpcErrorCodeProto.ERROR_NO_SUCH_METHOD,
          RpcNoSuchMethodException.class,
          "Unknown method noSuchMethod called on " + TestService.NAME + " protocol.");
      client.send(frame(header(3), method(TestService.NAME, 2, "getLinkTarget")));
      assertError(
          client,
          RpcErrorCodeProto.ERROR_RPC_VERSION_MISMATCH,
          RPC.VersionMismatch.class,
          "Protocol " + TestService.NAME + " version mismatch. (client = 2, server = 1)");
      client.send(ask(4, "next"));
      assertThat(target(client.read())).isEqualTo("next");
    }
  }

  private void assertRefused(long connections) {
    assertThat(server.metrics().snapshot().connections().refused()).isEqualTo(connections);
  }

  private void assertFatal(byte[] request, String text) throws IOException {
    try (RawClient client = RawClient.connected(server)) {
      client.send(request);
      assertFatal(
          client, RpcErrorCodeProto.FATAL_INVALID_RPC_HEADER, RpcServerException.class, text);
    }
  }

  private static void assertFatal(
      RawClient client, RpcErrorCodeProto code, Class<?> exception, String text)
      throws IOException {
    RpcResponseHeaderProto header = client.read().header();
    assertThat(header.getStatus()).isEqualTo(RpcStatusProto.FATAL);
    assertThat(header.getErrorDetail()).isEqualTo(code);
    assertThat(header.getExceptionClassName()).isEqualTo(exception.getName());
    assertThat(header.getErrorMsg()).isEqualTo(text);
    assertThat(client.isClosed()).isTrue();
  }

  private static void assertError(
      RawClient client, RpcErrorCodeProto code, Class<?> exception, String text)
      throws IOException {
    RpcResponseHeaderProto header = client.read().header();
    assertThat(header.getStatus()).isEqualTo(RpcStatusProto.ERROR);
    assertThat(header.getErrorDetail()).isEqualTo(code);
    assertThat(header.getExceptionClassName()).isEqualTo(exception.getName());
    assertThat(header.getErrorMsg()).startsWith(text);
  }

  private static byte[] delimited(Message message) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    message.writeDelimitedTo(out);
    return out.toByteArray();
  }

  private static String target(RawClient.Reply reply) throws IOException {
    assertThat(reply.header().getStatus()).isEqualTo(RpcStatusProto.SUCCESS);
    return GetLinkTargetResponseProto.parseDelimitedFrom(reply.rest().newInput()).getTargetPath();
  }
}
