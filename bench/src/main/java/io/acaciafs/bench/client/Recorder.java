package io.acaciafs.bench.client;

import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** What one network thread has seen of a run. For that thread. */
final class Recorder implements Outcomes {
  private static final long HIGHEST_LATENCY_NANOS = TimeUnit.MINUTES.toNanos(10);

  private final TreeMap<String, Failure> failures = new TreeMap<>();
  private final Histogram latencies = new Histogram(HIGHEST_LATENCY_NANOS, 3);
  private long answers;
  private boolean measuring;

  /** A new run begins. */
  void reset() {
    failures.clear();
    latencies.reset();
    answers = 0;
    measuring = false;
  }

  @Override
  public void succeeded(long latencyNanos) {
    answers++;
    if (measuring) {
      latencies.recordValue(Math.min(latencyNanos, HIGHEST_LATENCY_NANOS));
    }
  }

  @Override
  public void failed(String kind, String message) {
    answers++;
    failures.merge(kind, new Failure(1, message), Failure::plus);
  }

  /** Whether operations that end now count. */
  void measure(boolean on) {
    measuring = on;
  }

  /** How much has happened since the run began. */
  long answers() {
    return answers;
  }

  /** What was measured, and all failures of the run. */
  Recording recording() {
    return new Recording(latencies.copy(), new TreeMap<>(failures));
  }
}
