package io.acaciafs.kv.hbase.transaction;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.hbase.client.Failures;
import io.acaciafs.kv.hbase.commit.AwaitedRows;
import io.acaciafs.kv.hbase.commit.RowCaches;
import io.acaciafs.kv.hbase.lock.LockResolver;
import io.acaciafs.kv.hbase.read.TableClient;
import io.acaciafs.kv.hbase.schema.RowKeys;
import io.acaciafs.kv.hbase.schema.RowState;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Reads rows for transactions, with the version that tells whether another transaction may assume
 * them. Safe for use by many threads.
 */
public final class VersionedReads {
  private final TableClient table;
  private final LockResolver locks;
  private final RowCaches caches;
  private final AwaitedRows awaited;
  private final Runnable checkOpen;

  /**
   * @param checkOpen throws if the store is closed
   */
  public VersionedReads(
      TableClient table,
      LockResolver locks,
      RowCaches caches,
      AwaitedRows awaited,
      Runnable checkOpen) {
    this.table = table;
    this.locks = locks;
    this.caches = caches;
    this.awaited = awaited;
    this.checkOpen = checkOpen;
  }

  HBaseVersionedRow getVersioned(Key key) {
    checkOpen.run();
    long version = caches.versions().of(key);
    return HBaseVersionedRow.of(key, locks.read(RowKeys.of(key)), version);
  }

  /** A row is to be {@linkplain #recall recalled} as it was read. */
  void note(HBaseVersionedRow versioned) {
    caches.recent().note(versioned.key(), versioned.state());
  }

  /** A row as it was when this process saw or wrote it last; null where that is not known. */
  @Nullable RowState recall(Key key) {
    return caches.recent().get(key);
  }

  /**
   * Reads rows at once, each at a moment of its own, but not those that another transaction has
   * locked.
   */
  Map<Key, HBaseVersionedRow> getAll(List<Key> keys) {
    return table.client().await(getAllLater(keys), "read rows");
  }

  /** The same; completes on threads of the network: do not block there. */
  CompletableFuture<Map<Key, HBaseVersionedRow>> getAllLater(List<Key> keys) {
    checkOpen.run();
    long[] seen = keys.stream().mapToLong(caches.versions()::of).toArray();
    return table
        .readLater(keys.stream().map(RowKeys::of).toList())
        .thenApply(states -> settled(keys, seen, states));
  }

  /** The same; null if so many rows are awaited that the caller had better wait for a thread. */
  @Nullable CompletableFuture<Map<Key, HBaseVersionedRow>> getAllIfRoom(List<Key> keys) {
    checkOpen.run();
    int count = keys.size();
    if (!awaited.tryAdd(count)) {
      return null;
    }
    return getAllLater(keys)
        .whenComplete((rows, failure) -> awaited.remove(count))
        .exceptionallyCompose(
            failure ->
                CompletableFuture.failedFuture(
                    table.client().failed("read rows", Failures.causeOf(failure))));
  }

  private static Map<Key, HBaseVersionedRow> settled(
      List<Key> keys, long[] seen, List<RowState> states) {
    Map<Key, HBaseVersionedRow> versionedRows = new HashMap<>();
    for (int i = 0; i < seen.length; i++) {
      if (states.get(i).isSettled()) {
        Key key = keys.get(i);
        versionedRows.put(key, HBaseVersionedRow.of(key, states.get(i), seen[i]));
      }
    }
    return versionedRows;
  }

  /** Whether a commit did not fail by this assumption lately. */
  boolean mayGuardAbsent(Key key) {
    return !caches.present().contains(key);
  }

  boolean mayGuard(HBaseVersionedRow versioned) {
    checkOpen.run();
    return versioned.state().isSettled()
        && caches.versions().of(versioned.key()) == versioned.version();
  }
}
