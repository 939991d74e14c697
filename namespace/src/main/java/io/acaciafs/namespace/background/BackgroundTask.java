package io.acaciafs.namespace.background;

import io.acaciafs.kv.run.RepeatedFailures;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A task with a thread of its own that runs at an interval until it is closed. A run that fails is
 * logged, see {@link RepeatedFailures}, and tried again at the next interval.
 */
final class BackgroundTask implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(BackgroundTask.class);
  private static final long CLOSE_SECONDS = 30;

  /** One run. Ends early when its thread is interrupted. */
  @FunctionalInterface
  interface Run {
    void run() throws InterruptedException, ExecutionException, TimeoutException;
  }

  private final String name;
  private final String failed;
  private final RepeatedFailures failures = new RepeatedFailures(LOG);
  private final Run run;
  private final ScheduledExecutorService executor;

  BackgroundTask(String name, long intervalMs, Run run) {
    this.name = name;
    this.failed = "Background task failed, will run again task=" + name;
    this.run = run;
    this.executor =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, name);
              thread.setDaemon(true);
              return thread;
            });
    executor.scheduleWithFixedDelay(this::runOnce, 0, intervalMs, TimeUnit.MILLISECONDS);
  }

  private void runOnce() {
    try {
      run.run();
      failures.succeeded(failed);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException | RuntimeException e) {
      if (executor.isShutdown()) {
        LOG.debug("Background task was interrupted task={}", name, e);
      } else {
        failures.failed(failed, e);
      }
    }
  }

  @Override
  public void close() {
    executor.shutdownNow();
    try {
      if (!executor.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
        LOG.warn("Background task did not end in time task={}", name);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
