package io.acaciafs.tools.image;

import io.acaciafs.fsimage.format.ImageProgress;
import io.acaciafs.tools.common.Progress;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Shows the steps of a job on an image, each with its rate and the time that is left. */
final class ImageSteps implements ImageProgress, AutoCloseable {
  private final PrintStream out;
  private final boolean terminal;
  private @Nullable Progress shown;
  private long startNs;
  private volatile long inodes;
  private volatile double fraction;

  ImageSteps(PrintStream out, boolean terminal) {
    this.out = out;
    this.terminal = terminal;
  }

  @Override
  public void begin(String step) {
    close();
    inodes = 0;
    fraction = 0;
    startNs = System.nanoTime();
    long start = startNs;
    shown = new Progress(out, terminal, step, () -> fraction, () -> detail(start));
    shown.start();
  }

  @Override
  public void advance(long done, double share) {
    inodes = done;
    fraction = share;
  }

  private String detail(long start) {
    double seconds = (System.nanoTime() - start) / 1e9;
    double share = fraction;
    String rate = inodes == 0 ? "" : String.format(Locale.ROOT, "%,.0f/s", inodes / seconds);
    return share <= 0 || share >= 1 ? rate : rate + " " + left(seconds / share - seconds);
  }

  private static String left(double seconds) {
    Duration left = Duration.ofSeconds(Math.round(seconds));
    return String.format(
        Locale.ROOT,
        "%d:%02d:%02d left",
        left.toHours(),
        left.toMinutesPart(),
        left.toSecondsPart());
  }

  @Override
  public void close() {
    if (shown != null) {
      shown.close();
      shown = null;
    }
  }
}
