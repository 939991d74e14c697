package io.acaciafs.blocks.report;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Calls that wait for the next replica of a block. Each wait ends: by a replica, by its time, by
 * its caller's cancelling, or by {@link #close}; then nothing of it remains. Safe for use by many
 * threads; futures complete on the thread that brought the end.
 */
public final class ReplicaWaiters implements AutoCloseable {
  private final Map<Long, List<CompletableFuture<Boolean>>> waiters = new ConcurrentHashMap<>();
  private final AtomicInteger count = new AtomicInteger();
  private final ScheduledExecutorService timer;
  private final int limit;
  private volatile boolean closed;

  public ReplicaWaiters(ScheduledExecutorService timer, int limit) {
    this.timer = timer;
    this.limit = limit;
  }

  /**
   * @return true when a replica came; false when none did in time, or too many wait already
   */
  public CompletableFuture<Boolean> await(long blockId, Duration timeout) {
    if (count.incrementAndGet() > limit) {
      count.decrementAndGet();
      return CompletableFuture.completedFuture(false);
    }
    CompletableFuture<Boolean> waiter = new CompletableFuture<>();
    waiters.compute(
        blockId,
        (id, others) -> {
          List<CompletableFuture<Boolean>> all = others == null ? new ArrayList<>(1) : others;
          all.add(waiter);
          return all;
        });
    waiter.whenComplete((came, failure) -> forget(blockId, waiter));
    try {
      Future<?> end =
          timer.schedule(() -> waiter.complete(false), timeout.toMillis(), TimeUnit.MILLISECONDS);
      waiter.whenComplete((came, failure) -> end.cancel(false));
    } catch (RejectedExecutionException e) {
      waiter.complete(false);
    }
    if (closed) {
      waiter.complete(false);
    }
    return waiter;
  }

  /** A replica of the block is durable. */
  void arrived(long blockId) {
    List<CompletableFuture<Boolean>> all = new ArrayList<>();
    waiters.computeIfPresent(
        blockId,
        (id, waiting) -> {
          all.addAll(waiting);
          return waiting;
        });
    all.forEach(waiter -> waiter.complete(true));
  }

  int waiting() {
    return count.get();
  }

  @Override
  public void close() {
    closed = true;
    List<CompletableFuture<Boolean>> all = new ArrayList<>();
    waiters
        .keySet()
        .forEach(
            blockId ->
                waiters.computeIfPresent(
                    blockId,
                    (id, waiting) -> {
                      all.addAll(waiting);
                      return waiting;
                    }));
    all.forEach(waiter -> waiter.complete(false));
  }

  private void forget(long blockId, CompletableFuture<Boolean> waiter) {
    waiters.computeIfPresent(
        blockId,
        (id, waiting) -> {
          waiting.remove(waiter);
          return waiting.isEmpty() ? null : waiting;
        });
    count.decrementAndGet();
  }
}
