package io.acaciafs.bench.fleet;

import io.acaciafs.bench.client.CallSource;
import io.acaciafs.bench.client.LoadGenerator;
import io.acaciafs.bench.client.Meter;
import io.acaciafs.bench.client.Method;
import io.acaciafs.bench.client.PathBuffer;
import io.acaciafs.bench.client.Recording;
import io.acaciafs.bench.client.Shape;
import io.acaciafs.bench.client.Slot;
import io.acaciafs.bench.client.Span;
import io.acaciafs.bench.client.Step;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * A client that asks for the status of the root every few milliseconds, and waits for each answer:
 * what others feel of a server's load. For one thread.
 */
final class PacedStats implements AutoCloseable {
  private static final byte[] ROOT = "/".getBytes(StandardCharsets.US_ASCII);
  private static final String USER = "client";
  private static final long PAUSE_MS = 5;
  private static final long HIGHEST_NANOS = TimeUnit.MINUTES.toNanos(10);

  private final LoadGenerator generator;
  private final Histogram latencies = new Histogram(HIGHEST_NANOS, 3);

  PacedStats(InetSocketAddress nameNode) throws IOException {
    generator = LoadGenerator.connect(nameNode, new Shape(1, 1), 1, USER, new SplittableRandom());
  }

  /** Asks for so long. */
  void run(Duration duration) throws IOException {
    Recording recording =
        generator.run(
            slot -> new Asking(),
            new Span(Duration.ZERO, duration),
            Meter.NONE,
            (fraction, rate) -> {});
    if (!recording.failures().isEmpty()) {
      throw new IOException("A client's stat failed: " + recording.failures());
    }
  }

  /** Of all runs, in nanoseconds. */
  Histogram latencies() {
    return latencies;
  }

  @Override
  public void close() {
    generator.close();
  }

  private final class Asking implements CallSource {
    private final PathBuffer path = new PathBuffer().set(ROOT);
    private boolean rested = true;
    private long askedNanos;

    @Override
    public Step next(Slot slot) {
      if (!rested) {
        rested = true;
        slot.resumeAfter(PAUSE_MS);
        return Step.WAIT;
      }
      rested = false;
      askedNanos = System.nanoTime();
      slot.call(Method.GET_FILE_INFO, path);
      return Step.CALL;
    }

    @Override
    public boolean answered(Slot slot, ByteBuf in, int lengthBytes) {
      latencies.recordValue(Math.min(HIGHEST_NANOS, System.nanoTime() - askedNanos));
      return true;
    }
  }
}
