package io.acaciafs.bench.compare;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * What a comparison came to.
 *
 * @param echoes what a server can do at most for a stat
 */
public record ComparisonReport(
    Machine machine, Plan plan, List<Result> results, List<EchoResult> echoes) {
  private static final MarkedSection SECTION = new MarkedSection("bench/against-hdfs");

  /** One figure a kind, server and operation, as JSON. */
  public String json() {
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    ObjectNode operations = root.putObject("operations");
    for (Result result : results) {
      if (result.item().main()) {
        ObjectNode operation = operations.putObject(result.item().operation().label());
        put(operation.putObject(Contestant.HDFS.label()), result.hdfs());
        put(operation.putObject(Contestant.ACACIA.label()), result.acacia());
      }
    }
    return root.toPrettyString();
  }

  private static void put(ObjectNode node, Figures figures) {
    node.put("ops_per_second", rounded(figures.operationsPerSecond()));
    node.put("cpu_us", rounded(figures.cpuUs()));
    node.put("p99_us", rounded(figures.p99Us()));
  }

  private static double rounded(double value) {
    return Math.round(value * 100) / 100.0;
  }

  /** The whole table in Markdown. */
  public String table() {
    StringBuilder text = new StringBuilder(operations(machine, plan, results));
    text.append("\nThe echo, which does nothing for a stat:\n\n");
    text.append("| network threads | in flight | ops/s | CPU us |\n|---|---|---|---|\n");
    for (EchoResult echo : echoes) {
      text.append(
          String.format(
              Locale.ROOT,
              "| %d | %s | %,.0f | %.1f |%n",
              echo.threads(),
              echo.shape(),
              echo.figures().operationsPerSecond(),
              echo.figures().cpuUs()));
    }
    return text.toString();
  }

  /** Where and how it was measured, and a line for each operation, in Markdown. */
  public static String operations(Machine machine, Plan plan, List<Result> results) {
    StringBuilder text = new StringBuilder();
    text.append(machine.describe()).append(".\n");
    text.append(
        String.format(
            Locale.ROOT,
            "%d rounds of %d s each, in turn; medians. In flight: clients x calls of each.%n%n",
            plan.rounds(),
            plan.duration().toSeconds()));
    text.append("| operation | in flight | HDFS ops/s | Acacia ops/s | ratio |");
    text.append(" HDFS CPU us | Acacia CPU us | HDFS / Acacia | HDFS p99 us | Acacia p99 us |\n");
    text.append("|---|---|---|---|---|---|---|---|---|---|\n");
    for (Result result : results) {
      text.append(row(result));
    }
    return text.toString();
  }

  private static String row(Result result) {
    return String.format(
        Locale.ROOT,
        "| %s | %s | %,.0f | %,.0f | %.1f | %.1f | %.1f | %.1f | %,.0f | %,.0f |%n",
        result.item().operation().label(),
        result.item().shape(),
        result.hdfs().operationsPerSecond(),
        result.acacia().operationsPerSecond(),
        result.throughputRatio(),
        result.hdfs().cpuUs(),
        result.acacia().cpuUs(),
        result.cpuRatio(),
        result.hdfs().p99Us(),
        result.acacia().p99Us());
  }

  /** Puts the table between its marks in a page. */
  public void writeTo(Path page) throws IOException {
    SECTION.write(page, table());
  }
}
