package io.acaciafs.namenode.monitor.history;

import io.acaciafs.kv.StoreException;
import io.acaciafs.namenode.monitor.LastKnown;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * The histories of the other NameNodes, asked for when somebody looks, each once in ten seconds at
 * most. Safe for use by many threads.
 */
public final class OtherHistories {
  /** No more than this wait for an answer at a time. */
  public static final int MOST = 64;

  private static final long PATIENCE_MS = 1_000;
  private static final String SILENT = "It did not answer in time";

  private final Neighbours neighbours;
  private final HistoryClient client;
  private final Executor executor;
  private final Map<Question, LastKnown<Map<String, Object>>> known = new ConcurrentHashMap<>();

  private record Question(String name, InetSocketAddress address, Window window) {}

  /**
   * @param executor where a question waits for its answer
   */
  public OtherHistories(Neighbours neighbours, HistoryClient client, Executor executor) {
    this.neighbours = neighbours;
    this.client = client;
    this.executor = executor;
  }

  /** What each answers, or why it does not. Waits for a second at most. */
  List<Map<String, Object>> read(Window window) {
    Map<String, InetSocketAddress> addresses = neighbours.addresses();
    known.keySet().removeIf(each -> !each.address.equals(addresses.get(each.name)));
    long untilNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MS);
    List<Question> questions = new ArrayList<>();
    addresses.forEach((name, address) -> questions.add(new Question(name, address, window)));
    questions.forEach(question -> answer(question, System.nanoTime())); // all begin
    return questions.stream().map(question -> answer(question, untilNs)).toList();
  }

  private Map<String, Object> answer(Question question, long untilNs) {
    try {
      return known.computeIfAbsent(question, this::newAnswer).value(untilNs);
    } catch (StoreException e) { // this NameNode ends, or too many questions wait
      return Map.of("name", question.name, "problem", SILENT);
    }
  }

  private LastKnown<Map<String, Object>> newAnswer(Question question) {
    return new LastKnown<>(
        () -> ask(question),
        Map.of("name", question.name, "problem", SILENT),
        History.INTERVAL_MS,
        executor);
  }

  private Map<String, Object> ask(Question question) {
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("name", question.name);
    try {
      answer.put("history", client.ask(question.address, neighbours.user(), question.window));
    } catch (IOException | RuntimeException e) {
      answer.put("problem", String.valueOf(e.getMessage()).lines().findFirst().orElse(SILENT));
    }
    return answer;
  }
}
