package io.acaciafs.rpc.metrics;

import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.hadoop.log.LogThrottlingHelper;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs connections that the server refuses, closes, or fails to serve. Anybody can open any number
 * of those, so the log has at most one line of each kind a second, which says how many others of
 * its kind there were since the last line. Safe for use by many threads.
 */
public final class RefusalLog {
  private static final Logger LOG = LoggerFactory.getLogger(RefusalLog.class);
  private static final long PERIOD_MS = 1000;

  private final Logger log;
  private final LongSupplier nanoClock;
  private final LogThrottlingHelper refused = new LogThrottlingHelper(PERIOD_MS);
  private final LogThrottlingHelper closed = new LogThrottlingHelper(PERIOD_MS);
  private final LogThrottlingHelper failed = new LogThrottlingHelper(PERIOD_MS);

  public RefusalLog(LongSupplier nanoClock) {
    this(LOG, nanoClock);
  }

  RefusalLog(Logger log, LongSupplier nanoClock) {
    this.log = log;
    this.nanoClock = nanoClock;
  }

  /** The server told the client why it closes the connection. */
  public void refused(@Nullable InetSocketAddress client, String reason) {
    warn(refused, "Connection refused", client, reason);
  }

  /** The server closed the connection without an answer. */
  public void closed(@Nullable InetSocketAddress client, @Nullable String reason) {
    warn(closed, "Connection closed", client, reason);
  }

  /** The server failed to serve the connection. */
  public void failed(@Nullable InetSocketAddress client, Throwable cause) {
    LogThrottlingHelper.LogAction line = line(failed);
    if (line.shouldLog()) {
      log.warn(
          "Connection failed: client={}{}",
          client,
          LogThrottlingHelper.getLogSupressionMessage(line),
          cause);
    } else {
      log.debug("Connection failed: client={}", client, cause);
    }
  }

  private void warn(
      LogThrottlingHelper lines,
      String what,
      @Nullable InetSocketAddress client,
      @Nullable String reason) {
    LogThrottlingHelper.LogAction line = line(lines);
    if (line.shouldLog()) {
      log.warn(
          "{}: client={} reason={}{}",
          what,
          client,
          reason,
          LogThrottlingHelper.getLogSupressionMessage(line));
    } else {
      log.debug("{}: client={} reason={}", what, client, reason);
    }
  }

  private LogThrottlingHelper.LogAction line(LogThrottlingHelper lines) {
    return lines.record("connections", TimeUnit.NANOSECONDS.toMillis(nanoClock.getAsLong()));
  }
}
