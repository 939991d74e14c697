package io.acaciafs.bench.scale;

import io.acaciafs.bench.client.Meter;
import io.acaciafs.bench.client.Shape;
import io.acaciafs.bench.client.Span;
import io.acaciafs.bench.workload.Operation;
import io.acaciafs.bench.workload.Sizes;
import io.acaciafs.bench.workload.Stage;
import io.acaciafs.bench.workload.Workload;
import io.acaciafs.bench.workload.Workloads;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A pair of servers with a namespace of its own, on a table of one region. It is what a number of
 * pairs that share a namespace is compared with; and those that are not in use do what is measured
 * on theirs, so that the machine, its caches, its memory and HBase's HDFS are in use as they are
 * when all pairs serve one namespace: else a second of a processor would be worth more to few pairs
 * than to many. For one thread; the thread {@code pair-N} makes the load.
 */
final class LonePair implements AutoCloseable {
  private final int number;
  private final long pid;
  private final InetSocketAddress address;
  private final Sizes sizes;
  private final ManyGenerators load;
  private final ExecutorService thread;
  private final Consumer<String> log;
  private @Nullable Workload workload;
  private @Nullable Future<?> atWork;
  private int runs;

  /**
   * @param pid of its NameNode
   * @param sizes of what one pair does
   * @param log is told why there is no load any more
   */
  LonePair(
      int number,
      long pid,
      InetSocketAddress address,
      Shape shape,
      Sizes sizes,
      Consumer<String> log)
      throws IOException {
    this.number = number;
    this.pid = pid;
    this.address = address;
    this.sizes = sizes;
    this.log = log;
    load = ManyGenerators.at(List.of(address), shape, new SplittableRandom(number));
    thread = Executors.newSingleThreadExecutor(task -> new Thread(task, "pair-" + number));
  }

  InetSocketAddress address() {
    return address;
  }

  long pid() {
    return pid;
  }

  /** Begins to make what all operations read. */
  void prepareReads() {
    begin(workloads().filesToRead(), Span.whole());
  }

  /** Begins to make what an operation needs. */
  void prepare(Operation operation) {
    Workload prepared = workloads().of(operation);
    workload = prepared;
    begin(prepared.preparation(), Span.whole());
  }

  private Workloads workloads() {
    return new Workloads(ScaleRun.ROOT, "apart-" + runs++, sizes, number, null);
  }

  /**
   * Begins with one of the stages of the operation that was prepared.
   *
   * @param stage from 0
   */
  void begin(int stage, Span span) {
    begin(List.of(Objects.requireNonNull(workload, "it was prepared").measured().get(stage)), span);
  }

  private void begin(List<Stage> stages, Span span) {
    atWork =
        thread.submit(
            () -> {
              for (Stage stage : stages) {
                load.run(stage, span, Meter.NONE).failures().forEach(this::complain);
              }
              return null;
            });
  }

  private void complain(String failure) {
    log.accept("Pair " + number + ": " + failure);
  }

  /** Returns when nothing is under way any more. */
  void await() throws IOException {
    if (atWork == null) {
      return;
    }
    try {
      atWork.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while pair " + number + " was at work");
    } catch (ExecutionException e) {
      complain(
          String.valueOf(e.getCause())); // what is measured is right, but the machine less busy
    }
    atWork = null;
  }

  @Override
  public void close() throws IOException {
    thread.shutdownNow();
    load.close();
  }
}
