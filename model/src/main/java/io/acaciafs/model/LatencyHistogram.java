package io.acaciafs.model;

/** Counts times in classes that are half a percent wide. For one thread. */
final class LatencyHistogram {
  private static final double SMALLEST = 1e-7;
  private static final double WIDTH = Math.log(1.005);
  private static final int CLASSES = 8192;

  private final long[] counts = new long[CLASSES];
  private long count;
  private double sum;

  void add(double seconds) {
    int place = (int) (Math.log(Math.max(seconds, SMALLEST) / SMALLEST) / WIDTH);
    counts[Math.min(place, CLASSES - 1)]++;
    count++;
    sum += seconds;
  }

  long count() {
    return count;
  }

  double mean() {
    return sum / count;
  }

  double quantile(double part) {
    long wanted = (long) Math.ceil(part * count);
    long seen = 0;
    for (int i = 0; i < CLASSES; i++) {
      seen += counts[i];
      if (seen >= wanted) {
        return SMALLEST * Math.exp((i + 0.5) * WIDTH);
      }
    }
    return Double.POSITIVE_INFINITY;
  }
}
