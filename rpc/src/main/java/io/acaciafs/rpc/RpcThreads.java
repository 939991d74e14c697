package io.acaciafs.rpc;

import io.netty.util.concurrent.FastThreadLocalThread;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** The threads of a server: daemons, named and numbered. */
final class RpcThreads {
  private static final long WORKER_IDLE_SECONDS = 60;

  private RpcThreads() {}

  /** A thread that may wait. */
  static final class Worker extends FastThreadLocalThread {
    Worker(Runnable target, String name) {
      super(target, name);
    }
  }

  static ThreadFactory network() {
    return network("rpc-io-", Thread.NORM_PRIORITY);
  }

  /** For users who cost much. They come after the others where the machine is told priorities. */
  static ThreadFactory networkApart() {
    return network("rpc-io-apart-", Thread.MIN_PRIORITY);
  }

  private static ThreadFactory network(String name, int priority) {
    AtomicInteger number = new AtomicInteger();
    return target -> {
      Thread thread = new FastThreadLocalThread(target, name + number.getAndIncrement());
      thread.setDaemon(true);
      thread.setPriority(priority);
      return thread;
    };
  }

  /** A pool that refuses a task when so many wait already. */
  static ThreadPoolExecutor workers(String name, int threads, int queueLimit) {
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
}
