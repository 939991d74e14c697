package io.acaciafs.namespace.testkit;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicLong;

/** A clock that stands still until it is told to go on. */
public final class ManualClock extends Clock {
  private final AtomicLong nowMs = new AtomicLong(1_700_000_000_000L);

  @Override
  public long millis() {
    return nowMs.get();
  }

  public void advanceMs(long ms) {
    nowMs.addAndGet(ms);
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
