package io.acaciafs.kv.hbase.client;

import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;

/**
 * The thread {@code hbase-callback-1}, for what must not run on a thread of the network or of a
 * timer; nothing there blocks. After its end, tasks run on the thread that submits them, so that
 * their callers are told.
 */
public final class CallbackThread implements Executor, AutoCloseable {
  private final ExecutorService thread = ThreadPools.of("hbase-callback", 1);

  @Override
  public void execute(Runnable task) {
    try {
      thread.execute(task);
    } catch (RejectedExecutionException e) {
      task.run();
    }
  }

  /** What was given to it before still runs. */
  @Override
  public void close() {
    thread.shutdown();
  }
}
