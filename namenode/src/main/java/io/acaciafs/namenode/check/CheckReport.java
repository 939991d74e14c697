package io.acaciafs.namenode.check;

import io.acaciafs.kv.check.CheckListener;
import io.acaciafs.kv.check.Finding;
import io.acaciafs.namenode.process.RunningWork;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Prints what a check finds, a line each, which programs may read as well:
 *
 * <pre>
 * DAMAGE kind name=value ... - What that means.
 * STALE kind name=value ... - An index row that was left behind, by which nobody is misled.
 * REPAIRED kind name=value ... - What it was.
 * NOT-REPAIRED kind name=value ... - What it is.
 * NOT-CHECKED - What, and why.
 * PROGRESS step rows expected
 * COUNT kind number
 * Compared ... rows ... of a group of NameNodes
 * </pre>
 *
 * and in the end one line with the status. For one thread.
 */
public final class CheckReport implements CheckListener {
  /** How the last line of a whole report begins. */
  public static final String STATUS = "The store is ";

  public static final String HEALTHY = STATUS + "HEALTHY";

  /** Nothing is damaged, and something was not checked. */
  public static final String UNSURE = HEALTHY + ", as far as it was checked";

  public static final String DAMAGED = STATUS + "DAMAGED";
  public static final String FAILED = "The check FAILED";

  private static final String ROWS = "rows";

  /** How lines begin that are only there to show that something happens. */
  public static final String PROGRESS = "PROGRESS ";

  /** Where these are, a file may have a block although no reader finds that it does. */
  private static final Set<String> HIDE_FILES =
      Set.of(
          "unreadable-entry",
          "wrong-location",
          "no-location",
          "inode-twice",
          "wrong-bucket",
          "wrong-header",
          "block-of-another-file",
          "block-of-two-files");

  private final PrintWriter out;
  private final Consumer<RunningWork.Progress> watcher;
  private final Map<String, Long> counts = new TreeMap<>();
  private final long startNs = System.nanoTime();
  private long damaged;
  private long stale;
  private long repaired;
  private long notChecked;
  private long unrepairedFiles;
  private long rows = -1;
  private long expectedRows = -1;

  public CheckReport(PrintWriter out) {
    this(out, progress -> {});
  }

  /**
   * @param watcher is told how far the whole check is
   */
  CheckReport(PrintWriter out, Consumer<RunningWork.Progress> watcher) {
    this.out = out;
    this.watcher = watcher;
  }

  /**
   * How many rows the steps to come have, all in all, about.
   *
   * @param all less than 0: nobody knows
   */
  void expect(long all) {
    expectedRows = all;
    rows = -1;
  }

  @Override
  public void seen(long all) {
    rows = all;
  }

  @Override
  public void found(Finding finding, Outcome outcome) {
    boolean isRepaired = outcome == Outcome.REPAIRED;
    counts.merge(finding.kind(), 1L, Long::sum);
    if (isRepaired) {
      repaired++;
    } else if (finding.isStale()) {
      stale++;
    } else {
      damaged++;
      unrepairedFiles += HIDE_FILES.contains(finding.kind()) ? 1 : 0;
    }
    String word =
        switch (outcome) {
          case REPAIRED -> "REPAIRED";
          case NOT_REPAIRED -> "NOT-REPAIRED";
          case FOUND -> finding.isStale() ? "STALE" : "DAMAGE";
        };
    print(word + ' ' + finding.kind() + ' ' + finding.subject() + " - " + finding.text());
  }

  /** Whether nothing is left, or was not checked, that could mislead a reader of files. */
  boolean knowsAllFiles() {
    return unrepairedFiles == 0 && notChecked == 0;
  }

  @Override
  public void notChecked(String what) {
    notChecked++;
    print("NOT-CHECKED - " + what);
  }

  @Override
  public void progress(String step, long rowsOfStep, long expected) {
    print(PROGRESS + step + ' ' + rowsOfStep + ' ' + expected);
    watcher.accept(
        rows < 0
            ? new RunningWork.Progress(step, rowsOfStep, expected, ROWS)
            : new RunningWork.Progress(step, rows, expectedRows, ROWS));
  }

  /**
   * The members of a group were compared.
   *
   * @param compared rows of the leader that another one has, or lacks
   */
  void compared(long compared) {
    print(
        String.format(Locale.ROOT, "Compared %d rows of the leader with other members", compared));
  }

  /** All was looked at. */
  void end(long checked) {
    counts.forEach((kind, count) -> print("COUNT " + kind + ' ' + count));
    print(
        String.format(
            Locale.ROOT,
            "Checked %d rows in %.1f s: %d damaged, %d stale, %d repaired, %d not checked",
            checked,
            (System.nanoTime() - startNs) / 1e9,
            damaged,
            stale,
            repaired,
            notChecked));
    if (damaged > 0) {
      print(DAMAGED);
    } else {
      print(notChecked == 0 ? HEALTHY : UNSURE);
    }
  }

  /** It could not be ended. */
  void failed(@Nullable String why) {
    print(why);
    print(FAILED);
  }

  private void print(@Nullable String line) {
    out.print(line + '\n');
    out.flush();
  }
}
