package io.acaciafs.rpc.method;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.rpc.metrics.RpcMetrics;
import io.acaciafs.rpc.protocol.RequestCheck;
import io.acaciafs.rpc.protocol.RpcProtocol;
import io.acaciafs.rpc.testkit.TestService;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.ipc.protobuf.ProtobufRpcEngine2Protos.RequestHeaderProto;
import org.junit.jupiter.api.Test;

/** Methods are found without parsing the header of a request. */
class MethodTableTest {

  @Test
  void findsMethodsByTheBytesOfTheirHeaders() throws IOException {
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
}
