package io.acaciafs.namenode;

import io.acaciafs.namenode.monitor.history.History;
import io.acaciafs.namenode.monitor.problems.KnownProblems;
import io.acaciafs.namenode.process.RunningWork;
import java.time.Clock;
import java.util.List;

/**
 * What a process knows of itself from its start to its end, whatever its role.
 *
 * @param startedMs when the start began, milliseconds since 1970
 * @param history of what it did
 * @param problems that it had, and since when
 * @param running long work that somebody has asked for
 * @param warnings about its settings, for people
 */
record Lifetime(
    long startedMs,
    History history,
    KnownProblems problems,
    RunningWork running,
    List<String> warnings) {
  static Lifetime begin() {
    Clock clock = Clock.systemUTC();
    return new Lifetime(
        clock.millis(),
        new History(clock),
        new KnownProblems(clock),
        new RunningWork(clock),
        List.of());
  }

  Lifetime with(List<String> newWarnings) {
    return new Lifetime(startedMs, history, problems, running, List.copyOf(newWarnings));
  }
}
