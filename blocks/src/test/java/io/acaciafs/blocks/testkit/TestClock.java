package io.acaciafs.blocks.testkit;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicLong;

/** A clock that stands still until it is told otherwise. */
public final class TestClock extends Clock {
  private final AtomicLong nowMs = new AtomicLong(1_700_000_000_000L);

  public void advance(Duration by) {
    nowMs.addAndGet(by.toMillis());
  }

  @Override
  public long millis() {
    return nowMs.get();
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
