package io.acaciafs.namenode.monitor;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** A clock that stands still until a test sets it. For one thread. */
public final class SettableClock extends Clock {
  private long nowMs = 1_795_000_000_000L;

  public void advanceMs(long ms) {
    nowMs += ms;
  }

  @Override
  public long millis() {
    return nowMs;
  }

  @Override
  public Instant instant() {
    return Instant.ofEpochMilli(nowMs);
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
