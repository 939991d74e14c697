package io.acaciafs.tools.common;

import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;

/**
 * Shows how far one step is: one line that moves on a terminal, else a plain line now and then.
 *
 * <p>A thread of its own, {@code acacia-progress}, prints until {@link #close}.
 */
public final class Progress implements AutoCloseable {
  private static final int BAR_WIDTH = 30;
  private static final int DETAIL_WIDTH = 30;
  private static final Duration MOVE = Duration.ofMillis(200);
  private static final Duration PLAIN = Duration.ofSeconds(5);

  private final PrintStream out;
  private final boolean terminal;
  private final String step;
  private final DoubleSupplier fraction;
  private final Supplier<String> detail;
  private final ScheduledExecutorService ticker =
      Executors.newSingleThreadScheduledExecutor(Progress::newThread);

  /**
   * For one step, not shown before {@link #start}.
   *
   * @param terminal whether {@code out} can move its line
   * @param fraction how much is done, 0 to 1, called on the thread of this object
   */
  public Progress(PrintStream out, boolean terminal, String step, DoubleSupplier fraction) {
    this(out, terminal, step, fraction, () -> "");
  }

  /**
   * @param detail said behind the percentage, called on the thread of this object
   */
  public Progress(
      PrintStream out,
      boolean terminal,
      String step,
      DoubleSupplier fraction,
      Supplier<String> detail) {
    this.out = out;
    this.terminal = terminal;
    this.step = step;
    this.fraction = fraction;
    this.detail = detail;
  }

  /** Starts to show the step. */
  public void start() {
    Duration period = terminal ? MOVE : PLAIN;
    long delayMs = terminal ? 0 : period.toMillis();
    if (!terminal) {
      out.println(step + " ...");
    }
    ticker.scheduleAtFixedRate(this::show, delayMs, period.toMillis(), TimeUnit.MILLISECONDS);
  }

  private static Thread newThread(Runnable task) {
    Thread thread = new Thread(task, "acacia-progress");
    thread.setDaemon(true);
    return thread;
  }

  private void show() {
    double done = Math.max(0, Math.min(1, fraction.getAsDouble()));
    int percent = (int) (done * 100);
    if (terminal) {
      int filled = (int) (done * BAR_WIDTH);
      String bar = "#".repeat(filled) + ".".repeat(BAR_WIDTH - filled);
      out.printf(
          Locale.ROOT,
          "\r%-20s [%s] %3d %% %-" + DETAIL_WIDTH + "s",
          step,
          bar,
          percent,
          detail.get());
      out.flush();
    } else {
      out.printf(Locale.ROOT, "%s ... %d %% %s%n", step, percent, detail.get());
    }
  }

  /** Ends the thread and wipes the line that moves. */
  @Override
  public void close() {
    ticker.shutdownNow();
    try {
      ticker.awaitTermination(1, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (terminal) {
      out.print("\r" + " ".repeat(20 + BAR_WIDTH + 10 + DETAIL_WIDTH) + "\r");
      out.flush();
    }
  }
}
