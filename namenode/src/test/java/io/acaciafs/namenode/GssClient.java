package io.acaciafs.namenode;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.security.PrivilegedExceptionAction;
import java.util.Map;
import javax.security.sasl.Sasl;
import javax.security.sasl.SaslClient;
import org.apache.hadoop.ipc.RPC.RpcKind;
import org.apache.hadoop.ipc.RpcConstants;
import org.apache.hadoop.ipc.protobuf.IpcConnectionContextProtos.IpcConnectionContextProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcRequestHeaderProto.OperationProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcResponseHeaderProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcResponseHeaderProto.RpcStatusProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcSaslProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcSaslProto.SaslAuth;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcSaslProto.SaslState;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.MessageLite;
import org.apache.hadoop.util.ProtoUtil;
import org.jspecify.annotations.Nullable;

/** Authenticates by a ticket, message by message, and wraps as a test wants. */
final class GssClient implements AutoCloseable {
  private static final int SASL = -33;
  private static final int PATIENCE_MS = 60_000;
  private static final String PROTOCOL = "org.apache.hadoop.hdfs.protocol.ClientProtocol";

  private final UserGroupInformation user;
  private final Socket socket;
  private final DataInputStream in;
  private final String quality;
  private @Nullable SaslClient sasl;

  /**
   * @param user has a ticket, unless it only asks what is offered
   * @param quality auth, auth-int or auth-conf
   */
  GssClient(int port, UserGroupInformation user, String quality) throws IOException {
    this.user = user;
    this.quality = quality;
    socket = new Socket("localhost", port);
    socket.setSoTimeout(PATIENCE_MS);
    in = new DataInputStream(socket.getInputStream());
    socket.getOutputStream().write(new byte[] {'h', 'r', 'p', 'c', 9, 0, (byte) 0xdf});
  }

  private static byte[] frame(int callId, MessageLite message) throws IOException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    ProtoUtil.makeRpcRequestHeader(
            RpcKind.RPC_PROTOCOL_BUFFER,
            OperationProto.RPC_FINAL_PACKET,
            callId,
            RpcConstants.INVALID_RETRY_COUNT,
            RpcConstants.DUMMY_CLIENT_ID)
        .writeDelimitedTo(body);
    message.writeDelimitedTo(body);
    return ByteBuffer.allocate(Integer.BYTES + body.size())
        .putInt(body.size())
        .put(body.toByteArray())
        .array();
  }

  static RpcSaslProto message(SaslState state, byte[] token) {
    return RpcSaslProto.newBuilder().setState(state).setToken(ByteString.copyFrom(token)).build();
  }

  void send(RpcSaslProto message) throws IOException {
    socket.getOutputStream().write(frame(SASL, message));
  }

  /** The server's next message. */
  RpcSaslProto read() throws IOException {
    InputStream body = ByteString.copyFrom(in.readNBytes(in.readInt())).newInput();
    RpcResponseHeaderProto header = RpcResponseHeaderProto.parseDelimitedFrom(body);
    if (header.getStatus() != RpcStatusProto.SUCCESS) {
      throw new IOException(header.getExceptionClassName() + ": " + header.getErrorMsg());
    }
    return RpcSaslProto.parseDelimitedFrom(body);
  }

  RpcSaslProto negotiate() throws IOException {
    send(RpcSaslProto.newBuilder().setState(SaslState.NEGOTIATE).build());
    return read();
  }

  private byte[] evaluate(byte[] challenge) throws Exception {
    PrivilegedExceptionAction<byte[]> evaluation =
        () -> {
          if (sasl == null) {
            sasl =
                Sasl.createSaslClient(
                    new String[] {"GSSAPI"},
                    null,
                    "nn",
                    "localhost",
                    Map.of(Sasl.QOP, quality, Sasl.SERVER_AUTH, "true"),
                    null);
          }
          return sasl.evaluateChallenge(challenge);
        };
    byte[] answer = user.doAs(evaluation);
    return answer == null ? new byte[0] : answer;
  }

  /** With the user's ticket. */
  RpcSaslProto initiation(RpcSaslProto offer) throws Exception {
    SaslAuth kerberos =
        offer.getAuthsList().stream()
            .filter(auth -> auth.getMethod().equals("KERBEROS"))
            .findFirst()
            .orElseThrow();
    return message(SaslState.INITIATE, evaluate(new byte[0])).toBuilder()
        .addAuths(kerberos)
        .build();
  }

  /** The answer to a challenge. */
  RpcSaslProto response(RpcSaslProto challenge) throws Exception {
    return message(SaslState.RESPONSE, evaluate(challenge.getToken().toByteArray()));
  }

  /** Up to the first challenge. */
  RpcSaslProto begin() throws Exception {
    send(initiation(negotiate()));
    return read();
  }

  /** Up to the challenge that tells the protections, the last one. */
  RpcSaslProto establish() throws Exception {
    send(response(begin()));
    return read();
  }

  /** The whole exchange. */
  void authenticate() throws Exception {
    send(response(establish()));
    RpcSaslProto last = read();
    if (last.getState() != SaslState.SUCCESS) {
      throw new IOException("Not authenticated: " + last);
    }
  }

  /** The next packet, with the context of the connection in it. */
  byte[] wrappedContext() throws IOException {
    byte[] bytes =
        frame(
            RpcConstants.CONNECTION_CONTEXT_CALL_ID,
            IpcConnectionContextProto.newBuilder().setProtocol(PROTOCOL).build());
    return sasl.wrap(bytes, 0, bytes.length);
  }

  void sendPacket(byte[] token) throws IOException {
    send(message(SaslState.WRAP, token));
  }

  /** Reads until the server closes; fails where it does not. */
  void readToEnd() throws IOException {
    try {
      in.readAllBytes();
    } catch (SocketException e) {
      return; // closed before it read all
    }
  }

  @Override
  public void close() throws IOException {
    if (sasl != null) {
      sasl.dispose();
    }
    socket.close();
  }
}
