package io.acaciafs.rpc.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.wire.testkit.DamagedMessages;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Random;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RPCCallerContextProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcKindProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcRequestHeaderProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcRequestHeaderProto.OperationProto;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.CodedInputStream;
import org.junit.jupiter.api.Test;

/** A header that is read without protobuf is what protobuf would read. */
class CallHeaderReaderTest {
  private static final int ROUNDS = 200_000;

  private final CallHeaderReader reader = new CallHeaderReader();
  private final Random random = new Random(20261121);
  private final DamagedMessages damage = new DamagedMessages(random);

  @Test
  void readsTheHeaderOfAnOrdinaryCall() throws IOException {
    for (int retryCount : new int[] {-1, 0, 1, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
      for (int callId : new int[] {0, 1, 63, 64, 1 << 21, Integer.MAX_VALUE}) {
        byte[] frame = frame(call(callId).setRetryCount(retryCount).build());
        assertThat(agrees(frame)).as("call %d, retry %d", callId, retryCount).isTrue();
      }
    }
    assertThat(agrees(frame(call(7).build()))).as("without a retry count").isTrue();
    assertThat(agrees(frame(call(7).setClientId(ByteString.EMPTY).build()))).isTrue();
    for (long stateId : new long[] {0, 5, 1L << 40, Long.MAX_VALUE, -1, Long.MIN_VALUE}) {
      assertThat(agrees(frame(call(7).setStateId(stateId).build())))
          .as("state %d", stateId)
          .isTrue();
    }
  }

  @Test
  void leavesOtherHeadersToProtobuf() throws IOException {
    assertThat(agrees(frame(call(-1).build()))).isFalse();
    assertThat(agrees(frame(call(1).clearRpcOp().build()))).isFalse();
    assertThat(agrees(frame(call(1).setRpcKind(RpcKindProto.RPC_WRITABLE).build()))).isFalse();
    RPCCallerContextProto context = RPCCallerContextProto.newBuilder().setContext("job").build();
    assertThat(agrees(frame(call(1).setCallerContext(context).build()))).isFalse();
    assertThat(agrees(new byte[0])).isFalse();
  }

  /** Bytes are changed, dropped or doubled. */
  @Test
  void readsNoDamagedHeaderDifferentlyFromProtobuf() throws IOException {
    int read = 0;
    for (int round = 0; round < ROUNDS; round++) {
      read += agrees(damage.of(frame(randomCall()))) ? 1 : 0;
    }
    assertThat(read).as("some are still whole").isGreaterThan(ROUNDS / 10);
  }

  private RpcRequestHeaderProto randomCall() {
    byte[] clientId = new byte[random.nextInt(3) == 0 ? random.nextInt(20) : 16];
    random.nextBytes(clientId);
    RpcRequestHeaderProto.Builder call =
        call(random.nextInt() >>> random.nextInt(32)).setClientId(ByteString.copyFrom(clientId));
    if (random.nextInt(3) == 0) {
      call.setStateId(random.nextLong() >> random.nextInt(64));
    }
    return random.nextBoolean() ? call.setRetryCount(random.nextInt(11) - 2).build() : call.build();
  }

  /** Whether the reader accepts the header; then protobuf must read the same. */
  private boolean agrees(byte[] frame) throws IOException {
    if (!reader.read(frame)) {
      return false;
    }
    CodedInputStream in = CodedInputStream.newInstance(frame);
    RpcRequestHeaderProto header = Delimited.read(in, RpcRequestHeaderProto.parser());
    assertThat(header.getRpcKind()).isEqualTo(RpcKindProto.RPC_PROTOCOL_BUFFER);
    assertThat(header.getRpcOp()).isEqualTo(OperationProto.RPC_FINAL_PACKET);
    assertThat(header.hasCallerContext()).isFalse();
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
}
