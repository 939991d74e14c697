package io.acaciafs.systemtests.harness;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.apache.hadoop.ipc.RpcConstants;
import org.apache.hadoop.ipc.protobuf.IpcConnectionContextProtos.IpcConnectionContextProto;
import org.apache.hadoop.ipc.protobuf.IpcConnectionContextProtos.UserInformationProto;
import org.apache.hadoop.ipc.protobuf.ProtobufRpcEngine2Protos.RequestHeaderProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcKindProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcRequestHeaderProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcRequestHeaderProto.OperationProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcResponseHeaderProto;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.MessageLite;

/** A connection on which a test says what no client would. Format: Hadoop RPC, version 9. */
public final class RawRpc implements AutoCloseable {
  private static final Duration READ_LIMIT = Duration.ofSeconds(60);

  private final Socket socket;
  private final DataOutputStream out;
  private final DataInputStream in;

  /** Connects, and says nothing. */
  public RawRpc(int port) throws IOException {
    this(port, 0);
  }

  /**
   * The same where the kernel takes few bytes that nobody reads.
   *
   * @param receiveBytes how many; 0 for the kernel's own number
   */
  public RawRpc(int port, int receiveBytes) throws IOException {
    socket = new Socket();
    if (receiveBytes > 0) {
      socket.setReceiveBufferSize(receiveBytes);
    }
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    socket.setSoTimeout((int) READ_LIMIT.toMillis());
    out = new DataOutputStream(socket.getOutputStream());
    in = new DataInputStream(socket.getInputStream());
  }

  /** Sends bytes as they are. */
  public RawRpc send(byte[] bytes) throws IOException {
    out.write(bytes);
    out.flush();
    return this;
  }

  /** Sends four bytes, the highest first. */
  public RawRpc sendInt(int value) throws IOException {
    out.writeInt(value);
    out.flush();
    return this;
  }

  /** Sends the seven bytes that open a connection without authentication. */
  public RawRpc sendPreamble() throws IOException {
    send("hrpc".getBytes(StandardCharsets.US_ASCII));
    return send(new byte[] {RpcConstants.CURRENT_VERSION, 0, 0});
  }

  /** Sends the context: who we are, and which protocol we mean. */
  public RawRpc sendContext(String user, String protocol) throws IOException {
    IpcConnectionContextProto context =
        IpcConnectionContextProto.newBuilder()
            .setUserInfo(UserInformationProto.newBuilder().setEffectiveUser(user))
            .setProtocol(protocol)
            .build();
    return sendFrame(header(RpcConstants.CONNECTION_CONTEXT_CALL_ID), context);
  }

  /** Sends a call with an empty request. */
  public RawRpc sendCall(int callId, String protocol, String method) throws IOException {
    return sendFrame(header(callId), call(protocol, method));
  }

  /** Sends a call. */
  public RawRpc sendCall(int callId, String protocol, String method, Message request)
      throws IOException {
    return sendFrame(header(callId), call(protocol, method), request);
  }

  private static RequestHeaderProto call(String protocol, String method) {
    return RequestHeaderProto.newBuilder()
        .setDeclaringClassProtocolName(protocol)
        .setMethodName(method)
        .setClientProtocolVersion(1)
        .build();
  }

  private static RpcRequestHeaderProto header(int callId) {
    return RpcRequestHeaderProto.newBuilder()
        .setRpcKind(RpcKindProto.RPC_PROTOCOL_BUFFER)
        .setRpcOp(OperationProto.RPC_FINAL_PACKET)
        .setCallId(callId)
        .setRetryCount(RpcConstants.INVALID_RETRY_COUNT)
        .setClientId(ByteString.copyFrom(new byte[16]))
        .build();
  }

  private RawRpc sendFrame(MessageLite... messages) throws IOException {
    ByteArrayOutputStream frame = new ByteArrayOutputStream();
    for (MessageLite message : messages) {
      message.writeDelimitedTo(frame);
    }
    sendInt(frame.size());
    return send(frame.toByteArray());
  }

  /** Reads the header of one response. */
  public RpcResponseHeaderProto readResponse() throws IOException {
    byte[] frame = new byte[in.readInt()];
    in.readFully(frame);
    return RpcResponseHeaderProto.parseDelimitedFrom(new ByteArrayInputStream(frame));
  }

  /** Reads until the server closes; fails when it does not in time. */
  public void awaitClosed() throws IOException {
    try {
      while (in.read() >= 0) {
        // A server may say why before it closes.
        continue;
      }
    } catch (SocketException e) {
      // Reset: closed as well.
      return;
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
