package io.acaciafs.tools.store;

import io.acaciafs.namenode.store.Migration;
import io.acaciafs.tools.common.Progress;
import java.io.PrintStream;
import java.util.Locale;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Shows the steps of a migration while they run, and a line with its rate for each that has ended.
 * For one thread; rows come from several.
 */
final class RowSteps implements Migration.Steps, AutoCloseable {
  private final PrintStream out;
  private final boolean terminal;
  private final PrintStream ended;
  private @Nullable Step current;

  /**
   * @param terminal whether {@code out} can move its line
   * @param ended gets the lines of steps that have ended
   */
  RowSteps(PrintStream out, boolean terminal, PrintStream ended) {
    this.out = out;
    this.terminal = terminal;
    this.ended = ended;
  }

  private static final class Step {
    private final String name;
    private final LongAdder done = new LongAdder();
    private final long startNs = System.nanoTime();
    private final Progress shown;

    Step(String name, long rows, PrintStream out, boolean terminal) {
      this.name = name;
      shown =
          new Progress(
              out, terminal, name, () -> rows == 0 ? 0 : (double) done.sum() / rows, this::rate);
      shown.start();
    }

    private double seconds() {
      return (System.nanoTime() - startNs) / 1e9;
    }

    private String rate() {
      return String.format(
          Locale.ROOT, "%,d rows, %,.0f/s", done.sum(), done.sum() / Math.max(1e-3, seconds()));
    }

    private String end() {
      shown.close();
      return String.format(Locale.ROOT, "%-8s %s in %.1f s", name, rate(), seconds());
    }
  }

  @Override
  public LongConsumer begin(String name, long rows) {
    close();
    Step step = new Step(name, rows, out, terminal);
    current = step;
    return step.done::add;
  }

  @Override
  public void close() {
    if (current != null) {
      ended.println(current.end());
      current = null;
    }
  }
}
