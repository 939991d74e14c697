package io.acaciafs.tools.common;

import io.acaciafs.bench.Steps;
import io.acaciafs.bench.client.Watcher;
import java.io.PrintStream;
import java.util.Locale;

/** Shows on a terminal, in one line that moves, how far a benchmark is. For one thread. */
public final class StepLine implements Steps {
  private static final int WIDTH = 60;

  private final PrintStream out;
  private final boolean terminal;

  /**
   * @param terminal whether {@code out} can move its line; else nothing is shown
   */
  public StepLine(PrintStream out, boolean terminal) {
    this.out = out;
    this.terminal = terminal;
  }

  @Override
  public Watcher begin(String name) {
    return (fraction, operationsPerSecond) -> {
      String percent = fraction < 0 ? "" : String.format(Locale.ROOT, "%3.0f %%", fraction * 100);
      show(String.format(Locale.ROOT, "%-18s %6s %,10.0f/s", name, percent, operationsPerSecond));
    };
  }

  /** Wipes the line. */
  public void clear() {
    show("");
    if (terminal) {
      out.print('\r');
      out.flush();
    }
  }

  private void show(String text) {
    if (terminal) {
      out.printf("\r%-" + WIDTH + "s", text);
      out.flush();
    }
  }
}
