package io.acaciafs.namenode.audit;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Collections;
import java.util.Date;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.hdfs.server.namenode.top.TopConf;
import org.apache.hadoop.hdfs.server.namenode.top.window.RollingWindowManager;
import org.apache.hadoop.hdfs.server.namenode.top.window.RollingWindowManager.TopWindow;
import org.jspecify.annotations.Nullable;

/**
 * Which user has made which calls how often, in the last minutes: HDFS's nntop, with its windows.
 * Calls are counted by command and user; {@link #flush}, which a timer calls about once a second
 * and every reader does, brings the counts into the windows. A client can name any number of users:
 * when there are very many, further users share one count. For many threads.
 */
public final class TopUsers {
  /** In all windows, and of one command between two flushes. */
  static final int MANY_USERS = 5_000;

  /** No user has this name, because it contains a space. */
  static final String OTHERS = "all others";

  private static final int LONGEST_NAME = 256;

  private final Map<String, Command> commands = new ConcurrentHashMap<>();
  private final Map<Integer, RollingWindowManager> windowsByMs = new LinkedHashMap<>();
  private final boolean enabled;
  private final LongSupplier clockMs;

  /** The last count of each user in the windows. For flush. */
  private final Map<String, Long> known = new HashMap<>();

  private long longestMs;

  /**
   * Reads {@code dfs.namenode.top.*}.
   *
   * @param clockMs does not go back
   */
  public TopUsers(Configuration conf, LongSupplier clockMs) {
    TopConf settings = new TopConf(conf);
    this.enabled = settings.isEnabled;
    this.clockMs = clockMs;
    if (enabled) {
      for (int periodMs : settings.nntopReportingPeriodsMs) {
        windowsByMs.put(periodMs, new RollingWindowManager(conf, periodMs));
        longestMs = Math.max(longestMs, periodMs);
      }
    }
  }

  /** The accesses of one kind. For many threads. */
  static final class Command {
    private final Map<String, LongAdder> users = new ConcurrentHashMap<>();
    private final boolean enabled;

    private Command(boolean enabled) {
      this.enabled = enabled;
    }

    /** Counts one. */
    void count(String user) {
      if (!enabled) {
        return;
      }
      LongAdder counter = users.get(user);
      if (counter == null) {
        boolean isOneTooMany = users.size() >= MANY_USERS || user.length() > LONGEST_NAME;
        counter = users.computeIfAbsent(isOneTooMany ? OTHERS : user, name -> new LongAdder());
      }
      counter.increment();
    }
  }

  /** Where accesses of a kind are counted, for a caller that counts many. */
  Command command(String name) {
    return commands.computeIfAbsent(name, any -> new Command(enabled));
  }

  /** Brings what was counted since the last time into the windows. */
  public synchronized void flush() {
    long nowMs = clockMs.getAsLong();
    if (known.size() >= MANY_USERS
        && known.values().removeIf(lastMs -> nowMs - lastMs > longestMs)) {
      windowsByMs.values().forEach(each -> each.snapshot(nowMs)); // which forgets them as well
    }
    commands.forEach(
        (name, command) ->
            command.users.forEach(
                (user, counter) -> {
                  long count = counter.sumThenReset();
                  if (count > 0) {
                    String told = nameOf(user, nowMs);
                    windowsByMs
                        .values()
                        .forEach(each -> each.recordMetric(nowMs, name, told, count));
                  } else { // an access that is counted just now may be lost
                    command.users.remove(user);
                  }
                }));
  }

  private String nameOf(String user, long nowMs) {
    if (known.size() >= MANY_USERS && !known.containsKey(user)) {
      return OTHERS;
    }
    known.put(user, nowMs);
    return user;
  }

  /** The windows as they are now, none where the setting says so; each from the most frequent. */
  List<TopWindow> windows() {
    return windowsByMs.keySet().stream().map(this::window).toList();
  }

  /** How long the windows are; none where the setting says so. */
  public Set<Integer> windowsMs() {
    return Collections.unmodifiableSet(windowsByMs.keySet());
  }

  /**
   * One window as it is now, from the most frequent. With thousands of users that takes tens of
   * milliseconds, as HDFS's class looks for each user among all.
   *
   * @param lengthMs one of {@link #windowsMs}
   */
  public TopWindow window(int lengthMs) {
    RollingWindowManager window = windowsByMs.get(lengthMs);
    if (window == null) {
      throw new IllegalArgumentException("There is no window of " + lengthMs + " ms");
    }
    flush();
    return window.snapshot(clockMs.getAsLong());
  }

  /** The attribute TopUserOpCounts of HDFS's bean FSNamesystemState, JSON; null: it is off. */
  public @Nullable String topUserOpCounts() {
    if (!enabled) {
      return null;
    }
    Map<String, Object> told = new TreeMap<>();
    told.put("windows", windows());
    told.put("timestamp", DFSUtil.dateToIso8601String(new Date()));
    try {
      return new ObjectMapper().writeValueAsString(told);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }
}
