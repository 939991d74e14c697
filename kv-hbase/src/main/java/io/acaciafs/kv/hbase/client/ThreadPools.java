package io.acaciafs.kv.hbase.client;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** Makes pools of named daemon threads. Stateless. */
public final class ThreadPools {
  private ThreadPools() {}

  /** A pool of so many threads {@code name-1}, {@code name-2} ... */
  public static ExecutorService of(String name, int threads) {
    AtomicInteger count = new AtomicInteger();
    return Executors.newFixedThreadPool(
        threads,
        task -> {
          Thread thread = new Thread(task, name + "-" + count.incrementAndGet());
          thread.setDaemon(true);
          return thread;
        });
  }
}
