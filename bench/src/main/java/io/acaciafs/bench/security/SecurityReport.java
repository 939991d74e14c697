package io.acaciafs.bench.security;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.acaciafs.bench.compare.Contestant;
import io.acaciafs.bench.compare.Figures;
import io.acaciafs.bench.compare.Machine;
import io.acaciafs.bench.compare.MarkedSection;
import io.acaciafs.bench.compare.Plan;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;

/** What security costs both NameNodes. */
public record SecurityReport(Machine machine, Plan plan, List<Row> rows) {
  private static final MarkedSection SECTION = new MarkedSection("bench/security");

  /** Both in one turn. */
  record Row(Turn turn, Figures hdfs, Figures acacia) {}

  /** The tables in Markdown. */
  public String table() {
    StringBuilder text = new StringBuilder(machine.describe()).append(".\n");
    text.append(
        String.format(
            Locale.ROOT,
            "%d rounds of %d s each, in turn; medians. In flight: clients x calls of each.%n%n",
            plan.rounds(),
            plan.duration().toSeconds()));
    text.append("A stat on connections that stay open:\n\n");
    text.append("| client shows | protection | in flight | HDFS ops/s | Acacia ops/s |");
    text.append(" HDFS CPU us | Acacia CPU us | HDFS / Acacia |");
    text.append(" HDFS, of nothing shown | Acacia, of nothing shown |\n");
    text.append("|---|---|---|---|---|---|---|---|---|---|\n");
    rows.stream().filter(row -> !row.turn().opens()).forEach(row -> text.append(call(row)));
    text.append("\nA connection that is opened, authenticated, asked for one stat and closed, ");
    text.append(opening().shape().connections()).append(" at a time:\n\n");
    text.append("| client shows | HDFS connections/s | Acacia connections/s | ratio |");
    text.append(" HDFS CPU us | Acacia CPU us | HDFS / Acacia | HDFS p99 us | Acacia p99 us |\n");
    text.append("|---|---|---|---|---|---|---|---|---|\n");
    rows.stream().filter(row -> row.turn().opens()).forEach(row -> text.append(connection(row)));
    return text.toString();
  }

  private Turn opening() {
    return rows.get(rows.size() - 1).turn();
  }

  private String call(Row row) {
    Row without = without(row);
    return String.format(
        Locale.ROOT,
        "| %s | %s | %s | %,.0f | %,.0f | %.2f | %.2f | %.1f | %.2f | %.2f |%n",
        row.turn().proof().by(),
        row.turn().proof().protectionName(),
        row.turn().shape(),
        row.hdfs().operationsPerSecond(),
        row.acacia().operationsPerSecond(),
        row.hdfs().cpuUs(),
        row.acacia().cpuUs(),
        row.hdfs().cpuUs() / row.acacia().cpuUs(),
        row.hdfs().cpuUs() / without.hdfs().cpuUs(),
        row.acacia().cpuUs() / without.acacia().cpuUs());
  }

  /** The row of the same group where clients show nothing. */
  private Row without(Row row) {
    return rows.stream()
        .filter(each -> each.turn().proof() == Proof.NOTHING)
        .filter(each -> each.turn().shape().equals(row.turn().shape()))
        .findFirst()
        .orElseThrow();
  }

  private static String connection(Row row) {
    return String.format(
        Locale.ROOT,
        "| %s | %,.0f | %,.0f | %.1f | %.0f | %.0f | %.1f | %,.0f | %,.0f |%n",
        row.turn().proof().by(),
        row.hdfs().operationsPerSecond(),
        row.acacia().operationsPerSecond(),
        row.acacia().operationsPerSecond() / row.hdfs().operationsPerSecond(),
        row.hdfs().cpuUs(),
        row.acacia().cpuUs(),
        row.hdfs().cpuUs() / row.acacia().cpuUs(),
        row.hdfs().p99Us(),
        row.acacia().p99Us());
  }

  /** All figures as JSON. */
  public String json() {
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    put(root.putArray("stat"), row -> !row.turn().opens());
    put(root.putArray("connections"), row -> row.turn().opens());
    return root.toPrettyString();
  }

  private void put(ArrayNode array, Predicate<Row> belongs) {
    for (Row row : rows) {
      if (belongs.test(row)) {
        ObjectNode node = array.addObject();
        node.put("shows", row.turn().proof().by());
        node.put("protection", row.turn().proof().protectionName());
        node.put("in_flight", row.turn().shape().toString());
        put(node.putObject(Contestant.HDFS.label()), row.hdfs());
        put(node.putObject(Contestant.ACACIA.label()), row.acacia());
      }
    }
  }

  private static void put(ObjectNode node, Figures figures) {
    node.put("per_second", figures.operationsPerSecond());
    node.put("cpu_us", figures.cpuUs());
    node.put("p99_us", figures.p99Us());
  }

  /** Puts the tables between their marks in a page. */
  public void writeTo(Path page) throws IOException {
    SECTION.write(page, table());
  }
}
