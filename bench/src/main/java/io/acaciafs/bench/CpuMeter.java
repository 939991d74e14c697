package io.acaciafs.bench;

import io.acaciafs.bench.client.Meter;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Measures the span of a run and the CPU that server and generator take in it: user and system time
 * of the processes, which the kernel counts in hundredths of a second. For one thread.
 */
public final class CpuMeter implements Meter {
  private final List<ProcessHandle> server;
  private long startNanos;
  private double seconds;
  private List<Double> serverSeconds = List.of();
  private double ownSeconds;

  /**
   * @param serverPids none: not measured
   * @throws IllegalArgumentException when there is no such process, or its time cannot be seen
   */
  public CpuMeter(List<Long> serverPids) {
    server = serverPids.stream().map(CpuMeter::visible).toList();
  }

  private static ProcessHandle visible(long pid) {
    ProcessHandle process =
        ProcessHandle.of(pid)
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "There is no process " + pid + " on this machine"));
    if (process.info().totalCpuDuration().isEmpty()) {
      throw new IllegalArgumentException("The CPU time of process " + pid + " cannot be seen");
    }
    return process;
  }

  @Override
  public void start() {
    serverSeconds = server.stream().map(CpuMeter::cpuSeconds).toList();
    ownSeconds = cpuSeconds(ProcessHandle.current());
    startNanos = System.nanoTime();
  }

  @Override
  public void stop() {
    seconds = (System.nanoTime() - startNanos) / 1e9;
    List<Double> begin = serverSeconds;
    serverSeconds =
        IntStream.range(0, server.size())
            .mapToObj(i -> cpuSeconds(server.get(i)) - begin.get(i))
            .toList();
    ownSeconds = cpuSeconds(ProcessHandle.current()) - ownSeconds;
  }

  private static double cpuSeconds(ProcessHandle process) {
    return process.info().totalCpuDuration().orElse(Duration.ZERO).toNanos() / 1e9;
  }

  public double seconds() {
    return seconds;
  }

  /** Of each process of the server. */
  public List<Double> serverSeconds() {
    return serverSeconds;
  }

  double ownSeconds() {
    return ownSeconds;
  }
}
