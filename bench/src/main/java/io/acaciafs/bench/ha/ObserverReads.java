package io.acaciafs.bench.ha;

import io.acaciafs.bench.Bench;
import io.acaciafs.bench.BenchSettings;
import io.acaciafs.bench.Measurement;
import io.acaciafs.bench.Steps;
import io.acaciafs.bench.client.Span;
import io.acaciafs.bench.compare.Contestant;
import io.acaciafs.bench.compare.Figures;
import io.acaciafs.bench.compare.Machine;
import io.acaciafs.bench.compare.MarkedSection;
import io.acaciafs.bench.compare.MeasurementLog;
import io.acaciafs.bench.compare.Plan;
import io.acaciafs.bench.compare.Server;
import io.acaciafs.bench.compare.Site;
import io.acaciafs.bench.sasl.Credentials;
import io.acaciafs.bench.scale.LimitedLoad;
import io.acaciafs.bench.scale.ScalePoint;
import io.acaciafs.bench.workload.Operation;
import io.acaciafs.bench.workload.Stage;
import io.acaciafs.namenode.process.ResourceStack;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a read costs one NameNode alone, and each of three: all are up, and take turns. Then how
 * many reads one serves, and three at once, each with the same share of a processor. For one
 * thread.
 */
public final class ObserverReads implements AutoCloseable {
  private static final MarkedSection SECTION = new MarkedSection("bench/observers");
  private static final String ROOT = "/bench";
  private static final String ALONE = "alone";
  private static final String LEADER = "leader";

  /** Each state covers it: what an observer has applied is later. */
  private static final long SEEN = 1;

  private static final List<Operation> READS =
      List.of(Operation.STAT, Operation.OPEN, Operation.LIST);

  private final Plan plan;
  private final Steps steps;
  private final Consumer<String> log;
  private final MeasurementLog measurements;
  private final List<String> failures = new ArrayList<>();
  private final LimitedLoad limited;
  private final ResourceStack resources = new ResourceStack();

  /** In the order of their turns. */
  private final Map<String, BenchSettings.Target> servers = new LinkedHashMap<>();

  private ObserverReads(Plan plan, int percentOfCore, Steps steps, Consumer<String> log)
      throws IOException {
    this.plan = plan;
    this.steps = steps;
    this.log = log;
    measurements = new MeasurementLog(log);
    limited = resources.add(new LimitedLoad(percentOfCore)); // which ends after the NameNodes
  }

  /**
   * Measures everything.
   *
   * @param percentOfCore what each may use of a processor when three serve at once
   * @param folder for files
   * @param jvmOptions of all NameNodes
   * @param log is told of each measurement
   * @return the table in Markdown, and what went wrong
   */
  public static Outcome run(
      Plan plan,
      int percentOfCore,
      Machine machine,
      Path folder,
      List<String> jvmOptions,
      Steps steps,
      Consumer<String> log)
      throws IOException {
    try (ObserverReads reads = new ObserverReads(plan, percentOfCore, steps, log)) {
      reads.start(folder, jvmOptions);
      String table = reads.table(machine);
      reads.failures.addAll(reads.measurements.failures());
      return new Outcome(table, reads.failures);
    }
  }

  /**
   * What came of it.
   *
   * @param failures a figure with failures is none
   */
  public record Outcome(String table, List<String> failures) {
    /** Puts the table between its marks in a page. */
    public void writeTo(Path page) throws IOException {
      SECTION.write(page, table);
    }
  }

  private void start(Path folder, List<String> jvmOptions) throws IOException {
    Site site = Site.create(Contestant.ACACIA, folder.resolve(ALONE), jvmOptions, Map.of());
    Server.format(site);
    Server alone = resources.add(Server.start(site));
    servers.put(ALONE, new BenchSettings.Target(alone.address(), alone.pids(), ROOT));
    AcaciaGroup group = resources.add(AcaciaGroup.start(folder.resolve("three"), jvmOptions));
    String leader = group.nameservice.awaitActive();
    servers.put(LEADER, target(group, leader, 0));
    for (String id : AcaciaGroup.IDS) {
      if (!id.equals(leader)) {
        servers.put(id, target(group, id, SEEN));
      }
    }
    for (BenchSettings.Target each : servers.values()) {
      limited.add(each);
    }
    bench(ALONE, Operation.STAT, Duration.ZERO).prepareReads();
    bench(LEADER, Operation.STAT, Duration.ZERO).prepareReads();
  }

  private static BenchSettings.Target target(AcaciaGroup group, String id, long seenState) {
    InetSocketAddress address = group.nameservice.address(id);
    return new BenchSettings.Target(
        address,
        List.of(group.pid(id)),
        Credentials.named(System.getProperty("user.name")),
        ROOT,
        seenState);
  }

