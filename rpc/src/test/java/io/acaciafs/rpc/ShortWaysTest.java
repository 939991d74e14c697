package io.acaciafs.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetLinkTargetResponseProto;
import org.apache.hadoop.ipc.protobuf.ProtobufRpcEngine2Protos.RequestHeaderProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RPCCallerContextProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcKindProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcRequestHeaderProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcRequestHeaderProto.OperationProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcResponseHeaderProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcResponseHeaderProto.RpcStatusProto;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.CodedInputStream;
import org.junit.jupiter.api.Test;

/** What is read and written without protobuf's messages is what it would be with them. */
class ShortWaysTest {
  private static final int ROUNDS = 200_000;

  private final CallHeaderReader reader = new CallHeaderReader();
  private final SplittableRandom random = new SplittableRandom(20261121);

  @Test
  void theHeaderOfAnOrdinaryCallIsRead() throws IOException {
    for (int retryCount : new int[] {-1, 0, 1, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
      for (int callId : new int[] {0, 1, 63, 64, 1 << 21, Integer.MAX_VALUE}) {
        byte[] frame = frame(call(callId).setRetryCount(retryCount).build());
        assertThat(agrees(frame)).as("call %d, retry %d", callId, retryCount).isTrue();
      }
    }
    assertThat(agrees(frame(call(7).build()))).as("without a retry count").isTrue();
    assertThat(agrees(frame(call(7).setClientId(ByteString.EMPTY).build()))).isTrue();
  }

  @Test
  void whatIsNotOrdinaryIsLeftToProtobuf() throws IOException {
    assertThat(agrees(frame(call(-1).build()))).isFalse();
    assertThat(agrees(frame(call(1).clearRpcOp().build()))).isFalse();
    assertThat(agrees(frame(call(1).setRpcKind(RpcKindProto.RPC_WRITABLE).build()))).isFalse();
    assertThat(agrees(frame(call(1).setStateId(5).build()))).isFalse();
    RPCCallerContextProto context = RPCCallerContextProto.newBuilder().setContext("job").build();
    assertThat(agrees(frame(call(1).setCallerContext(context).build()))).isFalse();
    assertThat(agrees(new byte[0])).isFalse();
  }

  /** Bytes changed, dropped, doubled: whatever is still read is what protobuf reads. */
  @Test
  void damagedHeadersAreNeverReadOtherwiseThanByProtobuf() throws IOException {
    int read = 0;
    for (int round = 0; round < ROUNDS; round++) {
      read += agrees(damaged(frame(randomCall()))) ? 1 : 0;
    }
    assertThat(read).as("some are still whole").isGreaterThan(ROUNDS / 10);
  }

  private RpcRequestHeaderProto randomCall() {
    byte[] clientId = new byte[random.nextInt(3) == 0 ? random.nextInt(20) : 16];
    random.nextBytes(clientId);
    RpcRequestHeaderProto.Builder call =
        call(random.nextInt() >>> random.nextInt(32)).setClientId(ByteString.copyFrom(clientId));
    return random.nextBoolean() ? call.setRetryCount(random.nextInt(-2, 9)).build() : call.build();
  }

  private byte[] damaged(byte[] frame) {
    int at = random.nextInt(frame.length);
    byte[] result = frame.clone();
    switch (random.nextInt(4)) {
      case 0 -> result[at] = (byte) random.nextInt();
      case 1 -> result[at] ^= (byte) (1 << random.nextInt(8));
      case 2 -> result = Arrays.copyOf(frame, at);
      default -> { // a byte twice, and the length right again
        result = Arrays.copyOf(frame, frame.length + 1);
        System.arraycopy(frame, at, result, at + 1, frame.length - at);
        result[0] = (byte) (frame[0] + 1);
      }
    }
    return result;
  }

  /**
   * Whether the short way has read it; if so, protobuf has read and the server accepts the same.
   */
  private boolean agrees(byte[] frame) throws IOException {
    if (!reader.read(frame)) {
      return false;
    }
    CodedInputStream in = CodedInputStream.newInstance(frame);
    RpcRequestHeaderProto header = Delimited.read(in, RpcRequestHeaderProto.parser());
    assertThat(header.getRpcKind()).isEqualTo(RpcKindProto.RPC_PROTOCOL_BUFFER);
    assertThat(header.getRpcOp()).isEqualTo(OperationProto.RPC_FINAL_PACKET);
    assertThat(header.hasCallerContext() || header.hasStateId()).isFalse();
    assertThat(header.getUnknownFields().getSerializedSize()).isZero();
    assertThat(header.getCallId()).isNotNegative();
    assertThat(reader.ids()).isEqualTo(CallIds.of(header));
    assertThat(reader.end()).isEqualTo(in.getTotalBytesRead());
    return true;
  }

  private static RpcRequestHeaderProto.Builder call(int callId) {
    return RpcRequestHeaderProto.newBuilder()
        .setRpcKind(RpcKindProto.RPC_PROTOCOL_BUFFER)
        .setRpcOp(OperationProto.RPC_FINAL_PACKET)
        .setCallId(callId)
        .setClientId(ByteString.copyFromUtf8("0123456789abcdef"));
  }

  private static byte[] frame(RpcRequestHeaderProto header) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    header.writeDelimitedTo(out);
    return out.toByteArray();
  }

