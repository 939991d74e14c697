package io.acaciafs.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Which calls are slow. */
class SlowCallsTest {
  private final SlowCalls calls = new SlowCalls(5, new RpcMetrics(() -> 0));

  @Test
  void theFirstCallsSayWhatIsUsual() {
    usual(1000);
    assertThat(calls.isSlow(ms(1000))).isFalse();
  }

  @Test
  void whatTakesMuchLongerThanUsualIsSlow() {
    usual(2000);
    assertThat(calls.isSlow(ms(100))).isTrue();
    assertThat(calls.isSlow(ms(1))).isFalse();
  }

  @Test
  void whatIsBelowTheThresholdIsNot() {
    usual(2000);
    assertThat(calls.isSlow(ms(4))).isFalse();
  }

  @Test
  void whatIsUsuallySlowIsNot() {
    for (int i = 0; i < 2000; i++) {
      calls.isSlow(ms(i % 2 == 0 ? 1 : 100));
    }
    assertThat(calls.isSlow(ms(120))).isFalse();
  }

  @Test
  void aServerCountsThem() throws Exception {
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

  private void usual(int count) {
    for (int i = 0; i < count; i++) {
      calls.isSlow(ms(1));
    }
  }

  private static long ms(long ms) {
    return TimeUnit.MILLISECONDS.toNanos(ms);
  }
}
