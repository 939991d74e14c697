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
   * Measures.
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
        settle(writer);
        String gone = group.killActive();
        writer.awaitMore(ENOUGH);
        killed.add(writer.longestGapMs());
        log.accept(title + ": " + writer.longestGapMs() + " ms after " + gone + " was killed");
        group.restart(gone);
        settle(writer);
        group.handOver();
        writer.awaitMore(ENOUGH);
        handedOver.add(writer.longestGapMs());
        log.accept(title + ": " + writer.longestGapMs() + " ms while leadership was handed over");
      }
    }
    return new Failovers(killed, handedOver);
  }

  private static void settle(Writer writer) throws Exception {
    TimeUnit.MILLISECONDS.sleep(REST_MS);
    writer.awaitMore(ENOUGH);
    writer.reset();
  }
}
