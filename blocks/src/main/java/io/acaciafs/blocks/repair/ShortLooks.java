package io.acaciafs.blocks.repair;

import java.time.Clock;

/**
 * Divides work that may be long, and that nobody waits for, into short looks with rests between
 * them: it takes at most one part in {@link #SHARE} of a processor. For one thread.
 */
final class ShortLooks {
  private static final int SHARE = 50;

  /** Nothing further is begun in a look then. */
  private static final long LOOK_MS = 50;

  private final Clock clock;
  private long beganMs;
  private long restsUntilMs = Long.MIN_VALUE;

  ShortLooks(Clock clock) {
    this.clock = clock;
  }

  /** Begins a look; false: it is time to rest. */
  boolean begin() {
    beganMs = clock.millis();
    return beganMs >= restsUntilMs;
  }

  /** Whether the look may begin something further. */
  boolean goesOn() {
    return clock.millis() - beganMs < LOOK_MS;
  }

  /** The look has ended, and the next one goes on where it was. */
  void rest() {
    long endMs = clock.millis();
    restsUntilMs = endMs + SHARE * (endMs - beganMs);
  }

  /** All is done for so long. */
  void restFor(long ms) {
    restsUntilMs = clock.millis() + ms;
  }
}
