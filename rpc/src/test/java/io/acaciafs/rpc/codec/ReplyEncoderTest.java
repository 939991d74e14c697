package io.acaciafs.rpc.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.SplittableRandom;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetLinkTargetResponseProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcResponseHeaderProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcResponseHeaderProto.RpcStatusProto;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.junit.jupiter.api.Test;

/** Replies that are written without a header message. */
class ReplyEncoderTest {
  private final SplittableRandom random = new SplittableRandom(20261121);

  @Test
  void writesTheBytesThatProtobufWrites() throws IOException {
    GetLinkTargetResponseProto message =
        GetLinkTargetResponseProto.newBuilder().setTargetPath("/a").build();
    for (int round = 0; round < 1000; round++) {
      byte[] clientId = new byte[random.nextInt(200)];
      random.nextBytes(clientId);
      CallIds ids =
          new CallIds(
              random.nextInt() >> random.nextInt(32),
              ByteString.copyFrom(clientId),
              random.nextInt() >> random.nextInt(32),
              CallIds.NO_STATE);
      long stateId = random.nextBoolean() ? ReplyEncoder.NO_STATE : random.nextLong();
      ByteBuf out = Unpooled.buffer();
      ReplyEncoder.append(out, ids, stateId, message);
      assertThat(out.readInt()).isEqualTo(out.readableBytes());
      byte[] written = new byte[out.readableBytes()];
      out.readBytes(written);
      assertThat(written).isEqualTo(byProtobuf(ids, stateId, message));
    }
  }

  private static byte[] byProtobuf(CallIds ids, long stateId, GetLinkTargetResponseProto message)
      throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    RpcResponseHeaderProto.Builder header = RpcResponseHeaderProto.newBuilder();
    if (stateId != ReplyEncoder.NO_STATE) {
      header.setStateId(stateId);
    }
    header
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
