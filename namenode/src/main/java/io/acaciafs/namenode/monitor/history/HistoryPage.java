package io.acaciafs.namenode.monitor.history;

import io.acaciafs.namenode.monitor.EachInterval;
import io.acaciafs.web.JsonPart.Answer;
import io.acaciafs.web.WebQuery;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The history of this NameNode and of the others: for each its name and its {@code history}, or the
 * {@code problem} that kept it from answering. Safe for use by many threads.
 */
public final class HistoryPage {
  private final String name;
  private final History own;
  private final Map<Window, EachInterval<Answer>> answers = new EnumMap<>(Window.class);

  /**
   * @param name of this NameNode, for people
   */
  public HistoryPage(String name, History own, OtherHistories others) {
    this.name = name;
    this.own = own;
    for (Window window : Window.values()) {
      answers.put(window, EachInterval.forPages(() -> answer(others, window)));
    }
  }

  /** What {@link #read} says of this NameNode's last hour. */
  public Map<String, Object> lastHour() {
    return own(Window.HOUR);
  }

  private Map<String, Object> own(Window window) {
    return Map.of("name", name, "isThis", true, "history", own.shown(window));
  }

  /**
   * Waits for a second at most.
   *
   * @param query "window" is "hour" or "day"
   */
  public Answer read(WebQuery query) {
    Window window = Window.of(query.text("window"));
    return Objects.requireNonNull(answers.get(window), "each has one").get();
  }

  private Answer answer(OtherHistories others, Window window) {
    List<Map<String, Object>> nameNodes = new ArrayList<>();
    nameNodes.add(own(window));
    nameNodes.addAll(others.read(window));
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("window", window.key());
    body.put("nameNodes", nameNodes);
    return Answer.ok(body);
  }
}
