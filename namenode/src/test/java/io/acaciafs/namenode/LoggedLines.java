package io.acaciafs.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.apache.log4j.AppenderSkeleton;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.apache.log4j.spi.LoggingEvent;

/** What a logger, and those below it, log until this is closed. Safe for use by many threads. */
class LoggedLines extends AppenderSkeleton implements AutoCloseable {
  private static final List<String> TALKATIVE =
      List.of("io.acaciafs", "org.apache.hadoop", "org.apache.ratis");
  private static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(30);

  private final Logger logger;
  private final List<String> lines = new ArrayList<>();

  LoggedLines(String logger) {
    this(Logger.getLogger(logger));
    this.logger.setLevel(Level.INFO);
  }

  private LoggedLines(Logger logger) {
    this.logger = logger;
    logger.addAppender(this);
  }

  /** All logs, at DEBUG those of this project's classes and of what it hands secrets to. */
  static LoggedLines ofAll() {
    Map<Logger, Level> before = new LinkedHashMap<>();
    for (String name : TALKATIVE) {
      Logger logger = Logger.getLogger(name);
      before.put(logger, logger.getLevel());
      logger.setLevel(Level.DEBUG);
    }
    return new LoggedLines(Logger.getRootLogger()) {
      @Override
      public void close() {
        before.forEach(Logger::setLevel);
        super.close();
      }
    };
  }

  /** With the failures that were logged. */
  List<String> lines() {
    synchronized (lines) {
      return List.copyOf(lines);
    }
  }

  @Override
  protected void append(LoggingEvent event) {
    synchronized (lines) {
      lines.add(event.getRenderedMessage());
      String[] failure = event.getThrowableStrRep();
      if (failure != null) {
        lines.addAll(List.of(failure));
      }
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
    return has(pattern, TimeUnit.SECONDS.toNanos(2));
  }

  boolean has(String pattern, long limitNs) throws InterruptedException {
    Pattern wanted = Pattern.compile(pattern);
    long endNs = System.nanoTime() + limitNs;
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
