package io.acaciafs.bench.ha;

import java.util.List;
import java.util.Locale;

/**
 * How long a client that makes directories one after the other has none acknowledged.
 *
 * @param killedMs when the NameNode that serves is killed, sorted
 * @param handedOverMs when an administrator has another one serve, sorted
 * @param load of other clients meanwhile
 */
record Failovers(List<Long> killedMs, List<Long> handedOverMs, Load load) {
  Failovers {
    killedMs = killedMs.stream().sorted().toList();
    handedOverMs = handedOverMs.stream().sorted().toList();
  }

  /**
   * Clients that create, complete and delete one file after the other.
   *
   * @param filesPerSecond of all of them, before failovers
   */
  record Load(int clients, double filesPerSecond) {
    static final Load NONE = new Load(0, 0);

    /** Goes behind what was measured; empty without load. */
    String describe() {
      return clients == 0
          ? ""
          : String.format(
              Locale.ROOT, ", beside %d clients with %,.0f files/s", clients, filesPerSecond);
    }
  }

  static long median(List<Long> sorted) {
    return sorted.get(sorted.size() / 2);
  }

  static long longest(List<Long> sorted) {
    return sorted.get(sorted.size() - 1);
  }
}
