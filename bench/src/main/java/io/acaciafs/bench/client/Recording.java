package io.acaciafs.bench.client;

import java.util.SortedMap;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/**
 * What was seen in a span of time.
 *
 * @param latencies of the operations that ended in it, in nanoseconds
 * @param failures by class of exception
 */
public record Recording(Histogram latencies, SortedMap<String, Failure> failures) {

  /** Both together. */
  Recording plus(Recording other) {
    Histogram sum = latencies.copy();
    sum.add(other.latencies);
    SortedMap<String, Failure> all = new TreeMap<>(failures);
    other.failures.forEach((kind, failure) -> all.merge(kind, failure, Failure::plus));
    return new Recording(sum, all);
  }
}
