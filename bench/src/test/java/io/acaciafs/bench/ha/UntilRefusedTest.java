package io.acaciafs.bench.ha;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.bench.client.CallSource;
import io.acaciafs.bench.client.Failure;
import io.acaciafs.bench.client.LoadGenerator;
import io.acaciafs.bench.client.Meter;
import io.acaciafs.bench.client.Method;
import io.acaciafs.bench.client.PathBuffer;
import io.acaciafs.bench.client.Recording;
import io.acaciafs.bench.client.Shape;
import io.acaciafs.bench.client.Slot;
import io.acaciafs.bench.client.Span;
import io.acaciafs.bench.client.Step;
import io.acaciafs.bench.echo.EchoServer;
import io.acaciafs.rpc.RpcServer;
import io.acaciafs.rpc.options.RpcServerOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class UntilRefusedTest {
  private static final int SLOTS = 6;
  private static final InetSocketAddress ANY_PORT =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  private final AtomicInteger operations = new AtomicInteger();

  /** Calls without end. */
  private static final class Calls implements CallSource {
    private final PathBuffer path =
        new PathBuffer().set("/path".getBytes(StandardCharsets.US_ASCII));

    @Override
    public Step next(Slot slot) {
      slot.call(Method.MKDIRS, path);
      return Step.CALL;
    }
  }

  /** Ends when each slot's calls have ended. */
  private Recording run(InetSocketAddress server, int enough) throws IOException {
    try (LoadGenerator generator =
        LoadGenerator.connect(server, new Shape(3, 2), 1, "user", new SplittableRandom(1))) {
      return generator.run(
          slot ->
              new UntilRefused(
                  new Calls(), operations::incrementAndGet, () -> operations.get() >= enough),
          Span.whole(),
          Meter.NONE,
          (fraction, operationsPerSecond) -> {});
    }
  }

  @Test
  void eachSlotHasOneCallRefused() throws Exception {
    RpcServerOptions options = RpcServerOptions.builder().bindAddress(ANY_PORT).build();
    try (RpcServer server = RpcServer.start(options, List.of())) {
      Recording recording = run(server.address(), Integer.MAX_VALUE);
      assertThat(recording.failures().values())
          .extracting(Failure::count)
          .containsExactly((long) SLOTS);
      assertThat(operations).hasValue(0);
    }
  }

  @Test
  void endsWhenItIsToAndCountsWhatWasDone() throws Exception {
    try (EchoServer server = EchoServer.start(ANY_PORT, 1, 1)) {
      Recording recording = run(server.address(), 100);
      assertThat(recording.latencies().getTotalCount()).isBetween(100L, 100L + SLOTS);
      assertThat(operations).hasValue((int) recording.latencies().getTotalCount());
    }
  }
}
