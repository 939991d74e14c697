package io.acaciafs.bench.scale;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.acaciafs.bench.Bench;
import io.acaciafs.bench.BenchSettings;
import io.acaciafs.bench.Measurement;
import io.acaciafs.bench.Steps;
import io.acaciafs.bench.client.Shape;
import io.acaciafs.bench.compare.Contestant;
import io.acaciafs.bench.compare.Figures;
import io.acaciafs.bench.compare.Machine;
import io.acaciafs.bench.compare.MarkedSection;
import io.acaciafs.bench.compare.MeasurementLog;
import io.acaciafs.bench.compare.Server;
import io.acaciafs.bench.compare.Site;
import io.acaciafs.bench.workload.Operation;
import io.acaciafs.bench.workload.Replicas;
import io.acaciafs.bench.workload.Sizes;
import io.acaciafs.kv.hbase.local.LocalHBase;
import io.acaciafs.kv.hbase.local.TablePieces;
import io.acaciafs.namenode.process.ResourceStack;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * What one operation costs a pair of a NameNode and a region server, with the coprocessor and
 * without, beside Hadoop's NameNode and Acacia's on RocksDB. None has a limit, all compile with all
 * compilers, and all are up and take turns. For one thread.
 */
public final class PairCosts implements AutoCloseable {
  private static final MarkedSection SECTION = new MarkedSection("bench/pair");
  private static final String ROOT = "/bench";
  private static final Shape SHAPE = new Shape(4, 256);
  private static final int SERVER_HEAP_MB = 1024;
  private static final List<String> JVM_OPTIONS = List.of("-Xms1g", "-Xmx1g");

  /** What is measured unless it is chosen. */
  public static final List<Operation> OPERATIONS =
      List.of(
          Operation.STAT,
          Operation.OPEN,
          Operation.LIST,
          Operation.CREATE,
          Operation.MKDIR,
          Operation.DELETE);

  /** What takes turns. */
  private enum Side {
    HDFS("Hadoop's NameNode"),
    ROCKSDB("Acacia on RocksDB"),
    STOCK("Acacia on HBase, without coprocessor"),
    COPROCESSOR("Acacia on HBase");

    private final String title;

    Side(String title) {
      this.title = title;
    }

    String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * How long.
   *
   * @param rounds turns of each side at each operation
   * @param firstWarmUp before the first of them
   * @param warmUp before each further one
   * @param files that a measurement of delete removes
   */
  public record Plan(
      List<Operation> operations,
      int rounds,
      Duration firstWarmUp,
      Duration warmUp,
      Duration duration,
      int files) {
    public static Plan quick(List<Operation> operations) {
      return new Plan(
          operations,
          3,
          Duration.ofSeconds(15),
          Duration.ofSeconds(2),
          Duration.ofSeconds(4),
          15_000);
    }

    public static Plan thorough(List<Operation> operations) {
      return new Plan(
          operations,
          5,
          Duration.ofSeconds(60),
          Duration.ofSeconds(5),
          Duration.ofSeconds(10),
          100_000);
    }
  }

  /** A server that is up. */
  private record Running(BenchSettings.Target target, Replicas replicas) {}

  private final Plan plan;
  private final Steps steps;
  private final Consumer<String> log;
  private final MeasurementLog measurements;
  private final ResourceStack resources = new ResourceStack();
  private final Map<Side, Running> sides = new EnumMap<>(Side.class);
  private int benches;

  private PairCosts(Plan plan, Steps steps, Consumer<String> log) {
    this.plan = plan;
    this.steps = steps;
    this.log = log;
    this.measurements = new MeasurementLog(log);
  }

  /**
   * What came of it.
   *
   * @param json the CPU that each of the two processes on HBase takes for an operation, as the
   *     model reads it
   * @param failures a figure with failures is none
   */
  public record Outcome(String table, String json, List<String> failures) {
    /** Puts the table between its marks in a page. */
    public void writeTo(Path page) throws IOException {
      SECTION.write(page, table);
    }
  }

  /**
   * Measures everything.
   *
   * @param folder for files
   * @param log is told of each measurement
   */
  public static Outcome run(
      Plan plan, Machine machine, Path folder, Steps steps, Consumer<String> log)
      throws IOException {
    try (PairCosts costs = new PairCosts(plan, steps, log)) {
      costs.start(folder);
      Map<Operation, Map<Side, List<Measurement>>> results = new LinkedHashMap<>();
      costs.measurements.begin();
      for (Operation operation : plan.operations) {
        results.put(operation, costs.measure(operation));
      }
      return new Outcome(
          costs.table(machine, results), json(machine, results), costs.measurements.failures());
    }
  }

  private void start(Path folder) throws IOException {
    startAlone(Side.HDFS, Contestant.HDFS, folder);
    startAlone(Side.ROCKSDB, Contestant.ACACIA, folder);
    log.accept("Starting HBase with a region server for each table");
    LocalHBase hbase =
        resources.add(BenchHBase.start(folder.resolve("hbase"), 2, SERVER_HEAP_MB, List.of()));
    startPair(Side.STOCK, hbase, 0, "none", folder);
    startPair(Side.COPROCESSOR, hbase, 1, "classpath", folder);
  }

