package io.acaciafs.bench.compare;

import io.acaciafs.bench.Bench;
import io.acaciafs.bench.BenchSettings;
import io.acaciafs.bench.Measurement;
import io.acaciafs.bench.Report;
import io.acaciafs.bench.Steps;
import io.acaciafs.bench.client.Method;
import io.acaciafs.bench.client.Shape;
import io.acaciafs.bench.load.AnyLoadedFile;
import io.acaciafs.bench.workload.Operation;
import io.acaciafs.bench.workload.Sizes;
import io.acaciafs.bench.workload.Stage;
import io.acaciafs.namenode.process.ResourceStack;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Measures Acacia on namespaces of growing size. Each is loaded into a folder of its own and served
 * by a process of its own; all of them are there all the time and take turns, as the speed of the
 * machine changes. For one thread.
 */
public final class Growth {
  private static final Duration FIRST_WARM_UP = Duration.ofSeconds(20);
  private static final Duration WARM_UP = Duration.ofSeconds(3);
  private static final Duration DURATION = Duration.ofSeconds(6);
  private static final int ROUNDS = 5;
  private static final String ROOT = "/bench";
  private static final Sizes SIZES = new Sizes(100, 3, 100, 4_000, 1);
  private static final Shape MUTATING = Plan.SOME_CLIENTS;
  private static final Shape READING = Plan.MANY_IN_FLIGHT;

  private final Path folder;
  private final List<String> jvmOptions;
  private final Map<String, String> settings;
  private final Steps steps;
  private final Consumer<String> log;
  private int benches;

  /**
   * @param folder for all files; the caller removes it
   * @param settings of the NameNode, beside those that every benchmark needs
   * @param log is told of each measurement
   */
  public Growth(
      Path folder,
      List<String> jvmOptions,
      Map<String, String> settings,
      Steps steps,
      Consumer<String> log) {
    this.folder = folder;
    this.jvmOptions = List.copyOf(jvmOptions);
    this.settings = Map.copyOf(settings);
    this.steps = steps;
    this.log = log;
  }

  /**
   * Loads all sizes, and measures them.
   *
   * @return a table in Markdown
   */
  public String run(List<Long> sizes, Machine machine) throws IOException {
    List<LoadedNamespace> namespaces = new ArrayList<>();
    for (long files : sizes) {
      log.accept(String.format("Loading %,d files", files));
      Path here = folder.resolve("files-" + files);
      Site site = Site.create(Contestant.ACACIA, here, jvmOptions, settings);
      namespaces.add(LoadedNamespace.load(site, files));
    }
    try (ResourceStack resources = new ResourceStack()) {
      List<Served> all = new ArrayList<>();
      for (LoadedNamespace each : namespaces) {
        Server server = resources.add(Server.start(each.site()));
        all.add(new Served(each, server, new LinkedHashMap<>()));
      }
      for (Item item : items()) {
        measure(item, all);
      }
      List<GrowthPoint> points = new ArrayList<>();
      for (Served each : all) {
        points.add(each.point());
      }
      return String.format("%s.%nMedians of %d rounds, in turn.%n%n", machine.describe(), ROUNDS)
          + GrowthPoint.table(points);
    }
  }

  private void measure(Item item, List<Served> all) throws IOException {
    List<Served> order = new ArrayList<>(all);
    for (int round = 0; round < ROUNDS; round++) {
      for (Served each : order) {
        Bench bench = bench(each.server, item.shape, round == 0 ? FIRST_WARM_UP : WARM_UP);
        Measurement found = item.turn.measure(bench, each.namespace.files());
        log.accept(
            String.format("%s  %s of %,d", Report.line(found), item.name, each.namespace.files()));
        if (!found.failures().isEmpty()) {
          throw new IOException(String.join("\n", Report.failures(found)));
        }
        each.measured.computeIfAbsent(item.name, key -> new ArrayList<>()).add(found);
      }
      Collections.reverse(order); // who comes second finds the machine as the other one left it
    }
  }

  private static List<Item> items() {
    return List.of(
        own("stat", READING, Operation.STAT),
        own("open", READING, Operation.OPEN),
        any("stat of any", Method.GET_FILE_INFO),
        any("open of any", Method.GET_BLOCK_LOCATIONS),
        own("create", MUTATING, Operation.CREATE),
        own("create_write", MUTATING, Operation.CREATE_WRITE),
        own("open_read", MUTATING, Operation.OPEN_READ));
  }

  /** Works on files of the benchmark's own. */
  private static Item own(String name, Shape shape, Operation operation) {
    return new Item(name, shape, (bench, files) -> bench.measure(operation).get(0));
  }

  /** Asks about any of the loaded files. */
  private static Item any(String name, Method method) {
    return new Item(
        name,
        READING,
        (bench, files) ->
            bench.measure(
                new Stage(
                    name, true, (slot, slots) -> new AnyLoadedFile(method, files, 7 * slot + 1))));
  }

  /** A new one each time, as its names must not have been used before. */
  private Bench bench(Server server, Shape shape, Duration warmUp) {
    BenchSettings bench =
        new BenchSettings(
            new BenchSettings.Target(server.address(), server.pids(), ROOT),
            shape,
            1,
            new BenchSettings.Times(warmUp, DURATION),
            SIZES,
            1,
            true);
    return new Bench(bench, "run-" + benches++, server.replicas(), steps);
  }

  /** Puts a table into a page. */
  public static void write(Path page, String table) throws IOException {
    new MarkedSection("bench/growth").write(page, table);
  }

  /** One that is served, and what has been measured on it by name. */
  private record Served(
      LoadedNamespace namespace, Server server, Map<String, List<Measurement>> measured) {

    GrowthPoint point() throws IOException {
      Map<String, Figures> medians = new LinkedHashMap<>();
      measured.forEach((name, rounds) -> medians.put(name, Figures.of(rounds)));
      return new GrowthPoint(namespace, Resident.bytes(server.pid()), medians);
    }
  }

  /** What is measured, under its name in the table. */
  private record Item(String name, Shape shape, Turn turn) {}

  /** One measurement. */
  @FunctionalInterface
  private interface Turn {
    Measurement measure(Bench bench, long files) throws IOException;
  }
}
