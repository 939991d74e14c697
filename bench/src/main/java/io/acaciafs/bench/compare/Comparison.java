package io.acaciafs.bench.compare;

import io.acaciafs.bench.Bench;
import io.acaciafs.bench.BenchSettings;
import io.acaciafs.bench.Measurement;
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
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs a comparison: both sides are there all the time, and take turns: while one is measured the
 * other has nothing to do. For one thread.
 */
public final class Comparison implements AutoCloseable {
  private static final String ROOT = "/bench";

  private final ResourceStack resources = new ResourceStack();
  private final Map<Contestant, Contender> contenders = new EnumMap<>(Contestant.class);
  private final Plan plan;
  private final Path folder;
  private final Steps steps;
  private final Consumer<String> log;
  private final MeasurementLog measurements;
  private int benches;

  private Comparison(Plan plan, Path folder, Steps steps, Consumer<String> log) {
    this.plan = plan;
    this.folder = folder;
    this.steps = steps;
    this.log = log;
    measurements = new MeasurementLog(log);
  }

  /** Starts one side. */
  @FunctionalInterface
  public interface Starter {
    Contender start(Contestant contestant) throws IOException;
  }

  /**
   * Starts one server on each side.
   *
   * @param folder for their files, both on the same disk
   * @param jvmOptions the same for both
   * @param log is told of each measurement
   */
  public static Comparison start(
      Plan plan, Path folder, List<String> jvmOptions, Steps steps, Consumer<String> log)
      throws IOException {
    return start(
        plan,
        folder,
        each -> {
          Site site = Site.create(each, folder.resolve(each.label()), jvmOptions, Map.of());
          Server.format(site);
          return Server.start(site);
        },
        steps,
        log);
  }

  /**
   * Starts both sides.
   *
   * @param folder for files
   * @param log is told of each measurement
   */
  public static Comparison start(
      Plan plan, Path folder, Starter starter, Steps steps, Consumer<String> log)
      throws IOException {
    Comparison comparison = new Comparison(plan, folder, steps, log);
    try {
      for (Contestant each : Contestant.values()) {
        log.accept("Starting " + each.title());
        comparison.contenders.put(each, comparison.resources.add(starter.start(each)));
      }
      return comparison;
    } catch (IOException e) {
      throw comparison.resources.closeAfter(e);
    }
  }

  /** Measures everything, and the echo. */
  public ComparisonReport run(Machine machine) throws IOException {
    List<Result> results = measure(Plan.items());
    return new ComparisonReport(machine, plan, results, echoes());
  }

  /** Measures some operations. */
  public List<Result> measure(List<Plan.Item> items) throws IOException {
    measurements.begin();
    List<Result> results = new ArrayList<>();
    Operation last = null;
    for (Plan.Item item : items) {
      boolean first = item.operation() != last;
      last = item.operation();
      results.add(measure(item, first ? plan.firstWarmUp() : plan.firstWarmUp().dividedBy(2)));
    }
    return results;
  }

  private Result measure(Plan.Item item, Duration firstWarmUp) throws IOException {
    List<Measurement> ofHdfs = new ArrayList<>();
    List<Measurement> ofAcacia = new ArrayList<>();
    for (int round = 0; round < plan.rounds(); round++) {
      for (Contestant each : Contestant.values()) {
        Duration warmUp = round == 0 ? firstWarmUp : plan.warmUp();
        Measurement measurement =
            bench(contender(each), item, warmUp).measure(item.operation()).get(0);
        measurements.note(each.label(), measurement.shape().toString(), measurement);
        (each == Contestant.HDFS ? ofHdfs : ofAcacia).add(measurement);
      }
    }
    return new Result(item, Figures.of(ofHdfs), Figures.of(ofAcacia));
  }

  private Contender contender(Contestant contestant) {
    return Objects.requireNonNull(contenders.get(contestant), "each was started");
  }

  /** A new one each time, as its names must not have been used before. */
  private Bench bench(Contender contender, Plan.Item item, Duration warmUp) throws IOException {
    return bench(contender.address(), contender.pids(), contender.replicas(), item, warmUp);
  }

  private Bench bench(
      InetSocketAddress address,
      List<Long> pids,
      @Nullable Replicas replicas,
      Plan.Item item,
      Duration warmUp) {
    BenchSettings settings =
        new BenchSettings(
            new BenchSettings.Target(address, pids, ROOT),
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
        bench(contender(Contestant.ACACIA), Plan.echoItem(Plan.MANY_IN_FLIGHT), Duration.ZERO)
            .messageBytes(Operation.STAT);
    List<EchoResult> results = new ArrayList<>();
    for (int threads : Plan.echoThreads()) {
      try (Echo echo = Echo.start(folder.resolve("echo-" + threads), bytes, threads)) {
        for (Shape shape : List.of(Plan.MANY_IN_FLIGHT, Plan.MANY_CLIENTS)) {
          Duration warmUp = plan.firstWarmUp().dividedBy(2);
          Bench bench =
              bench(echo.address(), List.of(echo.pid()), null, Plan.echoItem(shape), warmUp);
          Measurement measurement = bench.measure(Operation.STAT).get(0);
          measurements.note("echo " + threads, shape.toString(), measurement);
          results.add(new EchoResult(threads, shape, Figures.of(List.of(measurement))));
        }
      }
    }
    return results;
  }

  /** What went wrong; a figure with failures is none. */
  public List<String> failures() {
    return measurements.failures();
  }

  @Override
  public void close() throws IOException {
    resources.close();
  }
}
