package io.acaciafs.bench.compare;

import io.acaciafs.bench.Bench;
import io.acaciafs.bench.BenchSettings;
import io.acaciafs.bench.Measurement;
import io.acaciafs.bench.Report;
import io.acaciafs.bench.Steps;
import io.acaciafs.bench.client.Shape;
import io.acaciafs.bench.workload.Operation;
import io.acaciafs.bench.workload.Replicas;
import io.acaciafs.namenode.process.ResourceStack;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs the comparison: both servers are there all the time, and take turns: while one is measured
 * the other has nothing to do. For one thread.
 */
public final class Comparison implements AutoCloseable {
  private static final String ROOT = "/bench";

  private final ResourceStack resources = new ResourceStack();
  private final Map<Contestant, Server> servers = new EnumMap<>(Contestant.class);
  private final List<String> failures = new ArrayList<>();
  private final Plan plan;
  private final Path folder;
  private final Steps steps;
  private final Consumer<String> log;
  private int benches;

  private Comparison(Plan plan, Path folder, Steps steps, Consumer<String> log) {
    this.plan = plan;
    this.folder = folder;
    this.steps = steps;
    this.log = log;
  }

  /**
   * Starts both servers.
   *
   * @param folder for their files, both on the same disk
   * @param jvmOptions the same for both
   * @param log is told of each measurement
   */
  public static Comparison start(
      Plan plan, Path folder, List<String> jvmOptions, Steps steps, Consumer<String> log)
      throws IOException {
    Comparison comparison = new Comparison(plan, folder, steps, log);
    try {
      for (Contestant each : Contestant.values()) {
        log.accept("Starting " + each.title());
        Site site = Site.create(each, folder.resolve(each.label()), jvmOptions, Map.of());
        Server.format(site);
        comparison.servers.put(each, comparison.resources.add(Server.start(site)));
      }
      return comparison;
    } catch (IOException e) {
      throw comparison.resources.closeAfter(e);
    }
  }

  /** Measures everything. */
  public ComparisonReport run(Machine machine) throws IOException {
    log.accept(Report.head());
    List<Result> results = new ArrayList<>();
    Operation last = null;
    for (Plan.Item item : Plan.items()) {
      boolean first = item.operation() != last;
      last = item.operation();
      results.add(measure(item, first ? plan.firstWarmUp() : plan.firstWarmUp().dividedBy(2)));
    }
    return new ComparisonReport(machine, plan, results, echoes());
  }

  private Result measure(Plan.Item item, Duration firstWarmUp) throws IOException {
    List<Measurement> ofHdfs = new ArrayList<>();
    List<Measurement> ofAcacia = new ArrayList<>();
    for (int round = 0; round < plan.rounds(); round++) {
      for (Contestant each : Contestant.values()) {
        Duration warmUp = round == 0 ? firstWarmUp : plan.warmUp();
        Measurement measurement =
            bench(server(each), item, warmUp).measure(item.operation()).get(0);
        note(each.label(), measurement);
        (each == Contestant.HDFS ? ofHdfs : ofAcacia).add(measurement);
      }
    }
    return new Result(item, Figures.of(ofHdfs), Figures.of(ofAcacia));
  }

  private Server server(Contestant contestant) {
    return Objects.requireNonNull(servers.get(contestant), "each was started");
  }

  private void note(String server, Measurement measurement) {
    log.accept(Report.line(measurement) + "  " + server + " " + measurement.shape());
    for (String failure : Report.failures(measurement)) {
      log.accept(failure);
      failures.add(server + failure);
    }
  }

  /** A new one each time, as its names must not have been used before. */
  private Bench bench(Server server, Plan.Item item, Duration warmUp) {
    return bench(server.address(), server.pid(), server.replicas(), item, warmUp);
  }

  private Bench bench(
      InetSocketAddress address,
      long pid,
      @Nullable Replicas replicas,
      Plan.Item item,
      Duration warmUp) {
    BenchSettings settings =
        new BenchSettings(
            new BenchSettings.Target(address, OptionalLong.of(pid), ROOT),
            item.shape(),
            1,
            new BenchSettings.Times(warmUp, plan.duration()),
            plan.sizes(item.operation()),
            benches,
            true);
    return new Bench(settings, "run-" + benches++, replicas, steps);
  }

  /** What is left of a stat when a server has nothing to do for it. */
  private List<EchoResult> echoes() throws IOException {
    int bytes =
        bench(server(Contestant.ACACIA), Plan.echoItem(Plan.MANY_IN_FLIGHT), Duration.ZERO)
            .messageBytes(Operation.STAT);
    List<EchoResult> results = new ArrayList<>();
    for (int threads : Plan.echoThreads()) {
      try (Echo echo = Echo.start(folder.resolve("echo-" + threads), bytes, threads)) {
        for (Shape shape : List.of(Plan.MANY_IN_FLIGHT, Plan.MANY_CLIENTS)) {
          Duration warmUp = plan.firstWarmUp().dividedBy(2);
          Bench bench = bench(echo.address(), echo.pid(), null, Plan.echoItem(shape), warmUp);
          Measurement measurement = bench.measure(Operation.STAT).get(0);
          note("echo " + threads, measurement);
          results.add(new EchoResult(threads, shape, Figures.of(List.of(measurement))));
        }
      }
    }
    return results;
  }

  /** What went wrong; a figure with failures is none. */
  public List<String> failures() {
    return List.copyOf(failures);
  }

  @Override
  public void close() throws IOException {
    resources.close();
  }
}
