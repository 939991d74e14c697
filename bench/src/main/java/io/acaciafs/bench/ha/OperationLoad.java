package io.acaciafs.bench.ha;

import io.acaciafs.bench.Bench;
import io.acaciafs.bench.BenchSettings;
import io.acaciafs.bench.Steps;
import io.acaciafs.bench.client.Shape;
import io.acaciafs.bench.workload.Operation;
import io.acaciafs.bench.workload.Sizes;
import io.acaciafs.bench.workload.Stage;
import io.acaciafs.namenode.process.Threads;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Has one operation done at a NameNode until it is closed, on a thread of its own. A call that is
 * refused, as by one that leads no more, is not repeated, and its client makes no other for the
 * rest of the span; when none makes calls any more, the next span begins.
 */
final class OperationLoad implements AutoCloseable {
  private static final Duration SPAN = Duration.ofSeconds(20);
  private static final long PAUSE_NS = TimeUnit.SECONDS.toNanos(1);
  private static final long END_LIMIT_MS = 2 * SPAN.toMillis();
  private static final Sizes SIZES = new Sizes(100, 3, 100, 4_000, 1);

  private final NameNode nameNode;
  private final Operation operation;
  private final Shape shape;
  private final Thread thread = new Thread(this::run, "operation-load");
  private final Set<String> refused = ConcurrentHashMap.newKeySet();
  private final AtomicLong done = new AtomicLong();
  private volatile boolean ends;

  /** Which NameNode has the load. */
  @FunctionalInterface
  interface NameNode {
    /** Its address, asked for at the begin of each span. */
    InetSocketAddress address() throws IOException;
  }

  /**
   * @param nameNode the fewest hops has the one that leads
   * @param operation has no end
   */
  OperationLoad(NameNode nameNode, Operation operation, Shape shape) {
    this.nameNode = nameNode;
    this.operation = operation;
    this.shape = shape;
    thread.start();
  }

  private void run() {
    for (int span = 0; !ends; span++) {
      try {
        Bench bench = new Bench(settings(), "span-" + span, null, Steps.silent());
        Stage stage = bench.prepare(operation).measured().get(0);
        refused.addAll(bench.measure(untilRefused(stage)).failures().keySet());
      } catch (IOException e) {
        refused.add(String.valueOf(e.getMessage()));
        LockSupport.parkNanos(PAUSE_NS);
      }
    }
  }

  private BenchSettings settings() throws IOException {
    return new BenchSettings(
        new BenchSettings.Target(nameNode.address(), List.of(), "/load"),
        shape,
        1,
        new BenchSettings.Times(Duration.ZERO, SPAN),
        SIZES,
        1,
        true);
  }

  private Stage untilRefused(Stage stage) {
    return new Stage(
        stage.name(),
        stage.endless(),
        (slot, slots) ->
            new UntilRefused(stage.sources().of(slot, slots), done::incrementAndGet, () -> ends));
  }

  /** How often the operation was done so far. */
  long done() {
    return done.get();
  }

  /** Waits until it was done so many times more. */
  void awaitMore(int count) throws IOException {
    long wanted = done() + count;
    Nameservice.await("An operation of the load", () -> done() >= wanted);
  }

  /** The exceptions that calls got, which are not repeated as a client of Hadoop's would. */
  Set<String> refused() {
    return Set.copyOf(refused);
  }

  @Override
  public void close() {
    ends = true;
    Threads.join(thread, END_LIMIT_MS);
  }
}
