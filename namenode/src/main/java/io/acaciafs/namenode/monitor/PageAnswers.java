package io.acaciafs.namenode.monitor;

import io.acaciafs.web.JsonPart.Answer;
import io.acaciafs.web.WebQuery;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Answers about figures that are made once in some seconds. Viewers that ask the same of the same
 * figures get the same answer. Safe for use by many threads.
 */
public final class PageAnswers<T> {
  /** Further ones are made each time. */
  private static final int MOST_KEPT = 20;

  private final EachInterval<Made<T>> made;
  private final BiFunction<T, WebQuery, Answer> answer;

  private record Made<T>(T figures, Map<WebQuery, Answer> answers) {}

  public PageAnswers(Supplier<T> figures, BiFunction<T, WebQuery, Answer> answer) {
    this(EachInterval.PAGES_MS, figures, answer);
  }

  /** Figures that are made less often than those of other pages. */
  public PageAnswers(long intervalMs, Supplier<T> figures, BiFunction<T, WebQuery, Answer> answer) {
    this(intervalMs, figures, answer, System::nanoTime);
  }

  PageAnswers(
      long intervalMs,
      Supplier<T> figures,
      BiFunction<T, WebQuery, Answer> answer,
      LongSupplier nanoTime) {
    this.made =
        new EachInterval<>(
            intervalMs, () -> new Made<>(figures.get(), new ConcurrentHashMap<>()), nanoTime);
    this.answer = answer;
  }

  /** What is answered to a query. */
  public Answer read(WebQuery query) {
    Made<T> now = made.get();
    Answer known = now.answers.get(query);
    if (known != null) {
      return known;
    }
    Answer next = answer.apply(now.figures, query);
    if (now.answers.size() < MOST_KEPT) {
      now.answers.put(query, next);
    }
    return next;
  }
}
