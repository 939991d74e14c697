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
 * How many of the requests that ask here are under way at a time, to all servers together; who has
 * waited longest for a turn has the next. What waits for its turn can grow meanwhile: so requests
 * are no smaller where there are many servers, to each of which goes little. Reads and commits have
 * turns of their own: a commit may have to read before it is sent, and would wait for itself.
 *
 * <p>A request that takes long gives its turn back before it ends, and what goes to the same server
 * takes none until one of them comes back in time. So a server that does not answer holds up who
 * asks others once, for that long. Safe for use by many threads; waits for nothing.
 */
public final class RequestLimiter {
  private static final Logger LOG = LoggerFactory.getLogger(RequestLimiter.class);
  private static final int LEAST_READS = 4;
  private static final int LEAST_COMMITS = 2;
  private static final long LONG_MS = 500;

  private final int most;
  private final Supplier<CompletableFuture<Boolean>> longTime;
  private final Executor late;
  private final Deque<Request> line = new ArrayDeque<>();

  /** Those that have let a request take long, and answered none in time since. */
  private final Set<Object> slow = ConcurrentHashMap.newKeySet();

  private int taken;

  /** One that asks for a turn. Called on any thread, which must not wait. */
  public interface Request {
    /** Where it goes. */
    Object server();

    /** Sends it; completes when it came back or was given up, soon or late. */
    CompletableFuture<?> send();

    /** It takes long; comes before its end, or perhaps just after. */
    void isLate();
  }

  /**
   * @param most requests under way
   * @param longTime completes with true when what is under way from now has taken long; is
   *     completed with false when that ends before
   * @param late runs what is to be done about a request that takes long, one at a time
   */
  public RequestLimiter(int most, Supplier<CompletableFuture<Boolean>> longTime, Executor late) {
    this.most = most;
    this.longTime = longTime;
    this.late = late;
  }

  /**
   * Reads of this machine. Where its processors are the limit, more requests than so many would
   * wait for them, each alone; where servers are waited for, no more than so many are.
   */
  public static RequestLimiter forReads(Executor late) {
    return new RequestLimiter(
        Math.max(LEAST_READS, 2 * processors()), RequestLimiter::longTime, late);
  }

  /**
   * Commits of this machine: half as many, as a region takes one after the other. What waits for
   * its turn here can still grow, and what waits there cannot.
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

  /** Has a request sent when it is its turn: on this thread, or on one on which another ended. */
  public void ask(Request request) {
    if (slow.contains(request.server())) {
      send(request, false);
      return;
    }
    synchronized (this) {
      if (taken == most) {
        line.add(request);
        return;
      }
      taken++;
    }
    useTurn(request);
  }

  /** Has one request after the other sent until one is under way. */
  private void useTurn(Request first) {
    Request request = first;
    while (request != null) {
      boolean needsTurn = !slow.contains(request.server());
      if (send(request, needsTurn) && needsTurn) {
        return; // whoever ends it goes on
      }
      request = next();
    }
  }

  /** Who has waited longest has the turn; null where nobody waits, and the turn is free. */
  private synchronized Request next() {
    Request next = line.poll();
    if (next == null) {
      taken--;
    }
    return next;
  }

  /**
   * @return whether it is under way
   */
  private boolean send(Request request, boolean hasTurn) {
    CompletableFuture<?> back;
    try {
      back = request.send();
    } catch (Throwable e) { // whatever it is, others wait
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
            late.execute(() -> endLate(request, hasTurn));
          }
        });
    back.whenComplete(
        (answer, failure) -> {
          if (isLate.complete(false)) {
            slow.remove(request.server());
            end(hasTurn);
          }
        });
    return true;
  }

  private void endLate(Request request, boolean hasTurn) {
    slow.add(request.server());
    try {
      request.isLate();
    } finally {
      end(hasTurn);
    }
  }

  private void end(boolean hasTurn) {
    if (hasTurn) {
      useTurn(next());
    }
  }
}
