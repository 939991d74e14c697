package io.acaciafs.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.rpc.options.RpcServerOptions;
import io.acaciafs.rpc.testkit.TestClient;
import io.acaciafs.rpc.testkit.TestService;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A server logs and counts slow calls if its options say so. */
class SlowCallLogTest {

  @Test
  void countsASlowCall() throws Exception {
    TestService service = new TestService();
    try (RpcServer server =
            RpcServer.start(
                RpcServerOptions.builder().slowCallLog(true).slowCallThresholdMs(5).build(),
                List.of(service.protocol()));
        TestClient client = new TestClient(server)) {
      for (int i = 0; i < 1_100; i++) {
        client.ask("usual");
      }
      long before = server.metrics().snapshot().slowCalls();
      client.ask("sleep 200");
      assertThat(server.metrics().snapshot().slowCalls()).isEqualTo(before + 1);
    }
  }
}
