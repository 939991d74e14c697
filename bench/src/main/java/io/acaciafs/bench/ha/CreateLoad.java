package io.acaciafs.bench.ha;

import io.acaciafs.bench.Bench;
import io.acaciafs.bench.BenchSettings;
import io.acaciafs.bench.Measurement;
import io.acaciafs.bench.Report;
import io.acaciafs.bench.Steps;
import io.acaciafs.bench.client.Shape;
import io.acaciafs.bench.workload.Operation;
import io.acaciafs.bench.workload.Sizes;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Creates files at one NameNode until it is closed, on a thread of its own. */
final class CreateLoad implements AutoCloseable {
  private static final Duration SPAN = Duration.ofSeconds(20);
  private static final long END_LIMIT_MS = 2 * SPAN.toMillis();
  private static final Sizes SIZES = new Sizes(100, 3, 100, 4_000, 1);

  private final InetSocketAddress address;
  private final Shape shape;
  private final Thread thread = new Thread(this::run, "create-load");
  private volatile boolean ends;
  private volatile long created;
  private volatile @Nullable IOException failure;

  /**
   * @param address of one that is up all the time; the fewest hops has the one that leads
   */
  CreateLoad(InetSocketAddress address, Shape shape) {
    this.address = address;
    this.shape = shape;
    thread.start();
  }

  private void run() {
    BenchSettings settings =
        new BenchSettings(
            new BenchSettings.Target(address, List.of(), "/load"),
            shape,
            1,
            new BenchSettings.Times(Duration.ZERO, SPAN),
            SIZES,
            1,
            true);
    try {
      for (int span = 0; !ends; span++) {
        Bench bench = new Bench(settings, "span-" + span, null, Steps.silent());
        Measurement measurement = bench.measure(Operation.CREATE).get(0);
        if (!measurement.failures().isEmpty()) {
          throw new IOException(String.join("\n", Report.failures(measurement)));
        }
        created = created + measurement.operations();
      }
    } catch (IOException e) {
      failure = e;
    }
  }

  /**
   * Files created so far; the count grows each 20 seconds.
   *
   * @throws IOException if a call failed
   */
  long created() throws IOException {
    IOException failed = failure;
    if (failed != null) {
      throw new IOException("A file could not be created", failed);
    }
    return created;
  }

  @Override
  public void close() throws IOException {
    ends = true;
    try {
      thread.join(END_LIMIT_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    created();
  }
}
