package io.acaciafs.web;

import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Takes numbers down for one reply of {@code /metrics}. Names and labels are Prometheus's, without
 * the {@code _total} that counters end with. For one thread.
 */
public final class MetricSink {
  private final Map<String, CounterSnapshot.Builder> counters = new LinkedHashMap<>();
  private final Map<String, GaugeSnapshot.Builder> gauges = new LinkedHashMap<>();
  private final Map<String, HistogramSnapshot.Builder> histograms = new LinkedHashMap<>();

  MetricSink() {}

  /** A number that only grows, of one set of labels: name, value, name, value... */
  public void counter(String name, String help, double value, String... labels) {
    counters
        .computeIfAbsent(name, key -> CounterSnapshot.builder().name(key).help(help))
        .dataPoint(
            CounterSnapshot.CounterDataPointSnapshot.builder()
                .value(value)
                .labels(Labels.of(labels))
                .build());
  }

  /** A number as it is now. */
  public void gauge(String name, String help, double value, String... labels) {
    gauges
        .computeIfAbsent(name, key -> GaugeSnapshot.builder().name(key).help(help))
        .dataPoint(
            GaugeSnapshot.GaugeDataPointSnapshot.builder()
                .value(value)
                .labels(Labels.of(labels))
                .build());
  }

  /**
   * How often what was seen fell into each bucket.
   *
   * @param upperBounds of the buckets, rising; the last one is infinite
   * @param counts of each bucket alone
   * @param sum of all that was seen
   */
  public void histogram(
      String name, String help, double[] upperBounds, long[] counts, double sum, String... labels) {
    ClassicHistogramBuckets.Builder buckets = ClassicHistogramBuckets.builder();
    for (int i = 0; i < counts.length; i++) {
      buckets.bucket(upperBounds[i], counts[i]);
    }
    histograms
        .computeIfAbsent(name, key -> HistogramSnapshot.builder().name(key).help(help))
        .dataPoint(
            HistogramSnapshot.HistogramDataPointSnapshot.builder()
                .classicHistogramBuckets(buckets.build())
                .sum(sum)
                .labels(Labels.of(labels))
                .build());
  }

  List<MetricSnapshot> snapshots() {
    return Stream.of(
            histograms.values().stream().map(HistogramSnapshot.Builder::build),
            counters.values().stream().map(CounterSnapshot.Builder::build),
            gauges.values().stream().map(GaugeSnapshot.Builder::build))
        .<MetricSnapshot>flatMap(each -> each)
        .toList();
  }
}
