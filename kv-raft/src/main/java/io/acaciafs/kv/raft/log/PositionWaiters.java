package io.acaciafs.kv.raft.log;

import java.util.Comparator;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** The waits for batches to be applied. Safe for use by many threads. */
public final class PositionWaiters {
  private static final CompletableFuture<Void> DONE = CompletableFuture.completedFuture(null);

  private final AtomicLong count = new AtomicLong();
  private final ConcurrentSkipListSet<Waiter> waiters =
      new ConcurrentSkipListSet<>(
          Comparator.comparingLong(Waiter::position).thenComparingLong(Waiter::number));

  private record Waiter(long position, long number, CompletableFuture<Void> reached) {}

  /**
   * Waits for a position; a caller that waits no more completes the future itself.
   *
   * @param current how far it is; raised before {@link #reached} is called
   */
  public CompletableFuture<Void> await(long position, LongSupplier current) {
    if (position <= current.getAsLong()) {
      return DONE;
    }
    CompletableFuture<Void> reached = new CompletableFuture<>();
    Waiter waiter = new Waiter(position, count.incrementAndGet(), reached);
    waiters.add(waiter);
    reached.whenComplete((nothing, failure) -> waiters.remove(waiter));
    reached(current.getAsLong()); // it may have come in between
    return reached;
  }

  /** All batches up to a position are applied. */
  public void reached(long position) {
    for (Waiter waiter : waiters) { // in the order of positions
      if (waiter.position() > position) {
        return;
      }
      waiter.reached().complete(null);
    }
  }

  /** How many wait. */
  public int size() {
    return waiters.size();
  }
}
