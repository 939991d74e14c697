package io.acaciafs.kv.raft;

import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.ratis.protocol.RaftPeerId;

/**
 * Ends Ratis's server within a bound. While Ratis 3.3.0 closes its log it holds the log's lock and
 * waits for the thread {@code cacheEviction}; that one waits for the lock when a segment of the log
 * ended a moment before, as with a leader that hands over. An interrupt lets both go on. Stateless.
 */
final class ServerEnd {
  /** Longer than Ratis takes else. */
  static final long PATIENCE_MS = 5_000;

  private ServerEnd() {}

  /**
   * Closes a server.
   *
   * @param patienceMs how long Ratis may take before it is interrupted, and once more after that
   * @throws IOException when it has not ended by then
   */
  static void close(Closeable server, RaftPeerId id, long patienceMs) throws IOException {
    CompletableFuture<Void> end =
        CompletableFuture.runAsync(() -> closeUnchecked(server), ServerEnd::start);
    if (!ends(end, patienceMs)) {
      interruptClosing(id);
      if (!ends(end, patienceMs)) {
        throw new IOException("Ratis has not ended after " + 2 * patienceMs + " ms");
      }
    }
  }

  private static void start(Runnable task) {
    Thread thread = new Thread(task, "raft-end");
    thread.setDaemon(true);
    thread.start();
  }

  private static void closeUnchecked(Closeable server) {
    try {
      server.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean ends(CompletableFuture<Void> end, long waitMs) throws IOException {
    try {
      end.get(waitMs, TimeUnit.MILLISECONDS);
      return true;
    } catch (TimeoutException e) {
      return false;
    } catch (ExecutionException e) {
      throw new IOException("Ratis did not end in order", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("Interrupted while Ratis ended");
    }
  }

  /** Ratis closes a log on a thread that it names so. */
  private static void interruptClosing(RaftPeerId id) {
    Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith(id + "-impl-thread"))
        .forEach(Thread::interrupt);
  }
}
