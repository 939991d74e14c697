package io.acaciafs.bench.compare;

import io.acaciafs.bench.Measurement;
import io.acaciafs.bench.Report;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Shows measurements as they are made, and keeps what failed. For one thread. */
public final class MeasurementLog {
  private final Consumer<String> lines;
  private final List<String> failures = new ArrayList<>();

  /**
   * @param lines is told each line
   */
  public MeasurementLog(Consumer<String> lines) {
    this.lines = lines;
  }

  /** Shows the head of the lines that follow. */
  public void begin() {
    lines.accept(Report.head());
  }

  /**
   * Shows a measurement.
   *
   * @param server that was measured
   * @param remark behind the server's name; may be empty
   */
  public void note(String server, String remark, Measurement measurement) {
    lines.accept((Report.line(measurement) + "  " + server + " " + remark).stripTrailing());
    for (String failure : Report.failures(measurement)) {
      lines.accept(failure);
      failures.add(server + failure);
    }
  }

  /** What went wrong; a figure with failures is none. */
  public List<String> failures() {
    return List.copyOf(failures);
  }
}
