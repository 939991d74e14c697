package io.acaciafs.namenode.audit;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.hdfs.server.namenode.top.TopConf;
import org.apache.hadoop.hdfs.server.namenode.top.window.RollingWindowManager;
import org.apache.hadoop.hdfs.server.namenode.top.window.RollingWindowManager.TopWindow;

/**
 * Who has asked for what how often, in the last minutes: HDFS's nntop, with its windows. Calls are
 * counted by command and user; {@link #flush}, which somebody calls about once a second and every
 * reader does, brings the counts into the windows. For many threads.
 */
public final class TopUsers {
  private final Map<String, Command> commands = new ConcurrentHashMap<>();
  private final List<RollingWindowManager> windows = new ArrayList<>();
  private final boolean enabled;
  private final LongSupplier clockMs;

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
        windows.add(new RollingWindowManager(conf, periodMs));
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
        counter = users.computeIfAbsent(user, name -> new LongAdder());
      }
      counter.increment();
    }
  }

  /** Where accesses of a kind are counted, for whoever counts many. */
  Command command(String name) {
    return commands.computeIfAbsent(name, any -> new Command(enabled));
  }

  /** Brings what was counted since the last time into the windows. */
  public synchronized void flush() {
    long nowMs = clockMs.getAsLong();
    commands.forEach(
        (name, command) ->
            command.users.forEach(
                (user, counter) -> {
                  long count = counter.sumThenReset();
                  if (count > 0) {
                    windows.forEach(each -> each.recordMetric(nowMs, name, user, count));
                  } else { // an access that is counted just now may be lost
                    command.users.remove(user);
                  }
                }));
  }

  /** The windows as they are now, none where the setting says so; each from the most frequent. */
  public List<TopWindow> windows() {
    flush();
    long nowMs = clockMs.getAsLong();
    return windows.stream().map(each -> each.snapshot(nowMs)).toList();
  }

  /** The attribute TopUserOpCounts of HDFS's bean FSNamesystemState, JSON; null: it is off. */
  public String topUserOpCounts() {
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
