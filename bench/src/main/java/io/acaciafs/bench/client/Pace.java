package io.acaciafs.bench.client;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

/** Follows a run: tells the watcher, and notices when nothing moves. For one thread. */
final class Pace {
  private static final long STALL_LIMIT_NANOS = TimeUnit.SECONDS.toNanos(60);

  private final Watcher watcher;
  private final long totalNanos;
  private final long startNanos = System.nanoTime();
  private long lastNanos = startNanos;
  private long lastAnswers;
  private long movedNanos = startNanos;

  /**
   * @param totalNanos how long the run takes; 0: not known
   */
  Pace(Watcher watcher, long totalNanos) {
    this.watcher = watcher;
    this.totalNanos = totalNanos;
  }

  /**
   * Looks at the run.
   *
   * @param answers how many replies there were so far
   * @throws IOException when there has been none for a minute
   */
  void look(long answers) throws IOException {
    long now = System.nanoTime();
    if (answers != lastAnswers) {
      movedNanos = now;
    } else if (now - movedNanos > STALL_LIMIT_NANOS) {
      throw new IOException("The server has answered nothing for a minute");
    }
    double perSecond = (answers - lastAnswers) * 1e9 / Math.max(1, now - lastNanos);
    double fraction = totalNanos == 0 ? -1 : Math.min(1, (double) (now - startNanos) / totalNanos);
    watcher.progress(fraction, perSecond);
    lastAnswers = answers;
    lastNanos = now;
  }
}
