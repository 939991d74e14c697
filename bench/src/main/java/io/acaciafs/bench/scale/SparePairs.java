package io.acaciafs.bench.scale;

import io.acaciafs.bench.client.Span;
import io.acaciafs.bench.workload.Operation;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** All pairs that are not in use yet; they work at the same time. For one thread. */
final class SparePairs implements AutoCloseable {
  /** How much longer they work than what is measured. */
  private static final Duration LONGER = Duration.ofSeconds(1);

  private final SortedMap<Integer, SparePair> pairs = new TreeMap<>();

  void add(int number, SparePair pair) {
    pairs.put(number, pair);
  }

  /** Ends one, which is to be used; false: there is none of the number. */
  boolean end(int number) throws IOException {
    SparePair pair = pairs.remove(number);
    if (pair == null) {
      return false;
    }
    pair.close();
    return true;
  }

  Set<Integer> numbers() {
    return pairs.keySet();
  }

  /** Makes what all operations read, on each. */
  void prepareReads() throws IOException {
    all().forEach(SparePair::prepareReads);
    await();
  }

  /** Makes what an operation needs, on each. */
  void prepare(Operation operation) throws IOException {
    for (SparePair pair : all()) {
      pair.prepare(operation);
    }
    await();
  }

  /**
   * Has all begin with a stage of the operation that was prepared.
   *
   * @param stage from 0
   * @param span in which others are measured
   */
  void begin(int stage, Span span) {
    Span longer =
        span.limit() == null
            ? span
            : new Span(Duration.ZERO, span.warmUp().plus(span.limit()).plus(LONGER));
    for (SparePair pair : all()) {
      pair.begin(stage, longer);
    }
  }

  /** Returns when nothing is under way any more. */
  void await() throws IOException {
    for (SparePair pair : all()) {
      pair.await();
    }
  }

  private Collection<SparePair> all() {
    return pairs.values();
  }

  @Override
  public void close() throws IOException {
    while (!pairs.isEmpty()) {
      end(pairs.lastKey());
    }
  }
}
