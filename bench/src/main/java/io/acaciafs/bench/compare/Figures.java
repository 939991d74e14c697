package io.acaciafs.bench.compare;

import io.acaciafs.bench.Measurement;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.HdrHistogram.Histogram;

/**
 * What one server showed in one operation: medians of its rounds, and percentiles over all of them.
 *
 * @param cpuUs of the server's processes, an operation
 */
public record Figures(double operationsPerSecond, double cpuUs, double p50Us, double p99Us) {

  public static Figures of(List<Measurement> rounds) {
    Histogram all = rounds.get(0).latencies().copy();
    rounds.subList(1, rounds.size()).forEach(each -> all.add(each.latencies()));
    return new Figures(
        median(rounds, Measurement::operationsPerSecond),
        median(rounds, each -> each.serverCpuUs().orElseThrow()),
        all.getValueAtPercentile(50) / 1e3,
        all.getValueAtPercentile(99) / 1e3);
  }

  /** The median of a figure of each round. */
  public static double median(List<Measurement> rounds, ToDoubleFunction<Measurement> figure) {
    double[] sorted = rounds.stream().mapToDouble(figure).sorted().toArray();
    int half = sorted.length / 2;
    return sorted.length % 2 == 1
        ? sorted[half]
        : Arrays.stream(sorted, half - 1, half + 1).average().orElseThrow();
  }
}