  @Test
  void methodsAreFoundByTheBytesOfTheirHeaders() throws IOException {
    Map<RequestHeaderProto, ServedMethod> methods = new HashMap<>();
    RpcMetrics metrics = new RpcMetrics(() -> 0);
    for (RpcProtocol.Method method : new TestService().protocol().methods().values()) {
      methods.put(
          request(method.name()),
          new ServedMethod(
              TestService.NAME,
              method,
              RequestCheck.NONE,
              metrics.method(TestService.NAME, method.name(), true),
              null,
              null));
    }
    MethodTable table = new MethodTable(methods);
    for (Map.Entry<RequestHeaderProto, ServedMethod> each : methods.entrySet()) {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      out.write("before".getBytes(StandardCharsets.UTF_8));
      each.getKey().writeDelimitedTo(out);
      byte[] frame = out.toByteArray();
      assertThat(table.find(frame, 6).method()).isSameAs(each.getValue());
      assertThat(table.find(frame, 6).header()).hasSize(frame.length - 6);
      assertThat(table.find(Arrays.copyOf(frame, frame.length - 1), 6)).isNull();
      frame[frame.length - 1]++;
      assertThat(table.find(frame, 6)).as("another version").isNull();
    }
    byte[] unknown = request("noSuchMethod").toByteArray();
    assertThat(table.find(unknown, 0)).isNull();
    assertThat(new MethodTable(Map.of()).find(unknown, 0)).isNull();
  }

  private static RequestHeaderProto request(String method) {
    return RequestHeaderProto.newBuilder()
        .setMethodName(method)
        .setDeclaringClassProtocolName(TestService.NAME)
        .setClientProtocolVersion(1)
        .build();
  }

  @Test
  void theHeaderOfAReplyIsAsProtobufWritesIt() throws IOException {
    GetLinkTargetResponseProto message =
        GetLinkTargetResponseProto.newBuilder().setTargetPath("/a").build();
    for (int round = 0; round < 1000; round++) {
      byte[] clientId = new byte[random.nextInt(200)];
      random.nextBytes(clientId);
      CallIds ids =
          new CallIds(
              random.nextInt() >> random.nextInt(32),
              ByteString.copyFrom(clientId),
              random.nextInt() >> random.nextInt(32));
      ByteBuf out = Unpooled.buffer();
      ReplyEncoder.append(out, ids, message);
      assertThat(out.readInt()).isEqualTo(out.readableBytes());
      byte[] written = new byte[out.readableBytes()];
      out.readBytes(written);
      assertThat(written).isEqualTo(byProtobuf(ids, message));
    }
  }

  private static byte[] byProtobuf(CallIds ids, GetLinkTargetResponseProto message)
      throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    RpcResponseHeaderProto.newBuilder()
        .setCallId(ids.callId())
        .setStatus(RpcStatusProto.SUCCESS)
        .setServerIpcVersionNum(9)
        .setClientId(ids.clientId())
        .setRetryCount(ids.retryCount())
        .build()
        .writeDelimitedTo(out);
    message.writeDelimitedTo(out);
    return out.toByteArray();
  }
}
