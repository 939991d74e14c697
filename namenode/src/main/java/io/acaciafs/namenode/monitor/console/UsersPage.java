package io.acaciafs.namenode.monitor.console;

import io.acaciafs.namenode.audit.TopUsers;
import io.acaciafs.namenode.monitor.PageAnswers;
import io.acaciafs.rpc.limit.UserLoad;
import io.acaciafs.web.JsonPart.Answer;
import io.acaciafs.web.WebQuery;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.hadoop.hdfs.server.namenode.top.window.RollingWindowManager;
import org.apache.hadoop.hdfs.server.namenode.top.window.RollingWindowManager.Op;
import org.apache.hadoop.hdfs.server.namenode.top.window.RollingWindowManager.TopWindow;

/**
 * Which users cost the NameNode how much, by operation, and whether separate threads serve them.
 * They are counted once in 30 seconds, as there may be thousands. Safe for use by many threads.
 */
public final class UsersPage {
  private static final long COUNTED_EVERY_MS = 30_000;
  private static final int USUAL = 100;
  private static final int MOST = 1_000;

  /** Of HDFS: of all operations. */
  private static final String ALL = "*";

  private final Supplier<List<UserLoad>> loads;
  private final TopUsers top;
  private final CostWindows costs;
  private final PageAnswers<Counted> answers =
      new PageAnswers<>(COUNTED_EVERY_MS, this::count, this::answer);

  /** The windows that were asked for, by their minutes. */
  private record Counted(Map<Integer, TopWindow> windows, Set<String> isolated) {}

  /** A user in one window. */
  private record User(String name, long costNanos, long calls) {}

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
   * @param query "minutes" is the window, "filter" a part of the names, "from" the number of the
   *     first one, "limit" how many
   */
  public Answer read(WebQuery query) {
    return answers.read(query);
  }

  private Counted count() {
    note();
    return new Counted(
        new ConcurrentHashMap<>(),
        loads.get().stream()
            .filter(UserLoad::isolated)
            .map(UserLoad::user)
            .collect(Collectors.toSet()));
  }

  private Answer answer(Counted counted, WebQuery query) {
    Map<Integer, Integer> windows = new LinkedHashMap<>();
    top.windowsMs().forEach(ms -> windows.put((int) TimeUnit.MILLISECONDS.toMinutes(ms), ms));
    int minutes = (int) query.number("minutes", windows.keySet().stream().findFirst().orElse(0));
    Integer windowMs = windows.get(minutes);
    List<Op> operations =
        windowMs == null
            ? List.of()
            : counted.windows.computeIfAbsent(minutes, any -> top.window(windowMs)).getOps();
    List<User> users = windowMs == null ? List.of() : users(operations, costs.nanos(minutes));
    String filter = query.text("filter").toLowerCase(Locale.ROOT);
    List<User> found =
        users.stream().filter(user -> user.name.toLowerCase(Locale.ROOT).contains(filter)).toList();
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("minutes", minutes);
    body.put("windows", windows.keySet());
    body.put("users", users.size());
    body.put("found", found.size());
    List<User> wanted = query.page(found, USUAL, MOST).toList();
    body.put("shown", shown(wanted, operations, counted.isolated));
    return Answer.ok(body);
  }

  /** Those with the highest cost first. */
  private static List<User> users(List<Op> operations, Map<String, Long> nanos) {
    Map<String, Long> calls = new HashMap<>();
    operations.stream()
        .filter(operation -> operation.getOpType().equals(ALL))
        .flatMap(operation -> operation.getAllUsers().stream())
        .forEach(user -> calls.put(user.getUser(), user.getCount()));
    Set<String> names = new HashSet<>(calls.keySet());
    names.addAll(nanos.keySet());
    return names.stream()
        .map(name -> new User(name, nanos.getOrDefault(name, 0L), calls.getOrDefault(name, 0L)))
        .sorted(
            Comparator.comparingLong(User::costNanos)
                .thenComparingLong(User::calls)
                .reversed()
                .thenComparing(User::name))
        .toList();
  }

  private static List<Map<String, Object>> shown(
      List<User> users, List<Op> operations, Set<String> isolated) {
    Map<String, Map<String, Long>> byOperation = new HashMap<>();
    users.forEach(user -> byOperation.put(user.name, new LinkedHashMap<>()));
    for (Op operation : operations) {
      if (!operation.getOpType().equals(ALL)) {
        for (RollingWindowManager.User user : operation.getAllUsers()) {
          Map<String, Long> known = byOperation.get(user.getUser());
          if (known != null) {
            known.put(operation.getOpType(), user.getCount());
          }
        }
      }
    }
    List<Map<String, Object>> shown = new ArrayList<>();
    for (User user : users) {
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put("name", user.name);
      fields.put("costMs", TimeUnit.NANOSECONDS.toMillis(user.costNanos));
      fields.put("calls", user.calls);
      fields.put("isolated", isolated.contains(user.name));
      fields.put("byOperation", byOperation.get(user.name));
      shown.add(fields);
    }
    return shown;
  }
}
