package io.acaciafs.tools.common;

import java.io.Closeable;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.util.ShutdownHookManager;

/**
 * Keeps something open until the process is told to end, and then closes it in order.
 *
 * <p>The close runs at most once, on the thread that ends first: the JVM's shutdown (SIGTERM,
 * SIGINT) or the caller of {@link #close}. Hadoop closes its cached clients in the same shutdown at
 * priority 10; ours comes earlier, so that clients and servers do not wait for each other.
 */
public final class Foreground implements AutoCloseable {
  private static final int BEFORE_CLIENTS = 30;

  /** As of a process that ended by signal 15. */
  private static final int TERMINATED = 128 + 15;

  private final AtomicBoolean closed = new AtomicBoolean();
  private final CountDownLatch done = new CountDownLatch(1);
  private final Closeable resource;

  /** After which the process ends all the same. */
  private final long longestMs;

  /** Takes over {@code resource}, of a process that has read no configuration. */
  public Foreground(Closeable resource) {
    this(resource, new Configuration());
  }

  /** The same as with no limit but that of the configuration. */
  public Foreground(Closeable resource, Configuration conf) {
    this(resource, conf, Long.MAX_VALUE);
  }

  /**
   * Takes over {@code resource}.
   *
   * @param conf says how long the end may take
   * @param mostMs after which a process that was told to end is killed; for processes that lose
   *     nothing by it
   */
  public Foreground(Closeable resource, Configuration conf, long mostMs) {
    this.resource = resource;
    this.longestMs = mostMs;
    long timeoutMs =
        conf.getTimeDuration(
            CommonConfigurationKeysPublic.SERVICE_SHUTDOWN_TIMEOUT,
            CommonConfigurationKeysPublic.SERVICE_SHUTDOWN_TIMEOUT_DEFAULT,
            TimeUnit.SECONDS,
            TimeUnit.MILLISECONDS);
    ShutdownHookManager.get()
        .addShutdownHook(this::closeQuietly, BEFORE_CLIENTS, timeoutMs, TimeUnit.MILLISECONDS);
  }

  /** Returns when the resource has been closed. */
  public void await() throws InterruptedException {
    done.await();
  }

  @Override
  public void close() throws IOException {
    if (closed.compareAndSet(false, true)) {
      try {
        resource.close();
      } finally {
        done.countDown();
      }
    }
  }

  private void closeQuietly() {
    if (longestMs < Long.MAX_VALUE) {
      Thread limit = new Thread(this::endAnyway, "end-limit");
      limit.setDaemon(true);
      limit.start();
    }
    try {
      close();
    } catch (IOException e) {
      System.err.println("acacia: did not end in order: " + Hints.sentence(e));
    }
  }

  private void endAnyway() {
    try {
      if (!done.await(longestMs, TimeUnit.MILLISECONDS)) {
        System.err.println("acacia: did not end in " + longestMs / 1_000 + " s, so it is ended");
        Runtime.getRuntime().halt(TERMINATED);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
