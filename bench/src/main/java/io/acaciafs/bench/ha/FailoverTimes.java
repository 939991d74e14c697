package io.acaciafs.bench.ha;

import io.acaciafs.bench.compare.Machine;
import io.acaciafs.bench.compare.MarkedSection;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Failovers of three of Acacia's NameNodes, with the settings of a site.
 *
 * @param settings of the NameNodes that are no defaults
 * @param failovers without a load, and with one if there was one
 */
public record FailoverTimes(
    Machine machine, Map<String, String> settings, List<Failovers> failovers) {
  private static final MarkedSection SECTION = new MarkedSection("bench/failovers");

  /**
   * Starts three, and measures.
   *
   * @param folder for files
   * @param jvmOptions of all NameNodes
   * @param log is told of each failover
   */
  public static FailoverTimes run(
      Plan plan, Machine machine, Path folder, List<String> jvmOptions, Consumer<String> log)
      throws Exception {
    List<Failovers> failovers = new ArrayList<>();
    try (HaGroup group = AcaciaGroup.start(folder, jvmOptions, plan.settings())) {
      failovers.add(measure(group, plan, 0, log));
      if (plan.clients() > 0) {
        failovers.add(measure(group, plan, plan.clients(), log));
      }
    }
    return new FailoverTimes(machine, plan.settings(), failovers);
  }

  private static Failovers measure(HaGroup group, Plan plan, int clients, Consumer<String> log)
      throws Exception {
    try (FailoverRun run = new FailoverRun(group, clients, log)) {
      for (int i = 0; i < plan.handOvers(); i++) {
        run.handOver();
      }
      for (int i = 0; i < plan.kills(); i++) {
        run.kill();
      }
      return run.failovers();
    }
  }

  /**
   * What is measured.
   *
   * @param handOvers before the kills
   * @param clients make a load while all of that is measured once more; 0: it is not
   * @param settings of the NameNodes
   */
  public record Plan(int kills, int handOvers, int clients, Map<String, String> settings) {
    public Plan {
      settings = new TreeMap<>(settings);
    }
  }

  /** In Markdown. */
  public String table() {
    String chosen =
        settings.entrySet().stream()
            .map(each -> "`" + each.getKey() + "` = `" + each.getValue() + "`")
            .collect(Collectors.joining(", "));
    return machine.describe()
        + ".\nSettings: "
        + (chosen.isEmpty() ? "defaults" : chosen)
        + ".\n\n| | times | median ms | longest ms | all |\n|---|---|---|---|---|\n"
        + failovers.stream().map(FailoverTimes::rows).collect(Collectors.joining());
  }

  private static String rows(Failovers failovers) {
    String load = failovers.load().describe();
    return row("the leader is killed" + load, failovers.killedMs())
        + row("leadership is handed over" + load, failovers.handedOverMs());
  }

  private static String row(String what, List<Long> sortedMs) {
    if (sortedMs.isEmpty()) {
      return "";
    }
    String all = sortedMs.stream().map(ms -> "" + ms).collect(Collectors.joining(" "));
    return "| "
        + what
        + " | "
        + sortedMs.size()
        + " | "
        + Failovers.median(sortedMs)
        + " | "
        + Failovers.longest(sortedMs)
        + " | "
        + all
        + " |\n";
  }

  /** Puts the table between its marks in a page. */
  public void writeTo(Path page) throws IOException {
    SECTION.write(page, table());
  }
}
