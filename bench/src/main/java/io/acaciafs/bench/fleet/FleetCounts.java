package io.acaciafs.bench.fleet;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** What NameNodes have answered to a fleet. Safe for use by many threads. */
final class FleetCounts {
  /** What is counted. */
  enum Kind {
    REGISTRATIONS,
    HEARTBEATS,
    INCREMENTAL_REPORTS,
    INCREMENTAL_REPLICAS,
    FULL_REPORTS,
    FULL_REPORT_REPLICAS,
    BLOCK_COMMANDS
  }

  private final LongAdder[] counts = new LongAdder[Kind.values().length];
  private final Map<String, LongAdder> failures = new ConcurrentHashMap<>();

  FleetCounts() {
    for (int i = 0; i < counts.length; i++) {
      counts[i] = new LongAdder();
    }
  }

  void add(Kind kind, long count) {
    counts[kind.ordinal()].add(count);
  }

  long of(Kind kind) {
    return counts[kind.ordinal()].sum();
  }

  /** A NameNode has refused a call, or does not answer. */
  void failed(String kind) {
    failures.computeIfAbsent(kind, first -> new LongAdder()).increment();
  }

  /** How many there were of each kind. */
  Map<String, Long> failures() {
    Map<String, Long> sums = new TreeMap<>();
    failures.forEach((kind, count) -> sums.put(kind, count.sum()));
    return sums;
  }
}
