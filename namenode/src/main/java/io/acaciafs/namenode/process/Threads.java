package io.acaciafs.namenode.process;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The daemon's own threads: named, bounded, ended. */
public final class Threads {
  private static final Logger LOG = LoggerFactory.getLogger(Threads.class);
  private static final long SHUTDOWN_SECONDS = 30;
  private static final long IDLE_SECONDS = 60;

  private Threads() {}

  public static ScheduledExecutorService scheduler(String name, int threads) {
    ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(threads, factory(name));
    executor.setRemoveOnCancelPolicy(true);
    return executor;
  }

  /**
   * Refuses with {@link java.util.concurrent.RejectedExecutionException} when the queue is full.
   */
  public static ThreadPoolExecutor pool(String name, int threads, int queueLimit) {
    ThreadPoolExecutor executor =
        new ThreadPoolExecutor(
            threads,
            threads,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(queueLimit),
            factory(name));
    executor.allowCoreThreadTimeOut(true);
    return executor;
  }

  private static ThreadFactory factory(String name) {
    AtomicInteger count = new AtomicInteger();
    return task -> {
      Thread thread = new Thread(task, name + "-" + count.incrementAndGet());
      thread.setDaemon(true);
      return thread;
    };
  }

  /** Has an executor shut down with what else is closed. */
  public static <T extends ExecutorService> T owned(ResourceStack resources, T executor) {
    resources.add(() -> shutDown(executor));
    return executor;
  }

  public static void shutDown(ExecutorService executor) {
    executor.shutdownNow();
    try {
      if (!executor.awaitTermination(SHUTDOWN_SECONDS, TimeUnit.SECONDS)) {
        LOG.warn("Threads did not end in time executor={}", executor);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits for the end of a thread that was told to end, for so long at most. */
  public static void join(Thread thread, long limitMs) {
    try {
      thread.join(limitMs);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
