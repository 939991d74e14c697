package io.acaciafs.kv.raft.copy;

import java.io.InterruptedIOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * How fast a copy is fetched at most, so that others have their share of the disks. For one thread.
 */
public final class CopyRate {
  private static final double NANOS = TimeUnit.SECONDS.toNanos(1);

  private final long bytesPerSecond;
  private final LongSupplier nanoTime;
  private final LongConsumer park;
  private long nextNs;

  /**
   * @param bytesPerSecond 0: without a limit
   */
  public CopyRate(long bytesPerSecond) {
    this(bytesPerSecond, System::nanoTime, LockSupport::parkNanos);
  }

  /**
   * @param park waits for so many nanoseconds, or less
   */
  CopyRate(long bytesPerSecond, LongSupplier nanoTime, LongConsumer park) {
    this.bytesPerSecond = bytesPerSecond;
    this.nanoTime = nanoTime;
    this.park = park;
    this.nextNs = nanoTime.getAsLong();
  }

  /**
   * Waits until more may be fetched.
   *
   * @param bytes that were fetched just now
   */
  void fetched(long bytes) throws InterruptedIOException {
    if (bytesPerSecond == 0) {
      return;
    }
    long nowNs = nanoTime.getAsLong();
    long earliestNs = nextNs - nowNs > 0 ? nextNs : nowNs;
    nextNs = earliestNs + (long) (NANOS * bytes / bytesPerSecond);
    while (nextNs - nowNs > 0) {
      park.accept(nextNs - nowNs);
      if (Thread.currentThread().isInterrupted()) {
        throw new InterruptedIOException("Interrupted while a copy was fetched");
      }
      nowNs = nanoTime.getAsLong();
    }
  }
}
