package io.acaciafs.bench.scale;

import io.acaciafs.bench.client.CallSource;
import io.acaciafs.bench.client.LoadGenerator;
import io.acaciafs.bench.client.Meter;
import io.acaciafs.bench.client.Recording;
import io.acaciafs.bench.client.Shape;
import io.acaciafs.bench.client.Span;
import io.acaciafs.bench.client.Watcher;
import io.acaciafs.bench.workload.Stage;
import io.acaciafs.namenode.ResourceStack;
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

  /**
   * @param shape of the load on each server
   */
  ManyGenerators(List<InetSocketAddress> servers, Shape shape, SplittableRandom random)
      throws IOException {
    AtomicInteger count = new AtomicInteger();
    waiters =
        Executors.newFixedThreadPool(
            servers.size(), task -> new Thread(task, "load-" + count.incrementAndGet()));
    resources.add(waiters::shutdownNow);
    try {
      for (InetSocketAddress server : servers) {
        generators.add(
            resources.add(
                LoadGenerator.connect(server, shape, 1, System.getProperty("user.name"), random)));
      }
    } catch (IOException e) {
      throw resources.closeAfter(e);
    }
  }

  /** What all have seen. */
  record Seen(double operationsPerSecond, double longestMs, List<String> failures) {}

  /**
   * Runs a stage; all begin at once.
   *
   * @param meter of the first one
   */
  Seen run(Stage stage, Span span, Meter meter) throws IOException {
    int slots = generators.get(0).shape().slots();
    int all = slots * generators.size();
    Watcher silent = (fraction, operationsPerSecond) -> {};
    List<Future<Recording>> runs = new ArrayList<>();
    List<SpanMeter> meters = new ArrayList<>();
    for (int i = 0; i < generators.size(); i++) {
      LoadGenerator generator = generators.get(i);
      int first = i * slots;
      IntFunction<CallSource> sources = slot -> stage.sources().of(first + slot, all);
      SpanMeter own = new SpanMeter(i == 0 ? meter : Meter.NONE);
      meters.add(own);
      runs.add(waiters.submit(() -> generator.run(sources, span, own, silent)));
    }
    double perSecond = 0;
    double longestMs = 0;
    List<String> failures = new ArrayList<>();
    for (int i = 0; i < runs.size(); i++) {
      Recording recording = get(runs.get(i));
      Histogram latencies = recording.latencies();
      perSecond += latencies.getTotalCount() / meters.get(i).seconds();
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
    return new Seen(perSecond, longestMs, failures);
  }

  /** How long a span was. */
  private static final class SpanMeter implements Meter {
    private final Meter other;
    private long beginNanos;
    private long endNanos;

    SpanMeter(Meter other) {
      this.other = other;
    }

    @Override
    public void start() {
      beginNanos = System.nanoTime();
      other.start();
    }

    @Override
    public void stop() {
      endNanos = System.nanoTime();
      other.stop();
    }

    double seconds() {
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
