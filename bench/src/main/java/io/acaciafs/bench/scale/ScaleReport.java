package io.acaciafs.bench.scale;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.acaciafs.bench.compare.Machine;
import io.acaciafs.bench.compare.MarkedSection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * What came out, for people and for machines.
 *
 * @param limits by what the servers were limited
 */
public record ScaleReport(ScalePlan plan, String limits, List<Measured> measured, List<Cut> cuts) {

  /**
   * A round.
   *
   * @param cutFor as many servers as the table was cut for
   */
  public record Measured(int cutFor, ScalePoint point) {}

  /**
   * The table was cut for so many servers, under load.
   *
   * @param longestMs the longest call meanwhile
   * @param failures of calls
   */
  public record Cut(int servers, double seconds, double longestMs, List<String> failures) {}

  /** Whether something failed; then the figures are none. */
  public boolean hasFailures() {
    return measured.stream().anyMatch(each -> !each.point.failures().isEmpty())
        || cuts.stream().anyMatch(cut -> !cut.failures().isEmpty());
  }

  /**
   * The median of all rounds by operation and number of servers, in the order of measurement; one
   * pair as it was beside the most.
   */
  Map<String, Map<Integer, ScalePoint>> byOperation() {
    Map<String, Map<Integer, List<ScalePoint>>> all = new LinkedHashMap<>();
    points().forEach(point -> put(all, point.servers(), point));
    return medians(all);
  }

  private Stream<ScalePoint> points() {
    return measured.stream()
        .filter(each -> each.point.servers() == each.cutFor || each.cutFor == plan.most())
        .map(Measured::point);
  }

  /** The same of one pair, by the number of servers beside which it was measured in turn. */
  private Map<String, Map<Integer, ScalePoint>> onePairs() {
    Map<String, Map<Integer, List<ScalePoint>>> all = new LinkedHashMap<>();
    measured.stream()
        .filter(each -> each.point.servers() == 1 && each.cutFor > 1)
        .forEach(each -> put(all, each.cutFor, each.point));
    return medians(all);
  }

  private static void put(
      Map<String, Map<Integer, List<ScalePoint>>> all, int servers, ScalePoint point) {
    all.computeIfAbsent(point.operation(), key -> new TreeMap<>())
        .computeIfAbsent(servers, key -> new ArrayList<>())
        .add(point);
  }

  private static Map<String, Map<Integer, ScalePoint>> medians(
      Map<String, Map<Integer, List<ScalePoint>>> all) {
    Map<String, Map<Integer, ScalePoint>> medians = new LinkedHashMap<>();
    all.forEach(
        (operation, byServers) -> {
          Map<Integer, ScalePoint> median = new TreeMap<>();
          byServers.forEach((servers, rounds) -> median.put(servers, median(rounds)));
          medians.put(operation, median);
        });
    return medians;
  }

  /** The slower one of two in the middle. */
  private static ScalePoint median(List<ScalePoint> rounds) {
    return rounds.stream()
        .sorted(Comparator.comparingDouble(ScalePoint::operationsPerSecond))
        .toList()
        .get((rounds.size() - 1) / 2);
  }

  private String rounds() {
    if (!plan.hasRoundsOfReads()) {
      return plan.rounds().count() == 1 ? "" : " Medians of " + plan.rounds().count() + " rounds.";
    }
    return " Reads: medians of "
        + plan.rounds().ofReads()
        + " rounds; all else: "
        + plan.rounds().count()
        + ".";
  }

  /**
   * What a second of a processor was worth at each number of servers, in the order of the plan, as
   * part of the most.
   */
  List<Double> worth() {
    List<Double> micros = new ArrayList<>();
    for (int servers : plan.site().servers()) {
      micros.add(
          points()
              .filter(point -> point.servers() == servers && point.processors().workMicros() > 0)
              .mapToDouble(point -> point.processors().workMicros())
              .average()
              .orElse(0));
    }
    double least = micros.stream().filter(each -> each > 0).min(Double::compare).orElse(0.0);
    return micros.stream().map(each -> each == 0 ? 0 : least / each).toList();
  }

  /** {@code {"servers": [...], "ops_per_second": {"list": [...], ...}}}, and what limited it. */
  public String json() {
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    ArrayNode servers = root.putArray("servers");
    plan.site().servers().forEach(servers::add);
    putFigures(root, byOperation());
    ArrayNode worth = root.putArray("worth_of_a_cpu_second");
    worth().forEach(part -> worth.add(Math.round(100 * part) / 100.0));
    root.put("percent_of_core", plan.site().percentOfCore());
    root.put("name_nodes", plan.site().nameNodes());
    root.put("layout", plan.site().layout());
    root.put("rounds", plan.rounds().count());
    root.put(
        "rounds_of_reads",
        plan.hasRoundsOfReads() ? plan.rounds().ofReads() : plan.rounds().count());
    ArrayNode longest = root.putArray("longest_call_while_cut_ms");
    cuts.forEach(cut -> longest.add(Math.round(cut.longestMs())));
    if (plan.hasOneInTurn()) {
      putFigures(root.putObject("one_pair_in_turn_with_the_others"), onePairs());
    }
    return root.toPrettyString();
  }

