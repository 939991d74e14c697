package io.acaciafs.tools.store;

import io.acaciafs.namenode.check.CheckReport;
import java.io.PrintStream;
import java.util.Locale;

/** Shows the lines of a report as they come; how far it is as a line that moves. */
final class CheckLines implements AutoCloseable {
  private static final int WIDTH = 70;

  private final PrintStream out;
  private final PrintStream progress;
  private final boolean terminal;
  private String last = "";

  /**
   * @param progress gets how far it is
   * @param terminal whether it can move its line; else nothing is said of progress
   */
  CheckLines(PrintStream out, PrintStream progress, boolean terminal) {
    this.out = out;
    this.progress = progress;
    this.terminal = terminal;
  }

  void show(String line) {
    if (line.startsWith(CheckReport.PROGRESS)) {
      move(line.substring(CheckReport.PROGRESS.length()).split(" "));
      return;
    }
    wipe();
    out.println(line);
    out.flush();
    last = line;
  }

  /** The last line that was no progress; empty for none. */
  String last() {
    return last;
  }

  /**
   * @param words step, rows, expected rows
   */
  private void move(String[] words) {
    if (terminal && words.length == 3) {
      long rows = Long.parseLong(words[1]);
      long expected = Long.parseLong(words[2]);
      String of = expected < rows ? "" : String.format(Locale.ROOT, " of about %,d", expected);
      String text = String.format(Locale.ROOT, "%-16s %,d rows%s", words[0], rows, of);
      progress.printf("\r%-" + WIDTH + "s", text);
      progress.flush();
    }
  }

  private void wipe() {
    if (terminal) {
      progress.print("\r" + " ".repeat(WIDTH) + "\r");
      progress.flush();
    }
  }

  @Override
  public void close() {
    wipe();
  }
}
