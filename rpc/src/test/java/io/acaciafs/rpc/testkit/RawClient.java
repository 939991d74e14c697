package io.acaciafs.rpc.testkit;

import io.acaciafs.rpc.RpcServer;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.CreateSnapshotRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetLinkTargetRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetLinkTargetResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ErasureCodingProtos.GetECTopologyResultForPoliciesRequestProto;
import org.apache.hadoop.ipc.protobuf.IpcConnectionContextProtos.IpcConnectionContextProto;
import org.apache.hadoop.ipc.protobuf.IpcConnectionContextProtos.UserInformationProto;
import org.apache.hadoop.ipc.protobuf.ProtobufRpcEngine2Protos.RequestHeaderProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcKindProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcRequestHeaderProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcRequestHeaderProto.OperationProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcResponseHeaderProto;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.Message;

/** A client that sends exactly the bytes that a test wants. */
public final class RawClient implements AutoCloseable {
  public static final int CONTEXT = -3;
  public static final int SASL = -33;

  private static final int READ_TIMEOUT_MS = 10_000;

  private final Socket socket;
  private final OutputStream out;
  private final DataInputStream in;

  /** A reply's header and the bytes behind it, a delimited message. */
  public record Reply(RpcResponseHeaderProto header, ByteString rest) {}

  public RawClient(RpcServer server) throws IOException {
    this(server.address());
  }

  public RawClient(InetSocketAddress server) throws IOException {
    socket = new Socket(server.getAddress(), server.getPort());
    socket.setSoTimeout(READ_TIMEOUT_MS);
    socket.setTcpNoDelay(true);
    out = socket.getOutputStream();
    in = new DataInputStream(socket.getInputStream());
  }

  /** A client that has said that it is alice. */
  public static RawClient connected(RpcServer server) throws IOException {
    return connected(server, "alice");
  }

  /** A client that has named its user. */
  public static RawClient connected(RpcServer server, String user) throws IOException {
    RawClient client = new RawClient(server);
    client.send(preamble(9, 0));
    client.send(frame(header(CONTEXT), context(user)));
    return client;
  }

  public static byte[] preamble(int version, int auth) {
    byte[] bytes = "hrpc...".getBytes(StandardCharsets.US_ASCII);
    bytes[4] = (byte) version;
    bytes[5] = 0;
    bytes[6] = (byte) auth;
    return bytes;
  }

  public static RpcRequestHeaderProto header(int callId) {
    return RpcRequestHeaderProto.newBuilder()
        .setRpcKind(RpcKindProto.RPC_PROTOCOL_BUFFER)
        .setRpcOp(OperationProto.RPC_FINAL_PACKET)
        .setCallId(callId)
        .setClientId(ByteString.copyFromUtf8("0123456789abcdef"))
        .build();
  }

  public static IpcConnectionContextProto context(String user) {
    return IpcConnectionContextProto.newBuilder()
        .setUserInfo(UserInformationProto.newBuilder().setEffectiveUser(user))
        .setProtocol(TestService.NAME)
        .build();
  }

  public static RequestHeaderProto method(String protocol, long version, String name) {
    return RequestHeaderProto.newBuilder()
        .setDeclaringClassProtocolName(protocol)
        .setClientProtocolVersion(version)
        .setMethodName(name)
        .build();
  }

  public static byte[] ask(int callId, String path) throws IOException {
    return frame(
        header(callId),
        method(TestService.NAME, 1, "getLinkTarget"),
        GetLinkTargetRequestProto.newBuilder().setPath(path).build());
  }

  public static byte[] askLater(int callId, String name) throws IOException {
    return frame(
        header(callId),
        method(TestService.NAME, 1, "createSnapshot"),
        CreateSnapshotRequestProto.newBuilder()
            .setSnapshotRoot("/later")
            .setSnapshotName(name)
            .build());
  }

  public static byte[] askWorker(int callId) throws IOException {
    return frame(
        header(callId),
        method(TestService.NAME, 1, "getECTopologyResultForPolicies"),
        GetECTopologyResultForPoliciesRequestProto.getDefaultInstance());
  }

  public static byte[] frame(Message... messages) throws IOException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    for (Message message : messages) {
      message.writeDelimitedTo(body);
    }
    return frame(body.toByteArray());
  }

  public static byte[] frame(byte[] body) throws IOException {
    ByteArrayOutputStream frame = new ByteArrayOutputStream();
    DataOutputStream data = new DataOutputStream(frame);
    data.writeInt(body.length);
    data.write(body);
    return frame.toByteArray();
  }

  public static byte[] concat(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }

  public void send(byte[] bytes) throws IOException {
    out.write(bytes);
    out.flush();
  }

  public Reply read() throws IOException {
    ByteString frame = ByteString.copyFrom(in.readNBytes(in.readInt()));
    var body = frame.newInput();
    RpcResponseHeaderProto header = RpcResponseHeaderProto.parseDelimitedFrom(body);
    return new Reply(header, ByteString.readFrom(body));
  }

  /** What {@link #ask} is answered. */
  public String readTarget() throws IOException {
    return GetLinkTargetResponseProto.parseDelimitedFrom(read().rest().newInput()).getTargetPath();
  }

  /** Everything until the server closes. */
  public byte[] readToEnd() throws IOException {
    return in.readAllBytes();
  }

  /** Whether the server has closed, with nothing said before. */
  public boolean isClosed() throws IOException {
    try {
      return in.read() < 0;
    } catch (EOFException e) {
      return true;
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
