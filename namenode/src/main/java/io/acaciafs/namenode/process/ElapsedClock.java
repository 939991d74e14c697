package io.acaciafs.namenode.process;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.TimeUnit;

/**
 * A clock that began with the right time and goes on steadily, whatever an administrator sets the
 * system's clock to: for leases and heartbeats, which must not all expire because of that. Safe for
 * use by many threads.
 */
public final class ElapsedClock extends Clock {
  private final long startMs = System.currentTimeMillis();
  private final long startNs = System.nanoTime();

  @Override
  public long millis() {
    return startMs + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs);
  }

  @Override
  public Instant instant() {
    return Instant.ofEpochMilli(millis());
  }

  @Override
  public ZoneId getZone() {
    return ZoneOffset.UTC;
  }

  @Override
  public Clock withZone(ZoneId zone) {
    return this;
  }
}
