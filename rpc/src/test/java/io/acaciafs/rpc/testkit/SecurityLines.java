package io.acaciafs.rpc.testkit;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.ipc.Server;
import org.apache.log4j.AppenderSkeleton;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.apache.log4j.spi.LoggingEvent;

/** What servers write into Hadoop's security log until this is closed. Safe for many threads. */
public final class SecurityLines extends AppenderSkeleton implements AutoCloseable {
  private final Logger logger = Logger.getLogger("SecurityLogger." + Server.class.getName());
  private final List<String> lines = new ArrayList<>();

  /** Begins to listen. */
  public SecurityLines() {
    logger.setLevel(Level.INFO);
    logger.addAppender(this);
  }

  @Override
  protected void append(LoggingEvent event) {
    synchronized (lines) {
      lines.add(event.getRenderedMessage());
    }
  }

  /** Those that have a match. */
  public List<String> matching(String pattern) {
    synchronized (lines) {
      return lines.stream().filter(line -> line.matches(pattern)).toList();
    }
  }

  @Override
  public void close() {
    logger.removeAppender(this);
  }

  @Override
  public boolean requiresLayout() {
    return false;
  }
}
