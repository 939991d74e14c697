package io.acaciafs.namespace.model;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Runs tasks at the same time and hands on what any of them throws. */
public final class Parallel {
  private static final long LONGEST_RUN_SECONDS = 120;

  private Parallel() {}

  /** The results in the order of the tasks. */
  public static <T> List<T> run(List<Callable<T>> tasks) {
    ExecutorService threads = Executors.newFixedThreadPool(tasks.size());
    CyclicBarrier start = new CyclicBarrier(tasks.size());
    try {
      List<Future<T>> futures = new ArrayList<>();
      for (Callable<T> task : tasks) {
        futures.add(
            threads.submit(
                () -> {
                  awaitAll(start);
                  return task.call();
                }));
      }
      List<T> results = new ArrayList<>();
      for (Future<T> future : futures) {
        results.add(future.get(LONGEST_RUN_SECONDS, TimeUnit.SECONDS));
      }
      return results;
    } catch (ExecutionException e) {
      throw new AssertionError(e.getCause());
    } catch (InterruptedException | TimeoutException e) {
      throw new AssertionError(e);
    } finally {
      threads.shutdownNow();
    }
  }

  private static void awaitAll(CyclicBarrier start) throws InterruptedException, TimeoutException {
    try {
      start.await(LONGEST_RUN_SECONDS, TimeUnit.SECONDS);
    } catch (BrokenBarrierException e) {
      throw new IllegalStateException(e);
    }
  }
}
