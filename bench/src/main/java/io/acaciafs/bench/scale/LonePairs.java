package io.acaciafs.bench.scale;

import io.acaciafs.bench.client.Span;
import io.acaciafs.bench.workload.Operation;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** All pairs, as far as each has a namespace of its own. For one thread. */
final class LonePairs implements AutoCloseable {
  /** How much longer they work than what is measured. */
  private static final Duration LONGER = Duration.ofSeconds(1);

  private final List<LonePair> pairs = new ArrayList<>();

  void add(LonePair pair) {
    pairs.add(pair);
  }

  /** None where NameNodes have no limit. */
  int count() {
    return pairs.size();
  }

  LonePair get(int number) {
    return pairs.get(number);
  }

  /** Makes what all operations read, on each. */
  void prepareReads() throws IOException {
    pairs.forEach(LonePair::prepareReads);
    await();
  }

  /**
   * Makes what an operation needs.
   *
   * @param first from this pair on
   */
  void prepare(Operation operation, int first) throws IOException {
    from(first).forEach(pair -> pair.prepare(operation));
    await();
  }

  /**
   * Has pairs begin with a stage of the operation that was prepared.
   *
   * @param first from this pair on
   * @param stage from 0
   * @param span in which others are measured
   */
  void begin(int first, int stage, Span span) {
    Span longer =
        span.limit() == null
            ? span
            : new Span(Duration.ZERO, span.warmUp().plus(span.limit()).plus(LONGER));
    from(first).forEach(pair -> pair.begin(stage, longer));
  }

  /** Returns when nothing is under way any more. */
  void await() throws IOException {
    for (LonePair pair : pairs) {
      pair.await();
    }
  }

  private List<LonePair> from(int first) {
    return pairs.subList(Math.min(first, pairs.size()), pairs.size());
  }

  @Override
  public void close() throws IOException {
    while (!pairs.isEmpty()) {
      pairs.remove(pairs.size() - 1).close();
    }
  }
}
