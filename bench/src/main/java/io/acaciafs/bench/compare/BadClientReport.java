package io.acaciafs.bench.compare;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** What a bad client did to another one, on each NameNode. */
public record BadClientReport(Machine machine, Duration duration, List<Row> rows) {
  private static final MarkedSection SECTION = new MarkedSection("bench/bad-client");

  /** How a client was served. */
  record Latency(double perSecond, double p50Us, double p99Us) {}

  /**
   * One NameNode.
   *
   * @param pagesPerSecond that the bad client got
   */
  record Row(String label, String title, Latency idle, Latency beside, double pagesPerSecond) {
    double ratio() {
      return beside.p99Us() / idle.p99Us();
    }

    String line() {
      return String.format(
          Locale.ROOT,
          "| %s | %,.0f | %,.0f | %,.0f | %,.0f | %.1f | %,.0f | %,.0f | %,.0f |",
          title,
          idle.p50Us(),
          beside.p50Us(),
          idle.p99Us(),
          beside.p99Us(),
          ratio(),
          idle.perSecond(),
          beside.perSecond(),
          pagesPerSecond);
    }
  }

  /** The whole table in Markdown. */
  public String table() {
    StringBuilder text = new StringBuilder(machine.describe()).append(".\n");
    text.append(String.format(Locale.ROOT, "%d s for each measurement.%n%n", duration.toSeconds()));
    text.append("| NameNode | p50 us idle | beside the bad client | p99 us idle | beside |");
    text.append(" p99 ratio | stats/s idle | beside | pages/s of the bad client |\n");
    text.append("|---|---|---|---|---|---|---|---|---|\n");
    rows.forEach(row -> text.append(row.line()).append('\n'));
    return text.toString();
  }

  /** The same as JSON. */
  public String json() {
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    for (Row row : rows) {
      ObjectNode node = root.putObject(row.label());
      put(node.putObject("idle"), row.idle());
      put(node.putObject("beside"), row.beside());
      node.put("p99_ratio", row.ratio());
      node.put("bad_pages_per_second", row.pagesPerSecond());
    }
    return root.toPrettyString();
  }

  private static void put(ObjectNode node, Latency latency) {
    node.put("ops_per_second", latency.perSecond());
    node.put("p50_us", latency.p50Us());
    node.put("p99_us", latency.p99Us());
  }

  /** Puts the table between its marks in a page. */
  public void writeTo(Path page) throws IOException {
    SECTION.write(page, table());
  }
}
