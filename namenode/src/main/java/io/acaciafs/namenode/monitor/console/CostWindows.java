package io.acaciafs.namenode.monitor.console;

import io.acaciafs.rpc.limit.UserLoad;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * What each user has cost in the last minutes, a day at most, of the thousand with the highest
 * recent cost. Counts by minutes, so a window is up to a minute shorter than its name. Safe for use
 * by many threads.
 */
public final class CostWindows {
  private static final int DAY_MINUTES = (int) TimeUnit.DAYS.toMinutes(1);

  static final int MOST_USERS = 1_000;

  private final int longest;
  private final LongSupplier elapsedMs;
  private final Map<String, Costs> users = new HashMap<>();
  private boolean isFirst = true;

  /** The minutes of one user; a place holds the minute of that number. */
  private static final class Costs {
    private final long[] minuteAt;
    private final long[] nanos;
    private long lastTotal;
    private long lastMinute;

    Costs(int minutes) {
      minuteAt = new long[minutes];
      nanos = new long[minutes];
    }

    void add(long minute, long more) {
      int place = (int) (minute % nanos.length);
      nanos[place] = more + (minuteAt[place] == minute ? nanos[place] : 0);
      minuteAt[place] = minute;
    }

    long sum(long minute, int minutes) {
      long sum = 0;
      for (int i = 0; i < nanos.length; i++) {
        sum += minuteAt[i] > minute - minutes ? nanos[i] : 0;
      }
      return sum;
    }
  }

  /**
   * @param longest window, in minutes
   * @param elapsedMs does not go back
   */
  public CostWindows(int longest, LongSupplier elapsedMs) {
    this.longest = Math.max(1, Math.min(longest, DAY_MINUTES));
    this.elapsedMs = elapsedMs;
  }

  private long minute() {
    return TimeUnit.MILLISECONDS.toMinutes(elapsedMs.getAsLong()) + longest; // no place is minute 0
  }

  /**
   * To be called several times a minute.
   *
   * @param loads the users with the highest recent cost first
   */
  public synchronized void note(List<UserLoad> loads) {
    long minute = minute();
    for (UserLoad load : loads.subList(0, Math.min(MOST_USERS, loads.size()))) {
      Costs known = users.get(load.user());
      Costs costs = known == null ? new Costs(longest) : known;
      long before = known == null ? (isFirst ? load.totalNanos() : 0) : known.lastTotal;
      long more = load.totalNanos() - (load.totalNanos() < before ? 0 : before);
      costs.lastTotal = load.totalNanos();
      if (more > 0 || known == null) {
        costs.lastMinute = minute;
        costs.add(minute, more);
        users.put(load.user(), costs);
      }
    }
    isFirst = false;
    users.values().removeIf(costs -> minute - costs.lastMinute >= longest);
    if (users.size() > MOST_USERS) {
      forgetOldest();
    }
  }

  private void forgetOldest() {
    List<String> oldest =
        users.entrySet().stream()
            .sorted(
                (one, other) ->
                    Long.compare(one.getValue().lastMinute, other.getValue().lastMinute))
            .limit(users.size() - MOST_USERS)
            .map(Map.Entry::getKey)
            .toList();
    oldest.forEach(users::remove);
  }

  /** Nanoseconds by user, of those that cost anything. */
  synchronized Map<String, Long> nanos(int minutes) {
    long minute = minute();
    Map<String, Long> nanos = new HashMap<>();
    users.forEach(
        (user, costs) -> {
          long sum = costs.sum(minute, minutes);
          if (sum > 0) {
            nanos.put(user, sum);
          }
        });
    return nanos;
  }
}
