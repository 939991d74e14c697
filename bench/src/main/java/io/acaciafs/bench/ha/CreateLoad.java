package io.acaciafs.bench.ha;

import io.acaciafs.bench.Bench;
import io.acaciafs.bench.BenchSettings;
import io.acaciafs.bench.Measurement;
import io.acaciafs.bench.Steps;
import io.acaciafs.bench.client.Shape;
import io.acaciafs.bench.workload.Operation;
import io.acaciafs.bench.workload.Sizes;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Creates files at one NameNode until it is closed, on a thread of its own. A call that is refused,
 * as by one that leads no more, is not repeated.
 */
final class CreateLoad implements AutoCloseable {
  private static final Duration SPAN = Duration.ofSeconds(20);
  private static final long PAUSE_NS = TimeUnit.SECONDS.toNanos(1);
  private static final long END_LIMIT_MS = 2 * SPAN.toMillis();
  private static final Sizes SIZES = new Sizes(100, 3, 100, 4_000, 1);

  private final InetSocketAddress address;
  private final Shape shape;
  private final Thread thread = new Thread(this::run, "create-load");
  private volatile boolean ends;
  private final Set<String> refused = ConcurrentHashMap.newKeySet();
  private volatile long created;

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
    for (int span = 0; !ends; span++) {
      try {
        Bench bench = new Bench(settings, "span-" + span, null, Steps.silent());
        Measurement measurement = bench.measure(Operation.CREATE).get(0);
        created = created + measurement.operations();
        refused.addAll(measurement.failures().keySet());
      } catch (IOException e) {
        refused.add(String.valueOf(e.getMessage()));
        LockSupport.parkNanos(PAUSE_NS);
      }
    }
  }

  /** Files created so far; the count grows each 20 seconds. */
  long created() {
    return created;
  }

  /** The exceptions that calls got, which are not repeated as a client of Hadoop's would. */
  Set<String> refused() {
    return Set.copyOf(refused);
  }

  @Override
  public void close() {
    ends = true;
    try {
      thread.join(END_LIMIT_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
