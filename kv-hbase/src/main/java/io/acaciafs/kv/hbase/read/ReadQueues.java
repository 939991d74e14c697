package io.acaciafs.kv.hbase.read;

import io.acaciafs.kv.hbase.client.CallbackThread;
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
 * Sends reads to region servers, those that come together as one request: what a request costs both
 * sides beside its rows is more than a row does. Who finds no request to the same server under way
 * lets threads run that are about to read too, if there are any, and sends their reads with its own
 * when it is its {@linkplain RequestLimiter turn}. While a request is under way, others wait until
 * one has come back or has taken long, or until so many wait that they are worth another request.
 *
 * <p>A read is sent after it was asked for, never answered by what was under way before: so
 * whatever was committed before it was asked for is seen.
 *
 * <p>Safe for use by many threads, waits for nothing; requests are sent on the caller's thread, on
 * one on which another came back, or {@link CallbackThread} when one took long.
 */
final class ReadQueues {
  /** So many rows that wait are worth a request of their own. */
  static final int ROWS_WORTH_A_REQUEST = 16;

  /** Rows of one request, unless one caller asks for more. */
  static final int MOST_ROWS = 64;

  /** Of one server: so many are sent while none comes back. */
  static final int MOST_UNDER_WAY = 8;

  private final Sender sender;
  private final RequestLimiter turns;
  private final Runnable letOthersRun;
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
    CompletableFuture<?> send(ServerName server, List<RowRead> reads);
  }

  /** Of one server; guarded by its entry in the map. */
  private static final class Queue {
    private final Deque<List<RowRead>> waiting = new ArrayDeque<>();
    private int rows;

    /** Whether a turn is asked for, which takes what waits. */
    private boolean asks;

    private int underWay;

    /** Those of them that have taken long. */
    private int late;

    void add(List<RowRead> reads) {
      waiting.add(reads);
      rows += reads.size();
    }

    /** Whether to ask for a turn now; if so, one is asked for until {@link #take}. */
    boolean asksNow() {
      boolean isWorthIt = rows >= (underWay == late ? 1 : ROWS_WORTH_A_REQUEST);
      boolean asksNow = isWorthIt && underWay < MOST_UNDER_WAY && !asks;
      asks |= asksNow;
      return asksNow;
    }

    /** What is under way from now on. What one caller asks for stays together. */
    List<RowRead> take() {
      List<RowRead> group = new ArrayList<>(rows);
      while (!waiting.isEmpty()
          && (group.isEmpty() || group.size() + waiting.peek().size() <= MOST_ROWS)) {
        group.addAll(waiting.remove());
      }
      rows -= group.size();
      asks = false;
      underWay++;
      return group;
    }

    boolean isIdle() {
      return underWay == 0 && !asks;
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
      List<RowRead> group = new ArrayList<>();
      boolean isTooMuch = change(server, queue -> group.addAll(queue.take()));
      CompletableFuture<?> back;
      try {
        back = sender.send(server, group);
      } catch (Throwable e) { // whatever it is, others wait
        group.forEach(read -> read.state().completeExceptionally(e));
        back = CompletableFuture.completedFuture(null);
      }
      if (isTooMuch) { // for one
        turns.ask(new Next(server));
      }
      return back.whenComplete((answer, failure) -> askAfter(server, this::end));
    }

    @Override
    public void isLate() {
      askAfter(server, this::noteLate);
    }

    private void noteLate(Queue queue) {
      if (!isOver) {
        isLate = true;
        queue.late++;
      }
    }

    private void end(Queue queue) {
      isOver = true;
      queue.underWay--;
      queue.late -= isLate ? 1 : 0;
    }
  }

  /**
   * @param letOthersRun lets threads run that can, and returns at once if there are none
   */
  ReadQueues(Sender sender, RequestLimiter turns, Runnable letOthersRun) {
    this.sender = sender;
    this.turns = turns;
    this.letOthersRun = letOthersRun;
  }

  /** Sends what one caller asks a server for when it is its turn; as one request. */
  void send(ServerName server, List<RowRead> reads) {
    if (change(server, queue -> queue.add(reads))) {
      letOthersRun.run();
      turns.ask(new Next(server));
    }
  }

  private void askAfter(ServerName server, Consumer<Queue> change) {
    if (change(server, change)) {
      turns.ask(new Next(server));
    }
  }

  /** Whether a turn has to be asked for after a change. */
  private boolean change(ServerName server, Consumer<Queue> change) {
    AtomicBoolean asksNow = new AtomicBoolean();
    queues.compute(
        server,
        (name, known) -> {
          Queue queue = known == null ? new Queue() : known;
          change.accept(queue);
          asksNow.set(queue.asksNow());
          return queue.isIdle() ? null : queue;
        });
    return asksNow.get();
  }
}
