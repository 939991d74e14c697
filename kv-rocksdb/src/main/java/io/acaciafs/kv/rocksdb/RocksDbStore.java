package io.acaciafs.kv.rocksdb;

import io.acaciafs.kv.BulkLoader;
import io.acaciafs.kv.ConflictException;
import io.acaciafs.kv.Counters;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Scan;
import io.acaciafs.kv.Store;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.Transaction;
import io.acaciafs.kv.WriteSet;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.rocksdb.WriteBatch;

/**
 * The store contract on RocksDB, in this process.
 *
 * <p>A commit locks the slots of the rows that it writes, checks its guards, adds up its counters,
 * and hands RocksDB one batch, unsynced; then it unlocks. That takes microseconds on the caller's
 * thread. The future completes on the thread {@code rocksdb-wal-sync}, once a sync of the log that
 * began after the write has ended; a group of commits shares one. A commit without writes checks
 * its guards and completes when nothing is visible that is not durable; often that is at once.
 *
 * <p>After a failed write or sync every commit with writes fails, as nothing can be promised; reads
 * go on. A folder is opened by one process at a time. May not be closed from the callback of a
 * commit.
 */
public final class RocksDbStore implements Store {
  private static final Traits TRAITS = new Traits(true, false);
  private static final int SLOT_BITS = 20;
  private static final int PARTITION_BITS = 16;
  private static final long LOCK_PATIENCE_MS = 10_000;
  private static final int MAX_COMMITS_UNDER_WAY = 1 << 16;
  private static final int MAX_READS_OF_A_ROW = 4;
  private static final int MAX_CHECKS = 4;
  private static final int[] NO_SLOTS = {};
  private static final CompletableFuture<Void> DONE = CompletableFuture.completedFuture(null);

  private final Database database;
  private final RowLocks locks = new RowLocks(SLOT_BITS, LOCK_PATIENCE_MS);
  private final PartitionVersions partitions = new PartitionVersions(PARTITION_BITS);
  private final WalSyncer syncer;
  private final AtomicBoolean closed = new AtomicBoolean();

  /**
   * @param syncLog as {@link Database#syncLog}
   */
  RocksDbStore(Database database, Runnable syncLog) {
    this.database = database;
    this.syncer = new WalSyncer(syncLog, MAX_COMMITS_UNDER_WAY);
  }

  /**
   * Opens a folder, which is made when there is none.
   *
   * @param tables all that the folder holds; new ones are made
   * @throws StoreException when the folder is in use by a process, holds other tables, or is broken
   */
  public static RocksDbStore open(Path folder, Set<Table> tables, RocksDbOptions options) {
    Database database = new DatabaseOpener(folder, tables, options).open();
    return new RocksDbStore(database, database::syncLog);
  }

  /** How often the log was synced since the start. */
  public long syncs() {
    return syncer.syncs();
  }

  /** How many commits wrote something since the start. */
  public long commits() {
    return syncer.commits();
  }

  /** Fills an empty store; what it writes is no part of a log. */
  public BulkLoader bulkLoader() {
    return new RocksDbBulkLoader(database);
  }

  @Override
  public Transaction begin() {
    database.gate().enter();
    database.gate().leave();
    return new RocksDbTransaction(this);
  }

  @Override
  public Traits traits() {
    database.gate().enter();
    database.gate().leave();
    return TRAITS;
  }

  @Override
  public byte[] peek(Key key) {
    database.gate().enter();
    try {
      return database.get(key);
    } finally {
      database.gate().leave();
    }
  }

  @Override
  public Scan scan(KeyRange range) {
    database.gate().enter();
    try {
      return database.scan(range);
    } finally {
      database.gate().leave();
    }
  }

  /** Reads a row with its version, read before it. */
  RocksDbSighting see(Key key) {
    database.gate().enter();
    try {
      int slot = locks.slotOf(key);
      long version = locks.version(slot);
      byte[] value = database.get(key);
      // A newer value under an older version would only conflict later: rather read again.
      for (int i = 1; i < MAX_READS_OF_A_ROW && !locks.isAt(slot, version, NO_SLOTS); i++) {
        version = locks.version(slot);
        value = database.get(key);
      }
      return new RocksDbSighting(key, slot, version, value);
    } finally {
      database.gate().leave();
    }
  }

  /** Whether nobody wrote the row since, nor is about to. */
  boolean isCurrent(int slot, long version) {
    return locks.isAt(slot, version, NO_SLOTS);
  }

  PartitionVersions partitions() {
    return partitions;
  }

