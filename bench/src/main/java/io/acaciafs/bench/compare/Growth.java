package io.acaciafs.bench.compare;

import io.acaciafs.bench.Bench;
import io.acaciafs.bench.BenchSettings;
import io.acaciafs.bench.Measurement;
import io.acaciafs.bench.Report;
import io.acaciafs.bench.Steps;
import io.acaciafs.bench.client.LoadGenerator;
import io.acaciafs.bench.client.Method;
import io.acaciafs.bench.client.Shape;
import io.acaciafs.bench.client.Span;
import io.acaciafs.bench.load.AnyLoadedFile;
import io.acaciafs.bench.workload.Operation;
import io.acaciafs.bench.workload.Sizes;
import io.acaciafs.bench.workload.Stage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FileUtil;

/**
 * Measures Acacia on namespaces of growing size: each is loaded into a folder of its own, served by
 * a process of its own, and removed. For one thread.
 */
public final class Growth {
  private static final Duration LOAD_LIMIT = Duration.ofHours(2);
  private static final Duration WARM_UP = Duration.ofSeconds(20);
  private static final Duration DURATION = Duration.ofSeconds(8);
  private static final int STARTS = 3;
  private static final String ROOT = "/bench";
  private static final Sizes SIZES = new Sizes(100, 3, 100, 4_000, 1);
  private static final Shape MUTATING = Plan.SOME_CLIENTS;
  private static final Shape READING = Plan.MANY_IN_FLIGHT;

  private final Path folder;
  private final List<String> jvmOptions;
  private final Map<String, String> settings;
  private final Steps steps;
  private final Consumer<String> log;

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

  /** Loads and measures one size. */
  public GrowthPoint measure(long files) throws IOException {
    Path here = folder.resolve("files-" + files);
    try {
      Site site = Site.create(Contestant.ACACIA, here, jvmOptions, settings);
      Server.format(site);
      log.accept(String.format("Loading %,d files", files));
      long begin = System.nanoTime();
      site.run(List.of("bench", "load", "--files=" + files), "load", LOAD_LIMIT);
      double loadSeconds = (System.nanoTime() - begin) / 1e9;
      long diskBytes = diskBytes(site.names());
      double firstCallMs = firstCallMs(site);
      try (Server server = Server.start(site)) {
        Map<String, Measurement> measured = measure(server, files);
        long residentBytes = Resident.bytes(server.pid());
        return new GrowthPoint(
            files, files / loadSeconds, diskBytes, firstCallMs, residentBytes, measured);
      }
    } finally {
      FileUtil.fullyDelete(here.toFile());
    }
  }

  private Map<String, Measurement> measure(Server server, long files) throws IOException {
    Map<String, Measurement> measured = new LinkedHashMap<>();
    Bench reading = bench(server, READING);
    Bench mutating = bench(server, MUTATING);
    note(measured, "stat", reading.measure(Operation.STAT));
    note(measured, "open", reading.measure(Operation.OPEN));
    for (Method method : List.of(Method.GET_FILE_INFO, Method.GET_BLOCK_LOCATIONS)) {
      String name = method == Method.GET_FILE_INFO ? "stat of any" : "open of any";
      Stage stage =
          new Stage(name, true, (slot, slots) -> new AnyLoadedFile(method, files, 7 * slot + 1));
      try (LoadGenerator generator = reading.connect(READING)) {
        note(
            measured,
            name,
            List.of(reading.measure(generator, stage, new Span(WARM_UP, DURATION))));
      }
    }
    note(measured, "create", mutating.measure(Operation.CREATE));
    note(measured, "create_write", mutating.measure(Operation.CREATE_WRITE));
    note(measured, "open_read", mutating.measure(Operation.OPEN_READ));
    return measured;
  }

  private void note(Map<String, Measurement> measured, String name, List<Measurement> found)
      throws IOException {
    Measurement only = found.get(0);
    log.accept(Report.line(only));
    if (!only.failures().isEmpty()) {
      throw new IOException(String.join("\n", Report.failures(only)));
    }
    measured.put(name, only);
  }

  private Bench bench(Server server, Shape shape) {
    BenchSettings bench =
        new BenchSettings(
            server.address(),
            OptionalLong.of(server.pid()),
            System.getProperty("user.name"),
            ROOT,
            shape,
            1,
            WARM_UP,
            DURATION,
            SIZES,
            1,
            true);
    return new Bench(bench, "run", server.replicas(), steps);
  }

  /** From the start of the process to the reply to a getFileInfo; the median of a few starts. */
  private double firstCallMs(Site site) throws IOException {
    List<Double> times = new ArrayList<>();
    for (int i = 0; i < STARTS; i++) {
      times.add(FirstCall.ms(site));
    }
    times.sort(null);
    return times.get(STARTS / 2);
  }

  private static long diskBytes(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(Files::isRegularFile).mapToLong(path -> path.toFile().length()).sum();
    }
  }
}