  private void startAlone(Side side, Contestant contestant, Path folder) throws IOException {
    log.accept("Starting " + side.title);
    start(
        side,
        Site.create(contestant, folder.resolve(side.label()), JVM_OPTIONS, Map.of()),
        List.of());
  }

  private void startPair(Side side, LocalHBase hbase, int server, String coprocessor, Path folder)
      throws IOException {
    log.accept("Starting " + side.title);
    start(
        side,
        Site.create(
            Contestant.ACACIA,
            folder.resolve(side.label()),
            JVM_OPTIONS,
            BenchHBase.storeSettings(hbase, side.label(), coprocessor)),
        List.of(hbase.serverPids().get(server)));
    TablePieces table = resources.add(TablePieces.of(hbase, side.label()));
    table.deal(hbase.serverPorts().subList(server, server + 1), List.of());
  }

  private void start(Side side, Site site, List<Long> others) throws IOException {
    Server.format(site);
    Server server = resources.add(Server.start(site));
    List<Long> pids = new ArrayList<>(server.pids());
    pids.addAll(others);
    sides.put(
        side,
        new Running(new BenchSettings.Target(server.address(), pids, ROOT), server.replicas()));
  }

  private Map<Side, List<Measurement>> measure(Operation operation) throws IOException {
    Map<Side, List<Measurement>> rounds = new EnumMap<>(Side.class);
    for (int round = 0; round < plan.rounds; round++) {
      for (Side side : Side.values()) {
        Measurement measurement =
            bench(side, round == 0 ? plan.firstWarmUp : plan.warmUp).measure(operation).get(0);
        measurements.note(side.label(), SHAPE.toString(), measurement);
        rounds.computeIfAbsent(side, same -> new ArrayList<>()).add(measurement);
      }
    }
    return rounds;
  }

  /** A new one each time, as its names must not have been used before. */
  private Bench bench(Side side, Duration warmUp) {
    Running running = Objects.requireNonNull(sides.get(side), "each was started");
    return new Bench(
        new BenchSettings(
            running.target(),
            SHAPE,
            1,
            new BenchSettings.Times(warmUp, plan.duration),
            new Sizes(256, 2, 20, plan.files, 1),
            benches,
            true),
        "run-" + benches++,
        running.replicas(),
        steps);
  }

  private String table(Machine machine, Map<Operation, Map<Side, List<Measurement>>> results) {
    StringBuilder text = new StringBuilder("\n");
    text.append(machine.describe()).append(".\n");
    text.append(plan.rounds)
        .append(" rounds of ")
        .append(plan.duration.toSeconds())
        .append(" s each, in turn; medians. ")
        .append(SHAPE.connections() * SHAPE.callsInFlight())
        .append(" calls in flight.\n\n");
    text.append("| CPU us of all servers for one");
    for (Side side : Side.values()) {
      text.append(" | ").append(side.title);
    }
    text.append(" | with / without coprocessor |\n|---|");
    text.append("---|".repeat(Side.values().length + 1)).append('\n');
    results.forEach(
        (operation, rounds) -> {
          text.append("| ").append(operation.label());
          for (Side side : Side.values()) {
            text.append(String.format(Locale.ROOT, " | %.1f", cpu(rounds, side)));
          }
          text.append(
              String.format(
                  Locale.ROOT,
                  " | %.2f |\n",
                  cpu(rounds, Side.COPROCESSOR) / cpu(rounds, Side.STOCK)));
        });
    return text.append('\n').toString();
  }

  private static double cpu(Map<Side, List<Measurement>> rounds, Side side) {
    return Figures.of(roundsOf(rounds, side)).cpuUs();
  }

  private static List<Measurement> roundsOf(Map<Side, List<Measurement>> rounds, Side side) {
    return Objects.requireNonNull(rounds.get(side), "each was measured");
  }

  private static String json(
      Machine machine, Map<Operation, Map<Side, List<Measurement>>> results) {
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    root.put("measured", machine.date().toString());
    root.put("command", "bench/pair");
    root.put("host", machine.describe());
    ObjectNode operations = root.putObject("operations");
    results.forEach(
        (operation, rounds) -> {
          List<Measurement> pair = roundsOf(rounds, Side.COPROCESSOR);
          ObjectNode costs = operations.putObject(operation.label());
          costs.put("nameNodeCpuUs", medianOfProcess(pair, 0));
          costs.put("regionServerCpuUs", medianOfProcess(pair, 1));
        });
    return root.toPrettyString() + "\n";
  }

  /** To a tenth of a microsecond. */
  private static double medianOfProcess(List<Measurement> rounds, int process) {
    double median = Figures.median(rounds, each -> each.processCpuUs().get(process));
    return Math.round(10 * median) / 10.0;
  }

  @Override
  public void close() throws IOException {
    resources.close();
  }
}
