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
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs a {@link ScalePlan}: cuts and deals out the table step by step, under load; at each step
 * warms up each operation without a limit, then measures it with limits. For one thread.
 */
public final class ScaleRun {
  static final String ROOT = "/bench";

  private static final Duration SLICE = Duration.ofSeconds(1);

  /** So often as long for what is measured first: most of its servers have never served before. */
  private static final int FIRST_WARM_UP = 3;

  /** While the table is cut: always something, and not all that the machine can do. */
  private static final Shape LOAD_OF_CUT = new Shape(2, 4);

  /** What all limits together may be of the machine: the rest is for what has none. */
  private static final double LIMITED_PART = 0.85;

  private final ScalePlan plan;
  private final Consumer<String> log;
  private final SplittableRandom random = new SplittableRandom(1);
  private final List<ScaleReport.Measured> points = new ArrayList<>();
  private final List<ScaleReport.Cut> cuts = new ArrayList<>();
  private @Nullable ScaleCluster cluster;
  private @Nullable CpuWorth worth;
  private int runs;
  private int cutFor;

  private ScaleRun(ScalePlan plan, Consumer<String> log) {
    this.plan = plan;
    this.log = log;
  }

  /**
   * Measures.
   *
   * @param folder for all files
   * @param log is told of each measurement
   * @throws IOException when the limits do not fit the machine, or something does not work
   */
  public static ScaleReport run(ScalePlan plan, Path folder, Consumer<String> log)
      throws IOException {
    int processors = Runtime.getRuntime().availableProcessors();
    int percent = plan.site().percentOfCore() * plan.most();
    if (percent > 100 * processors * LIMITED_PART) {
      throw new IOException(
          plan.most()
              + " servers with "
              + plan.site().percentOfCore()
              + " % of a processor each need "
              + percent
              + " %, which is more than "
              + LIMITED_PART
              + " of the "
              + processors
              + " there are: the rest is for the client and HBase's own HDFS");
    }
    return new ScaleRun(plan, log).run(folder);
  }

  private ScaleReport run(Path folder) throws IOException {
    log.accept("Starting HBase with " + plan.most() + " region servers");
    try (ScaleCluster started = ScaleCluster.start(plan, folder, log);
        CpuWorth measured = new CpuWorth()) {
      cluster = started;
      worth = measured;
      prepareReads();
      for (int servers : plan.site().servers()) {
        if (servers > 1) {
          cut(servers);
        }
        cutFor = servers;
        for (Operation operation : plan.load().operations()) {
          boolean isFirst = operation == plan.load().operations().get(0);
          measure(plan.measuredAt(servers), operation, isFirst ? FIRST_WARM_UP : 1);
        }
      }
      return new ScaleReport(plan, cluster().limits(), points, cuts);
    }
  }

  /** Warms up only then: what reads is not to find what others leave. */
  private void measure(List<Integer> numbers, Operation operation, int warmUps) throws IOException {
    for (int servers : numbers) {
      warmUp(servers, operation, warmUps);
    }
    for (int round = 0; round < plan.rounds(operation, numbers); round++) {
      for (int servers : numbers) {
        measure(servers, operation);
      }
    }
  }

  private Workloads workloads(int servers) {
    Sizes sizes = plan.load().sizes();
    Sizes grown =
        new Sizes(
            sizes.directories(),
            sizes.depth(),
            sizes.filesPerDirectory(),
            sizes.files() * servers,
            sizes.callsPerTask());
    return new Workloads(ROOT, "run-" + runs++, grown, runs, null);
  }

  private ScaleCluster cluster() {
    return Objects.requireNonNull(cluster, "the cluster was started");
  }

  private CpuWorth worth() {
    return Objects.requireNonNull(worth, "it is measured from the start on");
  }

  private void prepareReads() throws IOException {
    if (!plan.reads()) {
      return;
    }
    try (ManyGenerators load = connect(List.of(cluster().firstAddress()), 1)) {
      for (Stage stage : workloads(1).filesToRead()) {
        prepare(load, stage);
      }
    }
    cluster().lonePairs().prepareReads();
    cluster().rewrite(); // or one server would read from its memory, and many from files
  }

  private ManyGenerators connect(int servers) throws IOException {
    return connect(cluster().addresses(servers), servers);
  }

  private ManyGenerators connect(List<InetSocketAddress> addresses, int servers)
      throws IOException {
    // A single NameNode gets the load of all.
    int connections = plan.load().shape().connections() * servers / addresses.size();
    return ManyGenerators.at(
        addresses, new Shape(connections, plan.load().shape().callsInFlight()), random);
  }

  /** Has all code compiled; the more servers share the machine, the longer that takes. */
  private void warmUp(int servers, Operation operation, int times) throws IOException {
    try (ManyGenerators load = connect(servers)) {
      Workload workload = prepare(load, workloads(1), operation, servers);
      warmUp(
          load,
          workload,
          plan.times().unlimited().multipliedBy(times * (1 + servers)).dividedBy(2));
    }
  }

  /** Makes what an operation needs. */
  private Workload prepare(
      ManyGenerators load, Workloads workloads, Operation operation, int servers)
      throws IOException {
    Workload workload = workloads.of(operation);
    for (Stage stage : workload.preparation()) {
      prepare(load, stage);
    }
    if (operation == Operation.METARATES) {
      cluster().spread(workloads.singleDirectory(operation), servers);
    }
    return workload;
  }

