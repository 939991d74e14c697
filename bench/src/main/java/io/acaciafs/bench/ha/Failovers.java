package io.acaciafs.bench.ha;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * How long a client that makes directories one after the other has none acknowledged.
 *
 * @param killedMs when the NameNode that serves is killed, sorted
 * @param handedOverMs when an administrator has another one serve, sorted
 */
record Failovers(List<Long> killedMs, List<Long> handedOverMs) {
  private static final int ENOUGH = 200;

  /** For the NameNodes to be at rest, as they are between failovers. */
  private static final long REST_MS = 5_000;

  Failovers {
    killedMs = killedMs.stream().sorted().toList();
    handedOverMs = handedOverMs.stream().sorted().toList();
  }

  /**
   * Measures kills, each followed by a hand-over to a NameNode that was started before.
   *
   * @param times of each kind
   * @param log is told of each
   */
  static Failovers measure(HaGroup group, String title, int times, Consumer<String> log)
      throws Exception {
    List<Long> killed = new ArrayList<>();
    List<Long> handedOver = new ArrayList<>();
    try (Writer writer = new Writer(group.client(), "/failovers")) {
      for (int i = 0; i < times; i++) {
        killed.add(kill(group, writer, told -> log.accept(title + ": " + told)));
        handedOver.add(handOver(group, writer, told -> log.accept(title + ": " + told)));
      }
    }
    return new Failovers(killed, handedOver);
  }

  /**
   * Measures hand-overs between NameNodes that go on, then kills.
   *
   * @param log is told of each
   */
  static Failovers measure(HaGroup group, int kills, int handOvers, Consumer<String> log)
      throws Exception {
    List<Long> killed = new ArrayList<>();
    List<Long> handedOver = new ArrayList<>();
    try (Writer writer = new Writer(group.client(), "/failovers")) {
      for (int i = 0; i < handOvers; i++) {
        handedOver.add(handOver(group, writer, log));
      }
      for (int i = 0; i < kills; i++) {
        killed.add(kill(group, writer, log));
      }
    }
    return new Failovers(killed, handedOver);
  }

  private static long kill(HaGroup group, Writer writer, Consumer<String> log) throws Exception {
    settle(writer);
    String gone = group.killActive();
    writer.awaitMore(ENOUGH);
    long gapMs = writer.longestGapMs();
    log.accept(gapMs + " ms after " + gone + " was killed");
    group.restart(gone);
    return gapMs;
  }

  private static long handOver(HaGroup group, Writer writer, Consumer<String> log)
      throws Exception {
    settle(writer);
    group.handOver();
    writer.awaitMore(ENOUGH);
    long gapMs = writer.longestGapMs();
    log.accept(gapMs + " ms while leadership was handed over");
    return gapMs;
  }

  static long median(List<Long> sorted) {
    return sorted.get(sorted.size() / 2);
  }

  static long longest(List<Long> sorted) {
    return sorted.get(sorted.size() - 1);
  }

  private static void settle(Writer writer) throws Exception {
    TimeUnit.MILLISECONDS.sleep(REST_MS);
    writer.awaitMore(ENOUGH);
    writer.reset();
  }
}
