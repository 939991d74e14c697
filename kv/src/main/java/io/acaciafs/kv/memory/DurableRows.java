package io.acaciafs.kv.memory;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.StoreException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/**
 * The disk of a {@link MemoryStore}: what a crash leaves, and the commits that wait to get there,
 * in order. Used under the store's lock.
 */
final class DurableRows {
  /** One commit: index rows first, index rows to remove last; a null value removes a row. */
  record Batch(
      Map<Key, byte[]> before,
      Map<Key, byte[]> rows,
      Collection<Key> after,
      CompletableFuture<Void> reply) {}

  private final NavigableMap<Key, byte[]> rows;
  private final Deque<Batch> pending = new ArrayDeque<>();

  /** Removals of the last batch, which a crash may undo. */
  private Collection<Key> lastRemovals = List.of();

  DurableRows(NavigableMap<Key, byte[]> rows) {
    this.rows = rows;
  }

  void add(Batch batch) {
    pending.add(batch);
  }

  /** Makes everything durable and returns the replies, to be given without the lock. */
  List<CompletableFuture<Void>> flush() {
    return flush(pending.size());
  }

  private List<CompletableFuture<Void>> flush(int batches) {
    List<CompletableFuture<Void>> replies = new ArrayList<>(batches);
    for (int i = 0; i < batches; i++) {
      Batch batch = pending.remove();
      removeLast();
      apply(rows, batch.before());
      apply(rows, batch.rows());
      lastRemovals = batch.after();
      replies.add(batch.reply());
    }
    return replies;
  }

  /**
   * Ends it: all waiting commits fail, and it is not known which took effect.
   *
   * @param mayReach how many of those that wait, from the first, may get to the disk all the same
   * @return the replies to fail
   */
  List<CompletableFuture<Void>> crash(Faults faults, int mayReach) {
    List<CompletableFuture<Void>> replies = new ArrayList<>(flush(faults.survivors(mayReach)));
    pending.forEach(batch -> replies.add(batch.reply()));
    if (!faults.leavesIndexRows()) {
      removeLast();
    }
    if (!pending.isEmpty() && faults.leavesIndexRows()) {
      apply(rows, pending.peek().before());
    }
    pending.clear();
    return replies;
  }

  int waiting() {
    return pending.size();
  }

  NavigableMap<Key, byte[]> copy() {
    return new TreeMap<>(rows);
  }

  static void apply(Map<Key, byte[]> target, Map<Key, byte[]> changes) {
    changes.forEach(
        (key, value) -> {
          if (value == null) {
            target.remove(key);
          } else {
            target.put(key, value);
          }
        });
  }

  static void fail(List<CompletableFuture<Void>> replies, String reason) {
    replies.forEach(reply -> reply.completeExceptionally(new StoreException(reason)));
  }

  private void removeLast() {
    lastRemovals.forEach(rows::remove);
    lastRemovals = List.of();
  }
}
