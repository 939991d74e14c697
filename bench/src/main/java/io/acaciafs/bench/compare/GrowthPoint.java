package io.acaciafs.bench.compare;

import io.acaciafs.bench.Measurement;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What was measured on a namespace of one size.
 *
 * @param files loaded before
 * @param loadedPerSecond files, with the start of the JVM that loads them
 * @param diskBytes of the whole folder behind that
 * @param firstCallMs from the start of the process to its first answer
 * @param residentBytes the most that the process had in memory
 * @param measured by name, in the order of the table
 */
public record GrowthPoint(
    long files,
    double loadedPerSecond,
    long diskBytes,
    double firstCallMs,
    long residentBytes,
    Map<String, Measurement> measured) {

  /** All sizes as a table in Markdown; throughput also as a part of that of the first. */
  public static String table(Machine machine, List<GrowthPoint> points) {
    GrowthPoint first = points.get(0);
    StringBuilder text = new StringBuilder(machine.describe()).append(".\n\n");
    text.append("| files | loaded a second | bytes a file | first answer ms | memory MB |");
    first.measured.keySet().forEach(name -> text.append(' ').append(name).append(" |"));
    text.append("\n|---|---|---|---|---|").append("---|".repeat(first.measured.size()));
    for (GrowthPoint point : points) {
      text.append('\n').append(point.row(first));
    }
    return text.append('\n').toString();
  }

  /** Puts a table into a page. */
  public static void write(Path page, String table) throws IOException {
    new MarkedSection("bench/growth").write(page, table);
  }

  private String row(GrowthPoint first) {
    StringBuilder row =
        new StringBuilder(
            String.format(
                Locale.ROOT,
                "| %,d | %,.0f | %.1f | %,.0f | %,d |",
                files,
                loadedPerSecond,
                (double) diskBytes / files,
                firstCallMs,
                residentBytes >> 20));
    measured.forEach(
        (name, measurement) ->
            row.append(
                String.format(
                    Locale.ROOT,
                    " %,.0f (%.0f %%) |",
                    measurement.operationsPerSecond(),
                    100
                        * measurement.operationsPerSecond()
                        / first.measured.get(name).operationsPerSecond())));
    return row.toString();
  }
}
