package io.acaciafs.bench.compare;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * What was measured on a namespace of one size.
 *
 * @param residentBytes the most that the process had in memory
 * @param measured medians by name, in the order of the table
 */
record GrowthPoint(LoadedNamespace namespace, long residentBytes, Map<String, Figures> measured) {

  /** All sizes as a table in Markdown; throughput also as a part of that of the first. */
  static String table(List<GrowthPoint> points) {
    GrowthPoint first = points.get(0);
    StringBuilder text = new StringBuilder();
    text.append("| files | loaded a second | bytes a file | first answer ms | memory MB |");
    first.measured.keySet().forEach(name -> text.append(' ').append(name).append(" |"));
    text.append("\n|---|---|---|---|---|").append("---|".repeat(first.measured.size()));
    for (GrowthPoint point : points) {
      text.append('\n').append(point.row(first));
    }
    return text.append('\n').toString();
  }

  private String row(GrowthPoint first) {
    StringBuilder row =
        new StringBuilder(
            String.format(
                Locale.ROOT,
                "| %,d | %,.0f | %.1f | %,.0f | %,d |",
                namespace.files(),
                namespace.loadedPerSecond(),
                (double) namespace.diskBytes() / namespace.files(),
                namespace.firstCallMs(),
                residentBytes >> 20));
    measured.forEach(
        (name, figures) ->
            row.append(
                String.format(
                    Locale.ROOT,
                    " %,.0f (%.0f %%) |",
                    figures.operationsPerSecond(),
                    100 * figures.operationsPerSecond() / first.operationsPerSecond(name))));
    return row.toString();
  }

  private double operationsPerSecond(String name) {
    return Objects.requireNonNull(measured.get(name), "all measure the same").operationsPerSecond();
  }
}
