package io.acaciafs.blocks.datanode;

/**
 * Whether the rows that wait for a storage are to be looked for. A look that finds none is the last
 * one until rows are expected, as a scan is not free even where there are none. Safe for use by
 * many threads.
 */
public final class ExpectedRows {
  /** So long after rows were expected no look that finds none is believed. */
  private static final long AWAKE_MS = 60_000;

  private volatile long awakeUntilMs = Long.MIN_VALUE;
  private volatile boolean isAsleep;

  /** A transaction that may still be under way writes rows, here or on another NameNode. */
  public void expect(long nowMs) {
    awakeUntilMs = nowMs + AWAKE_MS;
    isAsleep = false;
  }

  /** There may be rows that nobody expected. */
  public void wake() {
    isAsleep = false;
  }

  /** Whether the next heartbeat does not look. */
  public boolean isAsleep(long nowMs) {
    return isAsleep && nowMs >= awakeUntilMs;
  }

  /** Whether rows have been expected since then. */
  boolean isExpectedSince(long ms) {
    return awakeUntilMs >= ms + AWAKE_MS;
  }

  /** A look has come to its end, or is to go on. */
  void looked(boolean foundNone, long nowMs) {
    isAsleep = foundNone && nowMs >= awakeUntilMs;
  }
}
