package io.acaciafs.bench.ha;

import io.acaciafs.bench.Steps;
import io.acaciafs.bench.compare.Comparison;
import io.acaciafs.bench.compare.Contestant;
import io.acaciafs.bench.compare.Machine;
import io.acaciafs.bench.compare.Plan;
import io.acaciafs.bench.compare.Result;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Compares three of Acacia's NameNodes with Hadoop's highly available ones: first what operations
 * cost while both are up, then failovers, one side after the other. For one thread.
 */
public final class HaComparison {
  private final Plan plan;
  private final Path folder;
  private final List<String> jvmOptions;
  private final Steps steps;
  private final Consumer<String> log;
  private final List<String> failures = new ArrayList<>();

  /**
   * @param folder for files
   * @param jvmOptions of all NameNodes
   * @param log is told of each measurement
   */
  public HaComparison(
      Plan plan, Path folder, List<String> jvmOptions, Steps steps, Consumer<String> log) {
    this.plan = plan;
    this.folder = folder;
    this.jvmOptions = jvmOptions;
    this.steps = steps;
    this.log = log;
  }

  /**
   * Measures everything.
   *
   * @param failovers of each kind and side
   * @param clients make a load while failovers are measured once more; 0: they are not
   */
  public HaReport run(Machine machine, int failovers, int clients) throws Exception {
    List<Result> results;
    try (Comparison comparison =
        Comparison.start(plan, folder, each -> start(each, "operations"), steps, log)) {
      results = comparison.measure(Plan.changes());
      failures.addAll(comparison.failures());
    }
    Map<Contestant, List<Failovers>> times = new EnumMap<>(Contestant.class);
    for (Contestant each : Contestant.values()) {
      try (HaGroup group = start(each, "failovers")) {
        List<Failovers> all = new ArrayList<>();
        all.add(failovers(group, each, failovers, 0));
        if (clients > 0) {
          all.add(failovers(group, each, failovers, clients));
        }
        times.put(each, all);
      }
    }
    return new HaReport(machine, plan, results, times);
  }

  private Failovers failovers(HaGroup group, Contestant contestant, int times, int clients)
      throws Exception {
    try (FailoverRun run =
        new FailoverRun(group, clients, told -> log.accept(contestant.title() + ": " + told))) {
      for (int i = 0; i < times; i++) {
        run.kill();
        run.handOver(); // to the one that was started before
      }
      return run.failovers();
    }
  }

  private HaGroup start(Contestant contestant, String purpose) throws IOException {
    Path own = folder.resolve(purpose).resolve(contestant.label());
    return contestant == Contestant.HDFS
        ? HdfsGroup.start(own, jvmOptions)
        : AcaciaGroup.start(own, jvmOptions);
  }

  /** What went wrong; a figure with failures is none. */
  public List<String> failures() {
    return List.copyOf(failures);
  }
}
