package io.acaciafs.bench.compare;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.acaciafs.bench.Bench;
import io.acaciafs.bench.BenchSettings;
import io.acaciafs.bench.Steps;
import io.acaciafs.bench.client.Shape;
import io.acaciafs.bench.workload.Operation;
import io.acaciafs.bench.workload.Sizes;
import io.acaciafs.namenode.process.ResourceStack;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * What one bad client does to the others: it lists a large directory on 64 connections without end,
 * page by page, while another client asks for the status of files, one call at a time. Each
 * NameNode in turn has a processor for itself and the clients another; the bad client gets what the
 * other leaves of theirs (Linux's SCHED_IDLE), as if it were a machine of its own. For one thread.
 */
public final class BadClient {
  private static final String SERVER_PROCESSOR = "1";
  private static final String CLIENT_PROCESSOR = "0";
  private static final Duration START_LIMIT = Duration.ofMinutes(1);

  /** For a client's JVM to start and its connections to be made. */
  private static final Duration CLIENT_START = Duration.ofSeconds(6);

  private static final Sizes LARGE = new Sizes(1, 1, 100_000, 1, 1);
  private static final Sizes ORDINARY = new Sizes(10, 1, 100, 1, 1);

  private final Path folder;
  private final Duration warmUp;
  private final Duration duration;
  private final List<String> jvmOptions;
  private final Steps steps;
  private final Consumer<String> log;

  /**
   * @param folder for all files; the caller removes it
   * @param duration of each measurement
   * @param jvmOptions of both NameNodes
   * @param log is told of each measurement
   */
  public BadClient(
      Path folder,
      Duration warmUp,
      Duration duration,
      List<String> jvmOptions,
      Steps steps,
      Consumer<String> log) {
    this.folder = folder;
    this.warmUp = warmUp;
    this.duration = duration;
    this.jvmOptions = List.copyOf(jvmOptions);
    this.steps = steps;
    this.log = log;
  }

  /** One NameNode and how it is set up. */
  private record Case(Contestant contestant, String label, String title, Map<String, String> set) {}

  private static final List<Case> CASES =
      List.of(
          new Case(Contestant.HDFS, "hdfs", "Hadoop's NameNode", Map.of()),
          new Case(Contestant.ACACIA, "acacia", "Acacia", Map.of()),
          new Case(
              Contestant.ACACIA,
              "acacia_nothing_kept",
              "Acacia, no replies kept",
              Map.of("acacia.rpc.reply.cache", "0")));

  /** The labels of what there is to measure. */
  public static List<String> labels() {
    return CASES.stream().map(Case::label).toList();
  }

  /**
   * Measures NameNodes.
   *
   * @param labels which
   */
  public BadClientReport run(List<String> labels, Machine machine) throws IOException {
    List<BadClientReport.Row> rows = new ArrayList<>();
    for (Case each : CASES) {
      if (labels.contains(each.label())) {
        rows.add(measure(each));
        log.accept(rows.get(rows.size() - 1).line());
      }
    }
    return new BadClientReport(machine, duration, rows);
  }

  private BadClientReport.Row measure(Case each) throws IOException {
    Site site =
        Site.create(each.contestant(), folder.resolve(each.label()), jvmOptions, each.set())
            .behind(List.of("taskset", "-c", SERVER_PROCESSOR));
    steps.begin("start " + each.title());
    Server.format(site);
    try (Server server = Server.start(site)) {
      prepare(server, "/large", LARGE);
      prepare(server, "/ordinary", ORDINARY);
      JsonNode idle = ordinary(site, "idle");
      try (ResourceStack resources = new ResourceStack()) {
        JavaProgram bad = resources.add(bad(site));
        JsonNode beside = ordinary(site, "beside");
        steps.begin("the bad client ends");
        bad.awaitSuccess(START_LIMIT.plus(duration));
        return new BadClientReport.Row(
            each.label(),
            each.title(),
            latency(idle),
            latency(beside),
            result(site, "bad").path("ops_per_second").asDouble());
      }
    }
  }

  private void prepare(Server server, String root, Sizes sizes) throws IOException {
    BenchSettings settings =
        new BenchSettings(
            new BenchSettings.Target(server.address(), List.of(), root),
            new Shape(1, 1),
            1,
            new BenchSettings.Times(Duration.ZERO, Duration.ZERO),
            sizes,
            1,
            true);
    new Bench(settings, "none", null, steps).prepareReads();
  }

  /** Runs the client that is not to suffer, to its end. */
  private JsonNode ordinary(Site site, String output) throws IOException {
    steps.begin("stat, " + output);
    Site client = site.behind(List.of("taskset", "-c", CLIENT_PROCESSOR));
    try (JavaProgram program =
        client.client(
            arguments(site, Operation.STAT, "ordinary", ORDINARY, new Shape(1, 1), duration),
            output)) {
      program.awaitSuccess(START_LIMIT.plus(warmUp).plus(duration));
    }
    return result(site, output);
  }

  /** It is there from before the other client comes until after it has gone. */
  private JavaProgram bad(Site site) throws IOException {
    Duration whole = duration.plus(warmUp).plus(CLIENT_START);
    return site.behind(List.of("taskset", "-c", CLIENT_PROCESSOR, "chrt", "--idle", "0"))
        .client(
            arguments(site, Operation.LIST_PAGES, "large", LARGE, new Shape(64, 1), whole), "bad");
  }

  private List<String> arguments(
      Site site, Operation operation, String name, Sizes sizes, Shape shape, Duration length) {
    return List.of(
        "bench",
        operation.label(),
        "-fs=hdfs://127.0.0.1:" + site.address().getPort(),
        "--user=" + name,
        "--root=/" + name,
        "--connections=" + shape.connections(),
        "--in-flight=" + shape.callsInFlight(),
        "--warm-up=" + warmUp.toMillis() / 1e3,
        "--duration=" + length.toMillis() / 1e3,
        "--directories=" + sizes.directories(),
        "--depth=" + sizes.depth(),
        "--files-per-directory=" + sizes.filesPerDirectory(),
        "--keep",
        "--json");
  }

  private static JsonNode result(Site site, String output) throws IOException {
    String text = Files.readString(site.folder().resolve(output));
    // the JVM may have said something before
    JsonNode operations =
        new ObjectMapper().readTree(text.substring(text.indexOf("{"))).path("operations");
    return operations.elements().next();
  }

  private static BadClientReport.Latency latency(JsonNode result) {
    return new BadClientReport.Latency(
        result.path("ops_per_second").asDouble(),
        result.path("p50_us").asDouble(),
        result.path("p99_us").asDouble());
  }
}
