package io.acaciafs.rpc.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.helpers.MessageFormatter;

class RefusalLogTest {
  private static final InetSocketAddress CLIENT =
      InetSocketAddress.createUnresolved("client", 1234);

  private final List<String> lines = new ArrayList<>();
  private long nowMs = 1000;
  private final RefusalLog refusals =
      new RefusalLog(logger(), () -> TimeUnit.MILLISECONDS.toNanos(nowMs));

  /** Records warnings. */
  private Logger logger() {
    return (Logger)
        Proxy.newProxyInstance(
            Logger.class.getClassLoader(),
            new Class<?>[] {Logger.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("warn")) {
                Object[] values =
                    arguments[1] instanceof Object[] all
                        ? all
                        : new Object[] {arguments[1], arguments[2]};
                lines.add(MessageFormatter.arrayFormat((String) arguments[0], values).getMessage());
              }
              return null;
            });
  }

  @Test
  void aMillionRefusalsWithinTenSecondsAreTenLines() {
    for (int i = 0; i < 1_000_000; i++) {
      nowMs = 1000 + i / 100;
      refusals.refused(CLIENT, "reason " + i);
    }
    assertThat(lines).hasSize(10);
    assertThat(lines.get(0)).isEqualTo("Connection refused: client=" + CLIENT + " reason=reason 0");
    assertThat(lines.get(1))
        .isEqualTo(
            "Connection refused: client="
                + CLIENT
                + " reason=reason 100000 (suppressed logging 99999 times)");
  }

  @Test
  void eachKindHasItsOwnLines() {
    for (int i = 0; i < 3; i++) {
      refusals.refused(CLIENT, "one");
      refusals.closed(CLIENT, "two");
      refusals.failed(CLIENT, new IllegalStateException("three"));
    }
    assertThat(lines).hasSize(3);
    assertThat(lines.get(1)).startsWith("Connection closed: ");
    assertThat(lines.get(2)).startsWith("Connection failed: ");
  }
}
