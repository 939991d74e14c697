package io.acaciafs.kv.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;

/** Runs the same on several threads and hands on what any of them throws. */
final class Threads {
  private static final long LONGEST_RUN_S = 60;

  private Threads() {}

  /** Gives each thread its number, and returns the results in their order. */
  static <T> List<T> run(int count, IntFunction<Callable<T>> tasks) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(count);
    try {
      List<Future<T>> futures = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        futures.add(threads.submit(tasks.apply(i)));
      }
      List<T> results = new ArrayList<>();
      for (Future<T> future : futures) {
        results.add(future.get(LONGEST_RUN_S, TimeUnit.SECONDS));
      }
      return results;
    } finally {
      threads.shutdownNow();
    }
  }
}