  private static void putFigures(
      ObjectNode root, Map<String, Map<Integer, ScalePoint>> byOperation) {
    ObjectNode rates = root.putObject("ops_per_second");
    ObjectNode limited = root.putObject("limited_by");
    ObjectNode used = root.putObject("servers_used");
    ObjectNode micros = root.putObject("servers_cpu_us_per_operation");
    ObjectNode work = root.putObject("cpu_us_of_a_piece_of_work");
    byOperation.forEach(
        (operation, byServers) -> {
          ArrayNode rate = rates.putArray(operation);
          ArrayNode by = limited.putArray(operation);
          ArrayNode part = used.putArray(operation);
          ArrayNode each = micros.putArray(operation);
          ArrayNode piece = work.putArray(operation);
          for (ScalePoint point : byServers.values()) {
            rate.add(Math.round(point.operationsPerSecond()));
            by.add(point.limit());
            part.add(Math.round(100 * point.processors().serversUsed()) / 100.0);
            each.add(Math.round(point.processors().serverMicros()));
            piece.add(Math.round(point.processors().workMicros()));
          }
        });
  }

  /** A table of Markdown. */
  public String table(Machine machine) {
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            Locale.ROOT,
            "%s. Each region server%s may use %d %% of a processor (%s), %d NameNode%s%s, layout"
                + " %s.%s%s%n%n",
            machine.describe(),
            plan.isNameNodeLimited() ? " with its NameNode" : "",
            plan.site().percentOfCore(),
            limits,
            plan.site().nameNodes(),
            plan.site().nameNodes() == 1 ? "" : "s",
            plan.isNameNodeLimited() ? "" : " without a limit",
            plan.site().layout(),
            plan.isNameNodeLimited()
                ? " Pairs that are not in use do the same on a namespace of their own."
                : "",
            rounds()));
    text.append("| operations a second |");
    plan.site().servers().forEach(servers -> text.append(" ").append(servers).append(" |"));
    text.append(" growth | of equal worth | limited by |\n|---|")
        .append("---|".repeat(plan.site().servers().size() + 3));
    text.append('\n');
    byOperation()
        .forEach((operation, byServers) -> text.append(line(operation, byServers)).append('\n'));
    text.append("\n| CPU us of the servers for one |");
    plan.site().servers().forEach(servers -> text.append(" ").append(servers).append(" |"));
    text.append("\n|---|").append("---|".repeat(plan.site().servers().size())).append('\n');
    byOperation()
        .forEach(
            (operation, byServers) -> {
              text.append("| ").append(operation).append(" |");
              byServers
                  .values()
                  .forEach(
                      point ->
                          text.append(
                              String.format(
                                  Locale.ROOT, " %,.0f |", point.processors().serverMicros())));
              text.append('\n');
            });
    text.append("| *worth of a CPU second* |");
    worth().forEach(part -> text.append(String.format(Locale.ROOT, " %.0f %% |", 100 * part)));
    text.append('\n');
    for (Cut cut : cuts) {
      text.append(
          String.format(
              Locale.ROOT,
              "%nCut for %d servers in %.0f s under load, the longest call meanwhile took %,.0f"
                  + " ms.%n",
              cut.servers(),
              cut.seconds(),
              cut.longestMs()));
    }
    return text.toString();
  }

  private String line(String operation, Map<Integer, ScalePoint> byServers) {
    StringBuilder line = new StringBuilder("| ").append(operation).append(" |");
    Set<String> limitedBy = new LinkedHashSet<>();
    for (ScalePoint point : byServers.values()) {
      line.append(String.format(Locale.ROOT, " %,.0f |", point.operationsPerSecond()));
      limitedBy.add(point.limit());
    }
    List<ScalePoint> measured = List.copyOf(byServers.values());
    ScalePoint first = measured.get(0);
    ScalePoint last = measured.get(measured.size() - 1);
    return line.append(String.format(Locale.ROOT, " %.1f |", last.growthFrom(first)))
        .append(String.format(Locale.ROOT, " %.1f |", last.growthOfEqualWorthFrom(first)))
        .append(' ')
        .append(String.join(", ", limitedBy))
        .append(" |")
        .toString();
  }

  /** Writes the table into a page, and the plot beside it. */
  public void writeTo(Path page, Machine machine) throws IOException {
    String picture = plan.name() + ".svg";
    new MarkedSection("bench/" + plan.name())
        .write(page, "\n" + table(machine) + "\n![" + plan.name() + "](" + picture + ")\n\n");
    Files.writeString(page.toAbsolutePath().resolveSibling(picture), ScalePlot.svg(this));
  }
}