  private void warmUp(ManyGenerators load, Workload workload, Duration duration)
      throws IOException {
    Stage stage = workload.warmUp() == null ? workload.measured().get(0) : workload.warmUp();
    load.run(stage, new Span(Duration.ZERO, duration), Meter.NONE);
  }

  static void prepare(ManyGenerators load, Stage stage) throws IOException {
    List<String> failures = load.run(stage, Span.whole(), Meter.NONE).failures();
    if (!failures.isEmpty()) {
      throw new IOException("Could not prepare it: " + failures.get(0));
    }
  }

  /** Has the table cut and dealt out while clients work. */
  private void cut(int servers) throws IOException {
    AtomicBoolean isDone = new AtomicBoolean();
    ExecutorService worker =
        Executors.newSingleThreadExecutor(task -> new Thread(task, "cut-table"));
    long beginNanos = System.nanoTime();
    try (ManyGenerators load =
        ManyGenerators.at(List.of(cluster().firstAddress()), LOAD_OF_CUT, random)) {
      Future<?> cut =
          worker.submit(
              () -> {
                try {
                  cluster().use(servers);
                  return null;
                } finally {
                  isDone.set(true);
                }
              });
      double longestMs = 0;
      List<String> failures = new ArrayList<>();
      Operation operation = plan.reads() ? Operation.LIST : Operation.CREATE;
      while (!isDone.get()) {
        Workload workload = prepare(load, workloads(1), operation, 1);
        ManyGenerators.Seen seen =
            load.run(workload.measured().get(0), new Span(Duration.ZERO, SLICE), Meter.NONE);
        longestMs = Math.max(longestMs, seen.longestMs());
        failures.addAll(seen.failures());
      }
      await(cut);
      double seconds = (System.nanoTime() - beginNanos) / 1e9;
      cuts.add(new ScaleReport.Cut(servers, seconds, longestMs, failures));
      log.accept(
          String.format(
              Locale.ROOT,
              "Cut for %d servers under load in %.1f s; the longest call took %.0f ms, %d kinds of"
                  + " failures",
              servers,
              seconds,
              longestMs,
              failures.size()));
    } finally {
      worker.shutdownNow();
    }
  }

  private static void await(Future<?> future) throws IOException {
    try {
      future.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while the table was cut");
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException known ? known : new IOException(e.getCause());
    }
  }

  private void measure(int servers, Operation operation) throws IOException {
    try (ManyGenerators load = connect(servers)) {
      Workload workload = prepare(load, workloads(servers), operation, servers);
      if (workload.warmUp() != null) {
        warmUp(load, workload, plan.times().unlimited()); // so that all directories are known
      }
      cluster().lonePairs().prepare(operation, servers);
      if (!Workloads.reads(operation)) {
        cluster().rewrite(); // who has the fuller memory would write it to files meanwhile
      }
      cluster().limit(true);
      for (int i = 0; i < workload.measured().size(); i++) {
        Stage stage = workload.measured().get(i);
        Span span = span(operation);
        cluster().lonePairs().begin(servers, i, span);
        measure(servers, load, stage, span);
        cluster().lonePairs().await();
      }
    } finally {
      cluster().limit(false);
    }
  }

  private void measure(int servers, ManyGenerators load, Stage stage, Span span)
      throws IOException {
    List<Long> pids = new ArrayList<>();
    for (int pair = 0; pair < servers; pair++) {
      pids.addAll(cluster().pidsOf(pair));
    }
    CpuWatch watch = new CpuWatch(pids);
    ManyGenerators.Seen seen = load.run(stage, span, both(watch, worth()));
    note(
        new ScalePoint(
            servers,
            label(stage),
            seen.operationsPerSecond(),
            new ScalePoint.Processors(
                watch.serverCores() * 100 / (plan.site().percentOfCore() * servers),
                watch.ownCores(),
                watch.machineUsed(),
                watch.serverCores() * 1e6 / seen.operationsPerSecond(),
                worth().microsAUnit()),
            seen.longestMs(),
            seen.failures()));
  }

  private Span span(Operation operation) {
    return operation == Operation.METARATES
        ? Span.whole() // what was created is removed, all of it
        : new Span(plan.times().warmUp(), plan.times().duration());
  }

  private static Meter both(Meter one, Meter other) {
    return new Meter() {
      @Override
      public void start() {
        one.start();
        other.start();
      }

      @Override
      public void stop() {
        one.stop();
        other.stop();
      }
    };
  }

  /** As results call it. */
  private static String label(Stage stage) {
    return switch (stage.name()) {
      case "list_status" -> "list";
      case "metarates_create" -> "create";
      case "metarates_remove" -> "remove";
      default -> stage.name();
    };
  }

  private void note(ScalePoint point) {
    points.add(new ScaleReport.Measured(cutFor, point));
    log.accept(
        String.format(
            Locale.ROOT,
            "%d servers %-8s %,8.0f/s; servers used %3.0f %% of their limit, %,.0f us each; client"
                + " %.2f cores, machine %3.0f %%, a piece of work %.0f us, longest call %.0f ms;"
                + " limited by %s",
            point.servers(),
            point.operation(),
            point.operationsPerSecond(),
            100 * point.processors().serversUsed(),
            point.processors().serverMicros(),
            point.processors().clientCores(),
            100 * point.processors().machineUsed(),
            point.processors().workMicros(),
            point.longestMs(),
            point.limit()));
    point.failures().forEach(log);
  }
}
