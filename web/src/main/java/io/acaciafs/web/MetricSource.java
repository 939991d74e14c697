package io.acaciafs.web;

/** Knows numbers. */
@FunctionalInterface
public interface MetricSource {

  /** Tells all numbers as they are now; any thread, several at once. */
  void tell(MetricSink sink);

  /** Those of another source too. */
  default MetricSource and(MetricSource other) {
    return sink -> {
      tell(sink);
      other.tell(sink);
    };
  }
}
