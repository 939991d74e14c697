package io.acaciafs.kv.hbase.read;

import io.acaciafs.kv.hbase.client.RequestLimiter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.ServerName;

/**
 * Sends reads to region servers; reads of one server that come together share a request, as a
 * request costs both sides more than a row does. A read that finds no request to its server in
 * flight lets other threads run that are about to read too, if there are any, and takes their reads
 * along when the {@link RequestLimiter} permits it. While a request is in flight, other reads wait
 * until one is answered or slow, or until so many wait that they are worth another request.
 *
 * <p>A read is sent after the caller asked for it, and never answered by an earlier request: so it
 * sees everything that was committed before the call.
 *
 * <p>Safe for use by many threads, never blocks; requests are sent on the caller's thread, on one
 * on which another request was answered, or on the {@link
 * io.acaciafs.kv.hbase.client.CallbackThread} if one was slow.
 */
final class ReadQueues {
  /** The number of waiting reads that is worth a request. */
  static final int READS_WORTH_A_REQUEST = 16;

  /** Reads of one request, unless one call has more. */
  static final int MOST_READS = 64;

  /** Requests in flight to one server. */
  static final int MOST_IN_FLIGHT = 8;

  private final Sender sender;
  private final RequestLimiter limiter;
  private final Runnable yieldToOthers;
  private final ConcurrentMap<ServerName, Queue> queues = new ConcurrentHashMap<>();

  /** Sends one request. */
  @FunctionalInterface
  interface Sender {
    /**
     * Has each of the reads completed, sooner or later.
     *
     * @return completes when the request came back or was given up, soon and however it ended;
     *     reads that it did not answer may then be under way still, in other requests
     */
    CompletableFuture<?> send(ServerName server, List<PendingRead> reads);
  }

  /** Of one server; guarded by its entry in the map. */
  private static final class Queue {
    private final Deque<List<? extends PendingRead>> waiting = new ArrayDeque<>();
    private int waitingReads;

    /** Whether a permit is requested, for what waits. */
    private boolean isPermitRequested;

    private int inFlight;

    /** The slow ones of them. */
    private int late;

    void add(List<? extends PendingRead> reads) {
      waiting.add(reads);
      waitingReads += reads.size();
    }

    /** Whether to request a permit now; if so, it stays requested until {@link #take}. */
    boolean requestsPermit() {
      boolean isWorthIt = waitingReads >= (inFlight == late ? 1 : READS_WORTH_A_REQUEST);
      boolean requestsNow = isWorthIt && inFlight < MOST_IN_FLIGHT && !isPermitRequested;
      isPermitRequested |= requestsNow;
      return requestsNow;
    }

    /** The reads of the next request, in flight from now on. Those of one call stay together. */
    List<PendingRead> take() {
      List<PendingRead> group = new ArrayList<>(waitingReads);
      while (!waiting.isEmpty()
          && (group.isEmpty() || group.size() + waiting.peek().size() <= MOST_READS)) {
        group.addAll(waiting.remove());
      }
      waitingReads -= group.size();
      isPermitRequested = false;
      inFlight++;
      return group;
    }

    boolean isIdle() {
      return inFlight == 0 && !isPermitRequested;
    }
  }

  /** What goes to a server next. Its state is guarded as its queue's. */
  private final class Next implements RequestLimiter.Request {
    private final ServerName server;
    private boolean isLate;
    private boolean isOver;

    Next(ServerName server) {
      this.server = server;
    }

    @Override
    public Object server() {
      return server;
    }

    @Override
    public CompletableFuture<?> send() {
      List<PendingRead> group = new ArrayList<>();
      boolean isTooMuch = change(server, queue -> group.addAll(queue.take()));
      CompletableFuture<?> back;
      try {
        back = sender.send(server, group);
      } catch (Throwable e) { // callers wait for the reads
        group.forEach(read -> read.fail(e));
        back = CompletableFuture.completedFuture(null);
      }
      if (isTooMuch) { // for one
        limiter.submit(new Next(server));
      }
      return back.whenComplete((answer, failure) -> submitAfter(server, this::end));
    }

    @Override
    public void isLate() {
      submitAfter(server, this::noteLate);
    }

    private void noteLate(Queue queue) {
      if (!isOver) {
        isLate = true;
        queue.late++;
      }
    }

    private void end(Queue queue) {
      isOver = true;
      queue.inFlight--;
      queue.late -= isLate ? 1 : 0;
    }
  }

  /**
   * @param yieldToOthers yields to other threads, and returns at once if there are none
   */
  ReadQueues(Sender sender, RequestLimiter limiter, Runnable yieldToOthers) {
    this.sender = sender;
    this.limiter = limiter;
    this.yieldToOthers = yieldToOthers;
  }

  /** Sends the reads of one call, as one request, once the limiter permits it. */
  void send(ServerName server, List<? extends PendingRead> reads) {
    if (change(server, queue -> queue.add(reads))) {
      yieldToOthers.run();
      limiter.submit(new Next(server));
    }
  }

  private void submitAfter(ServerName server, Consumer<Queue> change) {
    if (change(server, change)) {
      limiter.submit(new Next(server));
    }
  }

  /** Changes a queue; returns whether a permit has to be requested then. */
  private boolean change(ServerName server, Consumer<Queue> change) {
    AtomicBoolean needsPermit = new AtomicBoolean();
    queues.compute(
        server,
        (name, known) -> {
          Queue queue = known == null ? new Queue() : known;
          change.accept(queue);
          needsPermit.set(queue.requestsPermit());
          return queue.isIdle() ? null : queue;
        });
    return needsPermit.get();
  }
}
