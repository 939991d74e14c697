package io.acaciafs.tools.local;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What the demo did and how long it took, as a table. */
final class DemoReport {
  private record Line(String step, String result, Duration took) {}

  private final List<Line> lines = new ArrayList<>();

  /** Adds a line. */
  void add(String step, String result, Duration took) {
    lines.add(new Line(step, result, took));
  }

  /** The table, with a line for the sum, ready to print. */
  String table() {
    Duration sum = lines.stream().map(Line::took).reduce(Duration.ZERO, Duration::plus);
    List<Line> all = new ArrayList<>(lines);
    all.add(new Line("all", "", sum));
    int stepWidth = all.stream().mapToInt(line -> line.step().length()).max().orElse(0);
    int resultWidth = all.stream().mapToInt(line -> line.result().length()).max().orElse(0);
    StringBuilder table = new StringBuilder();
    for (Line line : all) {
      table.append(
          String.format(
              Locale.ROOT,
              "  %-" + stepWidth + "s  %-" + Math.max(1, resultWidth) + "s  %7.1f s%n",
              line.step(),
              line.result(),
              line.took().toMillis() / 1000.0));
    }
    return table.toString();
  }
}
