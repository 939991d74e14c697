package io.acaciafs.namespace.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.kv.ConflictException;
import io.acaciafs.namespace.background.BackgroundWork;
import io.acaciafs.namespace.testkit.NamespaceFixture;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/**
 * A short history of a few threads: there is an order of the operations that agrees with real time
 * and in which the model gives the same answers (Wing and Gong's search).
 */
final class ConcurrentHistory {
  private static final int THREADS = 3;
  private static final int OPERATIONS_OF_ONE_THREAD = 4;
  private static final int TRANSACTIONS_THAT_SPLIT = 50;

  private final NamespaceFixture fixture;
  private final AtomicLong moments = new AtomicLong();

  /** An operation that ended: between these two moments it happened. */
  private record Ended(Step step, long began, long ended, String answer) {
    @Override
    public String toString() {
      return began + "-" + ended + " " + step.text() + " -> " + answer + "\n";
    }
  }

  private ConcurrentHistory(NamespaceFixture fixture) {
    this.fixture = fixture;
  }

  /**
   * @param before what the fixture shows now
   */
  static void check(
      int seed, NamespaceFixture fixture, Model before, Function<Random, Step> steps) {
    ConcurrentHistory run = new ConcurrentHistory(fixture);
    List<Callable<List<Ended>>> tasks = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      Random random = new Random(seed * 100L + i);
      tasks.add(() -> run.operations(random, steps));
    }
    if (fixture.namespace().settings().directories().splitThreshold() > 0) {
      tasks.add(run::split);
    }
    List<Ended> history = new ArrayList<>();
    Parallel.run(tasks).forEach(history::addAll);
    assertThat(isLinearizable(before, history)).as(() -> "seed=" + seed + " " + history).isTrue();
  }

  /** Of which no operation shows anything. */
  private List<Ended> split() {
    for (int i = 0; i < TRANSACTIONS_THAT_SPLIT; i++) {
      try {
        BackgroundWork.splitOnce(fixture.namespace());
      } catch (ConflictException e) {
        // others were always faster
      }
    }
    return List.of();
  }

  private List<Ended> operations(Random random, Function<Random, Step> steps) {
    List<Ended> ended = new ArrayList<>();
    for (int i = 0; i < OPERATIONS_OF_ONE_THREAD; i++) {
      Step step = steps.apply(random);
      long began = moments.incrementAndGet();
      String answer;
      try {
        answer = step.real().run(fixture);
      } catch (IOException | RuntimeException e) {
        answer = e.getClass().getName();
      }
      ended.add(new Ended(step, began, moments.incrementAndGet(), answer));
    }
    return ended;
  }

  private static boolean isLinearizable(Model before, List<Ended> left) {
    long firstEnd = left.stream().mapToLong(Ended::ended).min().orElse(0);
    for (Ended next : left) {
      if (next.began() <= firstEnd) {
        Step.Expected expected = next.step().expected(before);
        if (expected.answer().equals(next.answer())) {
          List<Ended> others = new ArrayList<>(left);
          others.remove(next);
          if (isLinearizable(expected.after(), others)) {
            return true;
          }
        }
      }
    }
    return left.isEmpty();
  }
}
