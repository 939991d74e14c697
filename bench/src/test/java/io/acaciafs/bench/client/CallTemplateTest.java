package io.acaciafs.bench.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufInputStream;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.CreateRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.RenameRequestProto;
import org.apache.hadoop.ipc.protobuf.ProtobufRpcEngine2Protos.RequestHeaderProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcRequestHeaderProto;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CallTemplateTest {
  private static final byte[] CLIENT_ID = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] NOTHING = {};

  private final ByteBuf out = Unpooled.buffer();

  private static PathBuffer path(String text) {
    return new PathBuffer().set(text.getBytes(StandardCharsets.US_ASCII));
  }

  private ByteBufInputStream frame(Method method, int callId, PathBuffer path, PathBuffer second) {
    return frame(method, callId, path, second, 0);
  }

  private ByteBufInputStream frame(
      Method method, int callId, PathBuffer path, PathBuffer second, long seenState) {
    Identity identity = new Identity("user", "writer", CLIENT_ID, seenState);
    new CallTemplate(method, Identity.PROTOCOL, identity).write(out, callId, path, second, NOTHING);
    assertThat(out.readInt()).isEqualTo(out.readableBytes());
    return new ByteBufInputStream(out);
  }

  @ParameterizedTest
  @ValueSource(
      ints = {
        CallTemplate.FIRST_CALL_ID,
        CallTemplate.FIRST_CALL_ID + 1,
        12_345_678,
        CallTemplate.CALL_ID_LIMIT - 1
      })
  void hadoopsOwnClassesReadWhatIsWritten(int callId) throws Exception {
    ByteBufInputStream in = frame(Method.CREATE, callId, path("/a/file"), null);

    RpcRequestHeaderProto header = RpcRequestHeaderProto.parseDelimitedFrom(in);
    assertThat(header.getCallId()).isEqualTo(callId);
    assertThat(header.getClientId().toByteArray()).isEqualTo(CLIENT_ID);
    assertThat(header.getRetryCount()).isZero();
    assertThat(header.hasStateId()).isFalse();
    assertThat(RequestHeaderProto.parseDelimitedFrom(in).getMethodName()).isEqualTo("create");
    CreateRequestProto request = CreateRequestProto.parseDelimitedFrom(in);
    assertThat(request.getSrc()).isEqualTo("/a/file");
    assertThat(request.getClientName()).isEqualTo("writer");
    assertThat(request.getReplication()).isEqualTo(3);
    assertThat(in.available()).isZero();
  }

  @Test
  void anObserverIsToldWhatTheClientHasSeen() throws Exception {
    ByteBufInputStream in = frame(Method.CREATE, CallTemplate.FIRST_CALL_ID, path("/a"), null, 7);
    RpcRequestHeaderProto header = RpcRequestHeaderProto.parseDelimitedFrom(in);
    assertThat(header.getStateId()).isEqualTo(7);
    assertThat(header.getCallId()).isEqualTo(CallTemplate.FIRST_CALL_ID);
  }

  @Test
  void pathMayBeLongerThanOneByteCanSay() throws Exception {
    String target = "/" + "t".repeat(300);
    ByteBufInputStream in =
        frame(Method.RENAME, CallTemplate.FIRST_CALL_ID, path("/s"), path(target));

    RpcRequestHeaderProto.parseDelimitedFrom(in);
    RequestHeaderProto.parseDelimitedFrom(in);
    RenameRequestProto request = RenameRequestProto.parseDelimitedFrom(in);
    assertThat(request.getSrc()).isEqualTo("/s");
    assertThat(request.getDst()).isEqualTo(target);
  }

  @Test
  void numbersInPathsHaveZerosBeforeThem() {
    assertThat(path("/d").append('/').append(42, 4).append('-').append(0, 1).append(12345, 3))
        .hasToString("/d/0042-012345");
  }
}
