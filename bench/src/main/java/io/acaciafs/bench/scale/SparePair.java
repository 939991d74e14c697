package io.acaciafs.bench.scale;

import io.acaciafs.bench.client.Meter;
import io.acaciafs.bench.client.Shape;
import io.acaciafs.bench.client.Span;
import io.acaciafs.bench.compare.JavaProgram;
import io.acaciafs.bench.workload.Operation;
import io.acaciafs.bench.workload.Sizes;
import io.acaciafs.bench.workload.Stage;
import io.acaciafs.bench.workload.Workloads;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * A pair that is not in use yet. While others are measured it serves a namespace of its own, under
 * as much load as it is allowed, so that the machine, its caches and its memory are in use as they
 * are when all pairs serve one namespace: else a second of a processor would be worth more to few
 * pairs than to many. For one thread; the thread {@code spare-N} makes the load.
 */
final class SparePair implements AutoCloseable {
  private static final Duration SLICE = Duration.ofMillis(500);
  private static final Sizes SIZES = new Sizes(16, 2, 20, 1, 1);

  private final int number;
  private final JavaProgram nameNode;
  private final ManyGenerators load;
  private final Workloads workloads = new Workloads("/spare", "run", SIZES, 1, null);
  private final Consumer<String> log;
  private Thread thread;
  private volatile boolean isOver;

  /**
   * @param log is told why there is no load any more
   */
  SparePair(
      int number,
      JavaProgram nameNode,
      InetSocketAddress address,
      Shape shape,
      Consumer<String> log)
      throws IOException {
    this.number = number;
    this.nameNode = nameNode;
    this.log = log;
    this.load = new ManyGenerators(List.of(address), shape, new SplittableRandom(number));
    for (Stage stage : workloads.filesToRead()) {
      ScaleRun.prepare(load, stage);
    }
  }

  long pid() {
    return nameNode.pid();
  }

  void begin() {
    isOver = false;
    thread = new Thread(this::work, "spare-" + number);
    thread.start();
  }

  private void work() {
    Stage stage = workloads.of(Operation.STAT).measured().get(0);
    try {
      List<String> failures = List.of();
      while (!isOver && failures.isEmpty()) {
        failures = load.run(stage, new Span(Duration.ZERO, SLICE), Meter.NONE).failures();
      }
      failures.forEach(this::complain);
    } catch (IOException | RuntimeException e) {
      complain(e.toString());
    }
  }

  private void complain(String failure) {
    log.accept("Spare pair " + number + " does nothing any more: " + failure);
  }

  /** Returns when nothing is under way any more. */
  void end() {
    isOver = true;
    try {
      if (thread != null) {
        thread.join();
        thread = null;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() throws IOException {
    end();
    load.close();
    nameNode.close();
  }
}
