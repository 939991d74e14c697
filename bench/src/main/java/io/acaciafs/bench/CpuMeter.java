package io.acaciafs.bench;

import io.acaciafs.bench.client.Meter;
import java.time.Duration;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Measures the span of a run and the CPU that server and generator take in it: user and system time
 * of the processes, which the kernel counts in hundredths of a second. For one thread.
 */
final class CpuMeter implements Meter {
  private final @Nullable ProcessHandle server;
  private long startNanos;
  private double seconds;
  private double serverSeconds;
  private double ownSeconds;

  /**
   * @param serverPid empty: not measured
   * @throws IllegalArgumentException when there is no such process, or its time cannot be seen
   */
  CpuMeter(OptionalLong serverPid) {
    server =
        serverPid.isEmpty()
            ? null
            : ProcessHandle.of(serverPid.getAsLong())
                .orElseThrow(
                    () ->
                        new IllegalArgumentException(
                            "There is no process " + serverPid.getAsLong() + " on this machine"));
    if (server != null && server.info().totalCpuDuration().isEmpty()) {
      throw new IllegalArgumentException(
          "The CPU time of process " + serverPid.getAsLong() + " cannot be seen");
    }
  }

  @Override
  public void start() {
    serverSeconds = cpuSeconds(server);
    ownSeconds = cpuSeconds(ProcessHandle.current());
    startNanos = System.nanoTime();
  }

  @Override
  public void stop() {
    seconds = (System.nanoTime() - startNanos) / 1e9;
    serverSeconds = cpuSeconds(server) - serverSeconds;
    ownSeconds = cpuSeconds(ProcessHandle.current()) - ownSeconds;
  }

  private static double cpuSeconds(@Nullable ProcessHandle process) {
    return process == null
        ? 0
        : process.info().totalCpuDuration().orElse(Duration.ZERO).toNanos() / 1e9;
  }

  double seconds() {
    return seconds;
  }

  OptionalDouble serverSeconds() {
    return server == null ? OptionalDouble.empty() : OptionalDouble.of(serverSeconds);
  }

  double ownSeconds() {
    return ownSeconds;
  }
}
