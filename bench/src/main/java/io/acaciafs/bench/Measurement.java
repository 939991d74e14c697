package io.acaciafs.bench;

import io.acaciafs.bench.client.Failure;
import io.acaciafs.bench.client.Shape;
import java.util.List;
import java.util.OptionalDouble;
import java.util.SortedMap;
import org.HdrHistogram.Histogram;

/**
 * What came out of one benchmark.
 *
 * @param operation its name
 * @param latencies of all operations that ended in the measured span, in nanoseconds
 * @param seconds how long that span was
 * @param serverCpuSeconds user and system time in it of each process of the server; empty: not
 *     known
 * @param generatorCpuSeconds of this process
 * @param failures of the whole run, by class of exception
 */
public record Measurement(
    String operation,
    Shape shape,
    Histogram latencies,
    double seconds,
    List<Double> serverCpuSeconds,
    double generatorCpuSeconds,
    SortedMap<String, Failure> failures) {
  private static final double MICROS = 1e6;

  /** How many operations ended in the measured span. */
  public long operations() {
    return latencies.getTotalCount();
  }

  /** Operations a second. */
  public double operationsPerSecond() {
    return operations() / seconds;
  }

  /** CPU of the server's processes, in microseconds an operation. */
  public OptionalDouble serverCpuUs() {
    return serverCpuSeconds.isEmpty()
        ? OptionalDouble.empty()
        : OptionalDouble.of(processCpuUs().stream().mapToDouble(each -> each).sum());
  }

  /** The same of each process. */
  public List<Double> processCpuUs() {
    return serverCpuSeconds.stream().map(this::perOperation).toList();
  }

  /** CPU of this process, in microseconds an operation. */
  public double generatorCpuUs() {
    return perOperation(generatorCpuSeconds);
  }

  private double perOperation(double cpuSeconds) {
    return cpuSeconds * MICROS / Math.max(1, operations());
  }

  /** The latency that so many percent of the operations did not exceed, in microseconds. */
  public double percentileUs(double percent) {
    return latencies.getValueAtPercentile(percent) / 1e3;
  }
}