  CompletableFuture<Void> validate(Guards guards, List<Key> required) {
    database.gate().enter();
    try {
      return answer(firstChanged(guards, required, NO_SLOTS));
    } finally {
      database.gate().leave();
    }
  }

  CompletableFuture<Void> commit(Guards guards, List<Key> required, WriteSet writes) {
    database.gate().enter();
    try {
      if (!writes.isEmpty()) {
        return commitWrites(guards, required, writes);
      }
      Key changed = firstChanged(guards, required, NO_SLOTS);
      return changed == null ? syncer.barrier() : answer(changed);
    } finally {
      database.gate().leave();
    }
  }

  private CompletableFuture<Void> commitWrites(Guards guards, List<Key> required, WriteSet writes) {
    syncer.awaitRoom();
    StoreException failure = syncer.failure();
    if (failure != null) {
      return CompletableFuture.failedFuture(
          new StoreException("The store writes no more since it failed", failure));
    }
    int[] slots = slotsOf(writes);
    if (!locks.lock(slots)) {
      return CompletableFuture.failedFuture(new ConflictException(anyKey(writes)));
    }
    boolean written = false;
    int[] changing = partitionsOf(writes);
    syncer.beginWrite();
    for (int slot : changing) {
      partitions.begin(slot);
    }
    try (WriteBatch batch = new WriteBatch()) {
      Key changed = firstChanged(guards, required, slots);
      if (changed != null) {
        return answer(changed);
      }
      fill(batch, writes);
      written = true; // whether or not the next line throws
      database.write(batch);
      return syncer.add();
    } catch (StoreException e) {
      if (written) {
        syncer.fail(e);
      }
      return CompletableFuture.failedFuture(e);
    } finally {
      for (int slot : changing) {
        partitions.end(slot);
      }
      syncer.endWrite();
      locks.unlock(slots, written);
    }
  }

  /**
   * Checks guards while {@code held} slots are locked. Everything is read before anything is
   * checked, so that what holds held together at the moment in between.
   */
  private Key firstChanged(Guards guards, List<Key> required, int[] held) {
    Key changed = null;
    for (int i = 0; i < MAX_CHECKS; i++) {
      Guards existing = new Guards();
      for (Key key : required) {
        int slot = locks.slotOf(key);
        // Nobody else changes what is held, and to wait for it would be to wait for oneself.
        boolean isHeld = Arrays.binarySearch(held, slot) >= 0;
        long version = isHeld ? 0 : locks.version(slot);
        if (!database.exists(key)) {
          return key;
        }
        if (!isHeld) {
          existing.add(new RocksDbSighting(key, slot, version, null));
        }
      }
      changed = guards.firstChanged(locks, held);
      if (changed != null) {
        Key different = guards.refresh(locks, held, database::get);
        if (different != null) {
          return different;
        }
        continue;
      }
      changed = existing.firstChanged(locks, held);
      if (changed == null) {
        return null;
      }
      // A required row that changes may well be there: look again.
    }
    return changed;
  }

  private void fill(WriteBatch batch, WriteSet writes) {
    writes.before().forEach((key, value) -> database.append(batch, key, value));
    writes.rows().forEach((key, value) -> database.append(batch, key, value));
    writes
        .deltas()
        .forEach(
            (key, delta) -> {
              Counters sum = Counters.decode(database.get(key)).plus(delta);
              database.append(batch, key, sum.encode());
            });
    writes.after().forEach(key -> database.append(batch, key, null));
  }

  private int[] slotsOf(WriteSet writes) {
    return keysOf(writes).mapToInt(locks::slotOf).sorted().distinct().toArray();
  }

  private int[] partitionsOf(WriteSet writes) {
    return keysOf(writes)
        .filter(key -> PartitionVersions.watches(key.table()))
        .mapToInt(key -> partitions.slotOf(key.table(), key.bytes()))
        .distinct()
        .toArray();
  }

  private static Key anyKey(WriteSet writes) {
    return keysOf(writes).findFirst().orElseThrow();
  }

  private static Stream<Key> keysOf(WriteSet writes) {
    return Stream.of(
            writes.rows().keySet(),
            writes.deltas().keySet(),
            writes.before().keySet(),
            writes.after())
        .flatMap(Set::stream);
  }

  private static CompletableFuture<Void> answer(Key changed) {
    return changed == null ? DONE : CompletableFuture.failedFuture(new ConflictException(changed));
  }

  @Override
  public void close() {
    if (syncer.isOwnThread()) {
      throw new IllegalStateException("A store is not closed from the callback of a commit");
    }
    if (closed.compareAndSet(false, true)) {
      database.close(syncer::close);
    }
  }
}
