package io.acaciafs.bench.ha;

import io.acaciafs.bench.compare.Machine;
import io.acaciafs.bench.compare.MarkedSection;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Failovers of three of Acacia's NameNodes, with the settings of a site.
 *
 * @param settings of the NameNodes that are no defaults
 */
public record FailoverTimes(Machine machine, Map<String, String> settings, Failovers failovers) {
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
    try (HaGroup group = AcaciaGroup.start(folder, jvmOptions, plan.settings())) {
      return new FailoverTimes(
          machine, plan.settings(), Failovers.measure(group, plan.kills(), plan.handOvers(), log));
    }
  }

  /**
   * What is measured.
   *
   * @param handOvers before the kills
   * @param settings of the NameNodes
   */
  public record Plan(int kills, int handOvers, Map<String, String> settings) {
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
        + row("the leader is killed", failovers.killedMs())
        + row("leadership is handed over", failovers.handedOverMs());
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
