package io.acaciafs.kv.hbase.client;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Limits the requests in flight, to all servers together; first in, first out. What waits for a
 * permit can grow meanwhile, so requests stay large if there are many servers that each get few
 * rows. Reads and commits have limiters of their own: a commit may have to read before it is sent,
 * and would wait for itself.
 *
 * <p>A slow request returns its permit before it ends, and requests to the same server need no
 * permit until one of them is answered in time. So a server that does not answer delays requests to
 * other servers once, for that long. Safe for use by many threads; never blocks.
 */
public final class RequestLimiter {
  private static final Logger LOG = LoggerFactory.getLogger(RequestLimiter.class);
  private static final int LEAST_READS = 4;
  private static final int LEAST_COMMITS = 2;
  private static final long LONG_MS = 500;

  private final int most;
  private final Supplier<CompletableFuture<Boolean>> longTime;
  private final Executor late;
  private final Deque<Request> waiting = new ArrayDeque<>();

  /** Servers with a slow request that have answered none in time since. */
  private final Set<Object> slow = ConcurrentHashMap.newKeySet();

  private int taken;

  /** A request that needs a permit. Called on any thread; must not block. */
  public interface Request {
    /** The server that the request goes to. */
    Object server();

    /** Sends the request; completes when it was answered or given up. */
    CompletableFuture<?> send();

    /** The request is slow; called before its end, or perhaps just after it. */
    void isLate();
  }

  /**
   * @param most requests in flight
   * @param longTime completes with true once a request that is sent now is slow; the limiter
   *     completes it with false if the request ends before
   * @param late runs the handling of slow requests, one at a time
   */
  public RequestLimiter(int most, Supplier<CompletableFuture<Boolean>> longTime, Executor late) {
    this.most = most;
    this.longTime = longTime;
    this.late = late;
  }

  /**
   * Limits the reads of this machine. If its processors are the limit, more requests would only
   * wait for them; if servers are slow, no more requests than these wait for them.
   */
  public static RequestLimiter forReads(Executor late) {
    return new RequestLimiter(
        Math.max(LEAST_READS, 2 * processors()), RequestLimiter::longTime, late);
  }

  /**
   * Limits the commits of this machine: half as many as reads, as a region executes them one after
   * the other. A request that waits here can still grow; one that waits there cannot.
   */
  public static RequestLimiter forCommits(Executor late) {
    return new RequestLimiter(
        Math.max(LEAST_COMMITS, processors()), RequestLimiter::longTime, late);
  }

  private static int processors() {
    return Runtime.getRuntime().availableProcessors();
  }

  private static CompletableFuture<Boolean> longTime() {
    return new CompletableFuture<Boolean>().completeOnTimeout(true, LONG_MS, TimeUnit.MILLISECONDS);
  }

  /** Sends a request once it has a permit: on this thread, or on one on which another ended. */
  public void submit(Request request) {
    if (slow.contains(request.server())) {
      send(request, false);
      return;
    }
    synchronized (this) {
      if (taken == most) {
        waiting.add(request);
        return;
      }
      taken++;
    }
    usePermit(request);
  }

  /** Sends waiting requests until one is in flight. */
  private void usePermit(Request first) {
    Request request = first;
    while (request != null) {
      boolean needsPermit = !slow.contains(request.server());
      if (send(request, needsPermit) && needsPermit) {
        return; // its end continues
      }
      request = next();
    }
  }

  /** The request that has waited longest; null if none waits, and then the permit is free. */
  private synchronized Request next() {
    Request next = waiting.poll();
    if (next == null) {
      taken--;
    }
    return next;
  }

  /**
   * @return whether the request is in flight
   */
  private boolean send(Request request, boolean hasPermit) {
    CompletableFuture<?> back;
    try {
      back = request.send();
    } catch (Throwable e) { // other requests must go on
      LOG.error("A request was not sent", e);
      return false;
    }
    if (back.isDone()) {
      return false;
    }
    CompletableFuture<Boolean> isLate = longTime.get();
    isLate.thenAccept(
        isSo -> {
          if (isSo) {
            late.execute(() -> endLate(request, hasPermit));
          }
        });
    back.whenComplete(
        (answer, failure) -> {
          if (isLate.complete(false)) {
            slow.remove(request.server());
            end(hasPermit);
          }
        });
    return true;
  }

  private void endLate(Request request, boolean hasPermit) {
    slow.add(request.server());
    try {
      request.isLate();
    } finally {
      end(hasPermit);
    }
  }

  private void end(boolean hasPermit) {
    if (hasPermit) {
      usePermit(next());
    }
  }
}
