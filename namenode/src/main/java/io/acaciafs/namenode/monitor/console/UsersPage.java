package io.acaciafs.namenode.monitor.console;

import io.acaciafs.namenode.audit.TopUsers;
import io.acaciafs.namenode.monitor.EachInterval;
import io.acaciafs.rpc.limit.UserLoad;
import io.acaciafs.web.JsonPart.Answer;
import io.acaciafs.web.WebQuery;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.hadoop.hdfs.server.namenode.top.window.RollingWindowManager.Op;
import org.apache.hadoop.hdfs.server.namenode.top.window.RollingWindowManager.TopWindow;

/**
 * Which users cost the NameNode how much, by operation, and whether separate threads serve them.
 * The table of all users is made once in five seconds. Safe for use by many threads.
 */
public final class UsersPage {
  private static final long MADE_EVERY_MS = 5_000;
  private static final int USUAL = 100;
  private static final int MOST = 1_000;

  /** Of HDFS: of all operations. */
  private static final String ALL = "*";

  private final Supplier<List<UserLoad>> loads;
  private final TopUsers top;
  private final CostWindows costs;
  private final EachInterval<Map<Integer, List<User>>> tables =
      new EachInterval<>(MADE_EVERY_MS, this::make);

  /** A user in one window. */
  private record User(
      String name, long costNanos, long calls, boolean isIsolated, Map<String, Long> byOperation) {
    Map<String, Object> shown() {
      Map<String, Object> shown = new LinkedHashMap<>();
      shown.put("name", name);
      shown.put("costMs", TimeUnit.NANOSECONDS.toMillis(costNanos));
      shown.put("calls", calls);
      shown.put("isolated", isIsolated);
      shown.put("byOperation", byOperation);
      return shown;
    }
  }

  public UsersPage(Supplier<List<UserLoad>> loads, TopUsers top, CostWindows costs) {
    this.loads = loads;
    this.top = top;
    this.costs = costs;
  }

  /** Has what users cost counted; to be called several times a minute. */
  public void note() {
    costs.note(loads.get());
  }

  /**
   * The users of one window, those with the highest cost first.
   *
   * @param query "minutes" is the window, "filter" a part of the names, "limit" how many
   */
  public Answer read(WebQuery query) {
    Map<Integer, List<User>> made = tables.get();
    int first = made.keySet().stream().findFirst().orElse(0);
    int minutes = (int) query.number("minutes", first);
    List<User> users = made.getOrDefault(minutes, List.of());
    String filter = query.text("filter").toLowerCase(Locale.ROOT);
    List<User> found =
        users.stream().filter(user -> user.name.toLowerCase(Locale.ROOT).contains(filter)).toList();
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("minutes", minutes);
    body.put("windows", made.keySet());
    body.put("users", users.size());
    body.put("found", found.size());
    body.put("shown", found.stream().limit(query.limit(USUAL, MOST)).map(User::shown).toList());
    return Answer.ok(body);
  }

  /** By the minutes of the windows. */
  private Map<Integer, List<User>> make() {
    note();
    Set<String> isolated =
        loads.get().stream()
            .filter(UserLoad::isolated)
            .map(UserLoad::user)
            .collect(Collectors.toSet());
    Map<Integer, List<User>> made = new LinkedHashMap<>();
    for (TopWindow window : top.windows()) {
      int minutes = (int) TimeUnit.MILLISECONDS.toMinutes(window.getWindowLenMs());
      made.put(minutes, users(window, costs.nanos(minutes), isolated));
    }
    return made;
  }

  private static List<User> users(TopWindow window, Map<String, Long> nanos, Set<String> isolated) {
    Map<String, Map<String, Long>> calls = new HashMap<>();
    for (Op operation : window.getOps()) {
      operation
          .getAllUsers()
          .forEach(
              user ->
                  calls
                      .computeIfAbsent(user.getUser(), name -> new LinkedHashMap<>())
                      .put(operation.getOpType(), user.getCount()));
    }
    Set<String> names = new TreeSet<>(calls.keySet());
    names.addAll(nanos.keySet());
    List<User> users = new ArrayList<>(names.size());
    for (String name : names) {
      Map<String, Long> byOperation = calls.getOrDefault(name, new LinkedHashMap<>());
      Long all = byOperation.remove(ALL);
      users.add(
          new User(
              name,
              nanos.getOrDefault(name, 0L),
              all == null ? 0 : all,
              isolated.contains(name),
              byOperation));
    }
    users.sort(
        Comparator.comparingLong(User::costNanos)
            .thenComparingLong(User::calls)
            .reversed()
            .thenComparing(User::name));
    return users;
  }
}
