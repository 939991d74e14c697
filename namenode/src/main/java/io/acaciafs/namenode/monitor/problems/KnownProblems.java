package io.acaciafs.namenode.monitor.problems;

import java.time.Clock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Remembers since when a process has had each problem. A problem that comes back is a new one. Safe
 * for use by many threads.
 */
public final class KnownProblems {
  /** Further ones are not looked at. */
  static final int MOST = 200;

  private final Clock clock;
  private final Map<Key, Long> sinceMs = new HashMap<>();

  private record Key(ProblemKind kind, String subject) {}

  /**
   * A problem and when it was seen first.
   *
   * @param sinceMs milliseconds since 1970
   */
  public record Known(Problem problem, long sinceMs) {}

  public KnownProblems(Clock clock) {
    this.clock = clock;
  }

  /**
   * These are the problems now.
   *
   * @return the worst first, and of equally bad ones the newest
   */
  public synchronized List<Known> update(List<Problem> found) {
    long nowMs = clock.millis();
    Map<Key, Known> now = new HashMap<>();
    for (Problem problem : found.subList(0, Math.min(MOST, found.size()))) {
      Key key = new Key(problem.kind(), problem.subject());
      now.put(key, new Known(problem, sinceMs.getOrDefault(key, nowMs)));
    }
    sinceMs.clear();
    now.forEach((key, known) -> sinceMs.put(key, known.sinceMs));
    List<Known> sorted = new ArrayList<>(now.values());
    sorted.sort(
        Comparator.comparing((Known known) -> known.problem.kind().severity())
            .thenComparing(Known::sinceMs, Comparator.reverseOrder())
            .thenComparing(known -> known.problem.kind())
            .thenComparing(known -> known.problem.subject()));
    return sorted;
  }
}
