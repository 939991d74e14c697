package io.acaciafs.rpc.call;

import io.acaciafs.rpc.options.ThreadOptions;
import io.netty.util.concurrent.FastThreadLocalThread;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The workers of a server: threads {@code rpc-worker-N}, and fewer threads {@code
 * rpc-worker-isolated-N} for isolated users. All are daemons. Each pool has a bounded queue. Safe
 * for use by many threads.
 */
public final class WorkerPools implements Workers {
  private static final long WORKER_IDLE_SECONDS = 60;

  /** Isolated users get this part of the number of workers. */
  private static final int ISOLATED_PART = 4;

  private final ThreadPoolExecutor shared;
  private final ThreadPoolExecutor isolated;

  public WorkerPools(ThreadOptions options) {
    shared = pool("rpc-worker-", options.workerThreads(), options.workerQueueLimit());
    isolated =
        pool(
            "rpc-worker-isolated-",
            Math.max(1, options.workerThreads() / ISOLATED_PART),
            options.workerQueueLimit());
  }

  private static final class Worker extends FastThreadLocalThread {
    Worker(Runnable target, String name) {
      super(target, name);
    }
  }

  /** Whether the current thread is a worker of any server. */
  public static boolean isWorker() {
    return Thread.currentThread() instanceof Worker;
  }

  private static ThreadPoolExecutor pool(String name, int threads, int queueLimit) {
    AtomicInteger number = new AtomicInteger();
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            threads,
            threads,
            WORKER_IDLE_SECONDS,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(queueLimit),
            target -> {
              Thread thread = new Worker(target, name + number.getAndIncrement());
              thread.setDaemon(true);
              return thread;
            });
    pool.allowCoreThreadTimeOut(true);
    return pool;
  }

  @Override
  public void execute(boolean isolated, Runnable task) {
    (isolated ? this.isolated : shared).execute(task);
  }

  /** How many tasks wait for a worker now. */
  public int queuedTasks() {
    return shared.getQueue().size() + isolated.getQueue().size();
  }

  /** Interrupts all workers and drops the tasks that wait. */
  public void shutdownNow() {
    shared.shutdownNow();
    isolated.shutdownNow();
  }

  /** Waits for each pool at most this long; returns whether all workers have ended. */
  public boolean awaitTermination(long limitMs) throws InterruptedException {
    return shared.awaitTermination(limitMs, TimeUnit.MILLISECONDS)
        & isolated.awaitTermination(limitMs, TimeUnit.MILLISECONDS);
  }
}
