package io.acaciafs.kv.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.UnavailableException;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;

class RepeatedFailuresTest {
  private final List<String> lines = new ArrayList<>();
  private long nowNs;
  private final RepeatedFailures failures = new RepeatedFailures(logger(), () -> nowNs);

  /** Records warnings, and whether they have a stack. */
  private Logger logger() {
    return (Logger)
        Proxy.newProxyInstance(
            Logger.class.getClassLoader(),
            new Class<?>[] {Logger.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("warn")) {
                boolean hasStack = arguments[arguments.length - 1] instanceof Throwable;
                lines.add(arguments[0] + (hasStack ? " with its stack" : ""));
              }
              return null;
            });
  }

  private static Exception storeFailed() {
    return new ExecutionException(
        new StoreException("It writes no more", new IOException("No space left on device")));
  }

  @Test
  void aDayOfOneFailureIsAFewLinesAndOneStack() {
    for (int second = 0; second < TimeUnit.DAYS.toSeconds(1); second++) {
      nowNs = TimeUnit.SECONDS.toNanos(second);
      failures.failed("sweep", storeFailed());
    }
    assertThat(lines).hasSizeBetween(20, 40);
    assertThat(lines.get(0)).isEqualTo("sweep with its stack");
    assertThat(lines.subList(1, lines.size())).noneMatch(line -> line.contains("stack"));
  }

  @Test
  void aStoreThatDoesNotAnswerIsALineWithoutAStack() {
    for (int second = 0; second < 50; second++) {
      nowNs = TimeUnit.SECONDS.toNanos(second);
      Exception cause = second % 2 == 0 ? new TimeoutException() : new IOException("refused");
      failures.failed(
          "sweep", new ExecutionException(new UnavailableException("HBase did not scan", cause)));
    }
    assertThat(lines).containsExactly("{} reason={}");
  }

  @Test
  void whatIsNewIsLoggedWithItsStack() {
    failures.failed("sweep", storeFailed());
    failures.failed("sweep", storeFailed());
    failures.failed("sweep", new IllegalStateException());
    failures.failed("sweep", storeFailed());
    failures.failed("count", storeFailed());
    failures.succeeded("sweep");
    failures.failed("sweep", new IllegalStateException());
    assertThat(lines)
        .containsExactly(
            "sweep with its stack",
            "sweep with its stack",
            "count with its stack",
            "sweep with its stack");
  }
}
