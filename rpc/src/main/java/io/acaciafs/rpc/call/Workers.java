package io.acaciafs.rpc.call;

import java.util.concurrent.RejectedExecutionException;

/** Runs tasks that may wait. */
@FunctionalInterface
public interface Workers {
  /**
   * Runs a task on a worker. Any thread.
   *
   * @param isolated whether the task is for an isolated user
   * @throws RejectedExecutionException if too many tasks wait for a worker
   */
  void execute(boolean isolated, Runnable task);
}
