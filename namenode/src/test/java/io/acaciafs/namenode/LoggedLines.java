package io.acaciafs.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.apache.log4j.AppenderSkeleton;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.apache.log4j.spi.LoggingEvent;

/** What a logger, and those below it, log until this is closed. Safe for use by many threads. */
final class LoggedLines extends AppenderSkeleton implements AutoCloseable {
  private static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(30);

  private final Logger logger;
  private final List<String> lines = new ArrayList<>();

  LoggedLines(String logger) {
    this.logger = Logger.getLogger(logger);
    this.logger.setLevel(Level.INFO);
    this.logger.addAppender(this);
  }

  @Override
  protected void append(LoggingEvent event) {
    synchronized (lines) {
      lines.add(event.getRenderedMessage());
      lines.notifyAll();
    }
  }

  /** Waits for a line that has a match. */
  void await(String pattern) throws InterruptedException {
    Pattern wanted = Pattern.compile(pattern);
    long endNs = System.nanoTime() + LIMIT_NS;
    synchronized (lines) {
      while (lines.stream().noneMatch(line -> wanted.matcher(line).find())) {
        long leftMs = TimeUnit.NANOSECONDS.toMillis(endNs - System.nanoTime());
        assertThat(leftMs).as("%s in %s", pattern, lines).isPositive();
        lines.wait(leftMs);
      }
    }
  }

  /** Whether a line with a match comes in time. */
  boolean has(String pattern) throws InterruptedException {
    Pattern wanted = Pattern.compile(pattern);
    long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(2);
    synchronized (lines) {
      while (lines.stream().noneMatch(line -> wanted.matcher(line).find())) {
        long leftMs = TimeUnit.NANOSECONDS.toMillis(endNs - System.nanoTime());
        if (leftMs <= 0) {
          return false;
        }
        lines.wait(leftMs);
      }
    }
    return true;
  }

  /** Logs nothing here any more; log4j closes it, too, when loggers are shut down. */
  @Override
  public void close() {
    logger.removeAppender(this);
  }

  @Override
  public boolean requiresLayout() {
    return false;
  }
}
