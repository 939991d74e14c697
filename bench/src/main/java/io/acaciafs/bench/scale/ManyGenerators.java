package io.acaciafs.bench.scale;

import io.acaciafs.bench.BenchSettings;
import io.acaciafs.bench.client.CallSource;
import io.acaciafs.bench.client.LoadGenerator;
import io.acaciafs.bench.client.Meter;
import io.acaciafs.bench.client.Recording;
import io.acaciafs.bench.client.Shape;
import io.acaciafs.bench.client.Span;
import io.acaciafs.bench.client.Watcher;
import io.acaciafs.bench.workload.Stage;
import io.acaciafs.namenode.process.ResourceStack;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import org.HdrHistogram.Histogram;

/**
 * The same load on several NameNodes at once, as if it were one: each task does its own part of a
 * stage. The threads {@code load-N} wait for one NameNode's load each. For one thread.
 */
final class ManyGenerators implements AutoCloseable {
  private final ResourceStack resources = new ResourceStack();
  private final List<LoadGenerator> generators = new ArrayList<>();
  private final ExecutorService waiters;

  /** As the user of this process. */
  static ManyGenerators at(List<InetSocketAddress> servers, Shape shape, SplittableRandom random)
      throws IOException {
    return new ManyGenerators(
        servers.stream().map(each -> new BenchSettings.Target(each, List.of(), "")).toList(),
        shape,
        random);
  }

  /**
   * @param shape of the load on each server
   */
  ManyGenerators(List<BenchSettings.Target> servers, Shape shape, SplittableRandom random)
      throws IOException {
    AtomicInteger count = new AtomicInteger();
    waiters =
        Executors.newFixedThreadPool(
            servers.size(), task -> new Thread(task, "load-" + count.incrementAndGet()));
    resources.add(waiters::shutdownNow);
    try {
      for (BenchSettings.Target each : servers) {
        generators.add(
            resources.add(
                LoadGenerator.connect(
                    each.server(), shape, 1, each.credentials(), each.seenState(), random)));
      }
    } catch (IOException e) {
      throw resources.closeAfter(e);
    }
  }

  /** What all have seen. */
  record Seen(double operationsPerSecond, double longestMs, List<String> failures) {}

  /**
   * Runs a stage; all begin at once, and it is over when the last one has ended.
   *
   * @param meter from the first begin to the last end
   */
  Seen run(Stage stage, Span span, Meter meter) throws IOException {
    int slots = generators.get(0).shape().slots();
    int all = slots * generators.size();
    Watcher silent = (fraction, operationsPerSecond) -> {};
    List<Future<Recording>> runs = new ArrayList<>();
    SharedMeter shared = new SharedMeter(meter, generators.size());
    for (int i = 0; i < generators.size(); i++) {
      LoadGenerator generator = generators.get(i);
      int first = i * slots;
      IntFunction<CallSource> sources = slot -> stage.sources().of(first + slot, all);
      runs.add(waiters.submit(() -> generator.run(sources, span, shared, silent)));
    }
    long operations = 0;
    double longestMs = 0;
    List<String> failures = new ArrayList<>();
    for (Future<Recording> run : runs) {
      Recording recording = get(run);
      Histogram latencies = recording.latencies();
      operations += latencies.getTotalCount();
      longestMs = Math.max(longestMs, latencies.getMaxValue() / 1e6);
      recording
          .failures()
          .forEach(
              (kind, failure) ->
                  failures.add(
                      stage.name()
                          + ": "
                          + failure.count()
                          + " calls failed with "
                          + kind
                          + ": "
                          + failure.example()));
    }
    return new Seen(operations / shared.seconds(), longestMs, failures);
  }

  /** Of several spans at once: from the first begin to the last end. Safe for many threads. */
  private static final class SharedMeter implements Meter {
    private final Meter meter;
    private int notEnded;
    private boolean isRunning;
    private long beginNanos;
    private long endNanos;

    SharedMeter(Meter meter, int spans) {
      this.meter = meter;
      this.notEnded = spans;
    }

    @Override
    public synchronized void start() {
      if (!isRunning) {
        isRunning = true;
        beginNanos = System.nanoTime();
        meter.start();
      }
    }

    @Override
    public synchronized void stop() {
      notEnded--;
      if (notEnded == 0) {
        endNanos = System.nanoTime();
        meter.stop();
      }
    }

    synchronized double seconds() {
      return (endNanos - beginNanos) / 1e9;
    }
  }

  private static Recording get(Future<Recording> run) throws IOException {
    try {
      return run.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while the load ran");
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException known ? known : new IOException(e.getCause());
    }
  }

  @Override
  public void close() throws IOException {
    resources.close();
  }
}
