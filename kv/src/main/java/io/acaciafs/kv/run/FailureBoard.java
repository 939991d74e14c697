package io.acaciafs.kv.run;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What is tried again and again in this process and fails, as {@link RepeatedFailures} counts it:
 * for monitoring. An entry ends five minutes after its last failure: its object may have ended.
 * Safe for use by many threads.
 */
public final class FailureBoard {
  private static final FailureBoard OF_THIS_PROCESS = new FailureBoard();

  /** Further ones are not noted. */
  private static final int MOST = 100;

  private static final long KEEP_NS = 300_000_000_000L;

  private final Map<String, Failing> failing = new LinkedHashMap<>();

  /**
   * Something fails.
   *
   * @param what is tried
   * @param times how often it failed since it last succeeded
   * @param cause of the last failure, for people
   * @param lastNs when that was, by System.nanoTime
   */
  public record Failing(String what, long times, String cause, long lastNs) {}

  FailureBoard() {}

  /** The board of all that this process tries. */
  public static FailureBoard ofThisProcess() {
    return OF_THIS_PROCESS;
  }

  synchronized void failed(String what, Throwable failure, long nowNs) {
    Failing known = failing.get(what);
    forget(nowNs);
    if (known != null || failing.size() < MOST) {
      failing.put(
          what,
          new Failing(what, known == null ? 1 : known.times + 1, FailureText.of(failure), nowNs));
    }
  }

  synchronized void succeeded(String what) {
    failing.remove(what);
  }

  private void forget(long nowNs) {
    failing.values().removeIf(each -> nowNs - each.lastNs > KEEP_NS);
  }

  /** In the order of what is tried. */
  public synchronized List<Failing> now(long nowNs) {
    forget(nowNs);
    List<Failing> now = new ArrayList<>(failing.values());
    now.sort(Comparator.comparing(Failing::what));
    return now;
  }
}