  private BenchSettings.Target target(String server) {
    return Objects.requireNonNull(servers.get(server), server);
  }

  private Bench bench(String server, Operation operation, Duration warmUp) {
    BenchSettings settings =
        new BenchSettings(
            target(server),
            Plan.MANY_IN_FLIGHT,
            1,
            new BenchSettings.Times(warmUp, plan.duration()),
            plan.sizes(operation),
            0,
            true);
    return new Bench(settings, "reads", null, steps);
  }

  private String table(Machine machine) throws IOException {
    StringBuilder text = new StringBuilder(machine.describe()).append(".\n");
    text.append(
        String.format(
            Locale.ROOT,
            "%d rounds of %d s each, in turn, %s calls in flight at each NameNode; medians: CPU us a"
                + " read, then reads a second with a limit of %s for each.%n%n",
            plan.rounds(),
            plan.duration().toSeconds(),
            Plan.MANY_IN_FLIGHT,
            limited.describe()));
    text.append("| operation | one NameNode | leader of three | an observer | the other |");
    text.append(" reads of three / of one by CPU | one, limited, reads/s | three at once |");
    text.append(" three / one | limited by |\n|---|---|---|---|---|---|---|---|---|---|\n");
    measurements.begin();
    for (Operation operation : READS) {
      text.append(row(operation));
    }
    return text.toString();
  }

  private String row(Operation operation) throws IOException {
    Map<String, List<Measurement>> rounds = new LinkedHashMap<>();
    for (int round = 0; round < plan.rounds(); round++) {
      Duration warmUp = round == 0 ? plan.firstWarmUp() : plan.warmUp();
      for (String server : servers.keySet()) {
        Measurement measurement = bench(server, operation, warmUp).measure(operation).get(0);
        measurements.note(server, "", measurement);
        rounds.computeIfAbsent(server, key -> new ArrayList<>()).add(measurement);
      }
    }
    List<Double> cpuUs = rounds.values().stream().map(each -> Figures.of(each).cpuUs()).toList();
    double alone = cpuUs.get(0);
    double three = cpuUs.subList(1, cpuUs.size()).stream().mapToDouble(each -> alone / each).sum();
    return String.format(
        Locale.ROOT,
        "| %s | %.2f | %.2f | %.2f | %.2f | %.1f | %s |%n",
        operation.label(),
        alone,
        cpuUs.get(1),
        cpuUs.get(2),
        cpuUs.get(3),
        three,
        limited(operation));
  }

  private String limited(Operation operation) throws IOException {
    Stage stage = bench(ALONE, operation, Duration.ZERO).prepare(operation).measured().get(0);
    List<BenchSettings.Target> three = new ArrayList<>(servers.values());
    List<BenchSettings.Target> alone = List.of(target(ALONE));
    three.removeAll(alone);
    List<ScalePoint> ofAlone = new ArrayList<>();
    List<ScalePoint> ofThree = new ArrayList<>();
    for (int round = 0; round < plan.rounds(); round++) {
      ofAlone.add(measure(alone, stage));
      ofThree.add(measure(three, stage));
    }
    return cells(ofAlone, ofThree);
  }

  private ScalePoint measure(List<BenchSettings.Target> nameNodes, Stage stage) throws IOException {
    Span span = new Span(plan.warmUp(), plan.duration());
    ScalePoint point = limited.measure(nameNodes, Plan.MANY_IN_FLIGHT, stage, span);
    log.accept(
        String.format(
            Locale.ROOT,
            "%s: %d limited, %,.0f/s; used %.0f %% of their limit, client %.2f cores; limited by %s",
            stage.name(),
            point.servers(),
            point.operationsPerSecond(),
            100 * point.processors().serversUsed(),
            point.processors().clientCores(),
            point.limit()));
    point.failures().forEach(log);
    failures.addAll(point.failures());
    return point;
  }

  /** The last columns of a row, of rounds. */
  static String cells(List<ScalePoint> ofAlone, List<ScalePoint> ofThree) {
    double alone = median(ofAlone);
    double three = median(ofThree);
    String limits =
        Stream.concat(ofAlone.stream(), ofThree.stream())
            .map(ScalePoint::limit)
            .distinct()
            .collect(Collectors.joining(", "));
    return String.format(
        Locale.ROOT, "%,.0f | %,.0f | %.1f | %s", alone, three, three / alone, limits);
  }

  private static double median(List<ScalePoint> rounds) {
    return rounds.stream()
        .map(ScalePoint::operationsPerSecond)
        .sorted()
        .toList()
        .get(rounds.size() / 2);
  }

  @Override
  public void close() throws IOException {
    resources.close();
  }
}
