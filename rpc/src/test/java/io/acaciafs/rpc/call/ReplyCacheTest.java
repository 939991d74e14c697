package io.acaciafs.rpc.call;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.rpc.method.ServedMethod;
import io.acaciafs.rpc.metrics.RpcMetrics;
import io.acaciafs.rpc.protocol.RequestCheck;
import io.acaciafs.rpc.protocol.RpcProtocol;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetLinkTargetRequestProto;
import org.junit.jupiter.api.Test;

/** Requests as keys. */
class ReplyCacheTest {
  private static final int REQUESTS = 300_000;

  private final ServedMethod method =
      new ServedMethod(
          "protocol",
          new RpcProtocol.Method("method", GetLinkTargetRequestProto.getDefaultInstance(), null),
          RequestCheck.NONE,
          new RpcMetrics(() -> 0).method("protocol", "method", true),
          null,
          null);
  private final Random random = new Random(20261121);

  @Test
  void requestsWithEqualBytesAreEqualAtAnyOffset() {
    byte[] bytes = {9, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    byte[] same = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    assertThat(request(bytes, 1)).isEqualTo(request(same, 0)).hasSameHashCodeAs(request(same, 0));
    assertThat(request(bytes, 0)).isNotEqualTo(request(same, 0));
    assertThat(request(same, 0))
        .isNotEqualTo(new ReplyCache.Request(method, "somebody else", null, same, 0));
  }

  @Test
  void requestsWithTheSameHashAreDistinguished() {
    Map<Integer, ReplyCache.Request> byHash = new HashMap<>();
    int collisions = 0;
    for (int i = 0; i < REQUESTS; i++) {
      byte[] bytes = new byte[16 + random.nextInt(8)];
      random.nextBytes(bytes);
      ReplyCache.Request request = request(bytes, random.nextInt(4));
      ReplyCache.Request other = byHash.put(request.hashCode(), request);
      if (other != null) {
        collisions++;
        assertThat(request).isNotEqualTo(other);
        assertThat(other).isNotEqualTo(request);
      }
    }
    assertThat(collisions).isPositive();
  }

  private ReplyCache.Request request(byte[] bytes, int offset) {
    return new ReplyCache.Request(method, "alice", null, bytes, offset);
  }
}
