package io.acaciafs.bench.compare;

import io.acaciafs.bench.CpuMeter;
import java.io.InterruptedIOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.DoubleSupplier;

/**
 * Waits until a server has done what it does behind its replies, such as to remove what was below a
 * deleted directory: while it does, no server on this machine can be measured. Stateless.
 */
final class Settling {
  /** Twenty seconds. */
  static final int MOST_LOOKS = 80;

  /** Together longer than the second at which servers look for such work. */
  static final int QUIET_LOOKS = 5;

  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

  /** In a look, of a server that has nothing to do. */
  private static final double QUIET_SECONDS = 0.02;

  private Settling() {}

  interface Pause {
    void run() throws InterruptedIOException;
  }

  /**
   * @return seconds of CPU that it has taken for it
   */
  static double await(long pid) throws InterruptedIOException {
    ProcessHandle server =
        ProcessHandle.of(pid)
            .orElseThrow(() -> new IllegalStateException("Server " + pid + " has ended"));
    return await(() -> CpuMeter.cpuSeconds(server), Settling::pause);
  }

  static double await(DoubleSupplier cpuSeconds, Pause pause) throws InterruptedIOException {
    double begin = cpuSeconds.getAsDouble();
    double last = begin;
    int quiet = 0;
    for (int look = 0; look < MOST_LOOKS && quiet < QUIET_LOOKS; look++) {
      pause.run();
      double now = cpuSeconds.getAsDouble();
      quiet = now - last <= QUIET_SECONDS ? quiet + 1 : 0;
      last = now;
    }
    return last - begin;
  }

  private static void pause() throws InterruptedIOException {
    LockSupport.parkNanos(LOOK_NANOS);
    if (Thread.currentThread().isInterrupted()) {
      throw new InterruptedIOException("interrupted while a server settled");
    }
  }
}
