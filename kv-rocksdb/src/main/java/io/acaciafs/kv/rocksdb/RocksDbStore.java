package io.acaciafs.kv.rocksdb;

import io.acaciafs.kv.BulkLoader;
import io.acaciafs.kv.ConflictException;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Scan;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.Transaction;
import io.acaciafs.kv.engine.Checkpoints;
import io.acaciafs.kv.engine.EngineStore;
import io.acaciafs.kv.engine.LogCounts;
import io.acaciafs.kv.engine.StoreMetric;
import io.acaciafs.kv.engine.WriteSet;
import io.acaciafs.kv.rocksdb.common.Failure;
import io.acaciafs.kv.rocksdb.common.Gate;
import io.acaciafs.kv.rocksdb.lock.RowLocks;
import io.acaciafs.kv.rocksdb.log.CommitLog;
import io.acaciafs.kv.rocksdb.log.GroupCommit;
import io.acaciafs.kv.rocksdb.log.local.LocalLog;
import io.acaciafs.kv.rocksdb.memtable.Memtable;
import io.acaciafs.kv.rocksdb.memtable.PartitionVersions;
import io.acaciafs.kv.rocksdb.memtable.RowBatch;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The store contract on RocksDB, in this process.
 *
 * <p>A commit locks the slots of the rows that it writes, checks its guards, adds up its counters,
 * and shows its rows in the {@link Memtable}; then it unlocks. That takes microseconds on the
 * caller's thread, and none of it is RocksDB's. The thread {@code rocksdb-group-commit} adds all
 * that came together to the log as one batch, syncs it, and completes the futures; {@code
 * rocksdb-memtable-flush} writes into RocksDB, much later, what is left by then. A commit without
 * writes checks its guards and completes when nothing is visible that is not durable; often that is
 * at once.
 *
 * <p>After a failed write or sync every commit with writes fails, as nothing can be promised; reads
 * go on. A folder is opened by one process at a time. May not be closed from the callback of a
 * commit.
 */
public final class RocksDbStore implements EngineStore {
  private static final Traits TRAITS = new Traits(true, false);
  private static final long LOCK_PATIENCE_MS = 10_000;
  private static final long BARRIER_PATIENCE_MS = 10_000;
  private static final int MAX_COMMITS_UNDER_WAY = 1 << 16;
  private static final int MAX_READS_OF_A_ROW = 4;
  private static final int MAX_CHECKS = 4;
  private static final int[] NO_SLOTS = {};
  private static final WriteSet.Kind[] KINDS = WriteSet.Kind.values();
  private static final CompletableFuture<Void> DONE = CompletableFuture.completedFuture(null);

  private final Database database;
  private final Gate gate;
  private final boolean isReplicated;
  private final RowLocks locks;
  private final LatestRows rows;
  private final PartitionVersions partitions;
  private final GroupCommit syncer;
  private final AtomicBoolean closed = new AtomicBoolean();

  /**
   * @param syncLog as {@link Database#syncLog}
   */
  RocksDbStore(Database database, Supplier<CompletableFuture<Void>> syncLog) {
    this.database = database;
    this.gate = database.gate();
    this.isReplicated = database.log().isReplicated();
    this.locks = new RowLocks(database.memtable().slots(), LOCK_PATIENCE_MS);
    this.partitions = database.memtable().partitions();
    this.rows = new LatestRows(database);
    this.syncer =
        new GroupCommit(
            () -> makeDurable(syncLog),
            MAX_COMMITS_UNDER_WAY,
            isReplicated ? GroupCommit.Pace.OF_SERVERS : GroupCommit.Pace.OF_A_DISK);
    database.startWriteOut(syncer::fail);
  }

  /**
   * Loads RocksDB's own code, which {@link #open} does where it has not been done: it is copied out
   * of the jar first, so it takes a while.
   *
   * @throws StoreException when it cannot be loaded
   */
  public static void loadLibrary() {
    DatabaseOpener.loadLibrary();
  }

  /**
   * Opens a folder, which is made when there is none.
   *
   * @param tables all that the folder holds; new ones are made
   * @throws StoreException when the folder is in use by a process, holds other tables, or is broken
   */
  public static RocksDbStore open(Path folder, Set<Table> tables, RocksDbOptions options) {
    Database database = new DatabaseOpener(folder, tables, options, LocalLog::open).open();
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

  @Override
  public Optional<LogCounts> logCounts() {
    return Optional.of(new LogCounts(commits(), syncs()));
  }

  @Override
  public List<StoreMetric> metrics() {
    return List.of(
        StoreMetric.counter("acacia_store_commits", "Commits that wrote something", this::commits),
        StoreMetric.counter("acacia_store_syncs", "How often the log was synced", this::syncs),
        StoreMetric.gauge(
            "acacia_store_commits_waiting",
            "Commits that wait for the log to be synced",
            this::commitsWaiting));
  }

  /**
   * Copies the store as it is at one moment of this call to a folder of its own, which {@link
   * #open} takes: what was committed before the call is there, and each commit is whole or not
   * there. Nobody waits meanwhile. Quick on the same disk, where most files are linked.
   *
   * @param folder must not be there; its parent must
   * @throws StoreException when it cannot be written, or this store has failed
   */
  public void checkpoint(Path folder) {
    requireLatest();
    gate.enter();
    try (CommitLog.Snapshot ofLog = database.log().snapshot()) {
      database.checkpoint(folder, ofLog);
    } finally {
      gate.leave();
    }
  }

  /** Else another server may have taken over, and committed what is not here. */
  private void requireLatest() {
    if (holdsLease()) {
      return;
    }
    try {
      database.log().readBarrier().get(BARRIER_PATIENCE_MS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreException("Interrupted before the store was copied", e);
    } catch (ExecutionException | TimeoutException e) {
      throw new StoreException("This server could not show that its store is the latest one", e);
    }
  }

  @Override
  public Optional<Checkpoints> checkpoints() {
    return Optional.of(new StoreCheckpoints(tables(), this::checkpoint, this::fileBytes));
  }

  private long fileBytes() {
    gate.enter();
    try {
      return database.fileBytes();
    } finally {
      gate.leave();
    }
  }

  Set<Table> tables() {
    return database.tables();
  }

  @Override
  public long rollLog() {
    gate.enter();
    try {
      return database.rollLog();
    } finally {
      gate.leave();
    }
  }

  @Override
  public BulkLoader bulkLoader() {
    if (isReplicated) {
      throw new UnsupportedOperationException(
          "Rows are not loaded in bulk into a store that other servers keep too");
    }
    rows.distrustFilters();
    gate.enter();
    try {
      database.removeBulkFiles();
    } finally {
      gate.leave();
    }
    return new RocksDbBulkLoader(database);
  }

  @Override
  public Transaction begin() {
    gate.enter();
    gate.leave();
    return new RocksDbTransaction(this);
  }

  @Override
  public Traits traits() {
    gate.enter();
    gate.leave();
    return TRAITS;
  }

  @Override
  public OptionalLong estimatedRows(Table table) {
    gate.enter();
    try {
      return OptionalLong.of(database.estimatedRows(table));
    } finally {
      gate.leave();
    }
  }

  @Override
  public @Nullable StoreException writeFailure() {
    return syncer.failure();
  }

  /** Commits that wait for the log to be synced now. */
  public int commitsWaiting() {
    return syncer.waiting();
  }

  /** Of a replicated store what is durable: nobody may act on what may be taken back. */
  @Override
  public byte @Nullable [] get(Key key) {
    return isReplicated
        ? durable(() -> get(key, database.memtable().durableMoment()))
        : latest(key);
  }

  @Override
  public Scan scan(KeyRange range) {
    return scan(List.of(range));
  }

  @Override
  public Scan scan(List<KeyRange> ranges) {
    return isReplicated
        ? durable(() -> scan(ranges, database.memtable().durableMoment()))
        : latest(ranges);
  }

  /** Once more, when rows went into files meanwhile. */
  private static <T extends @Nullable Object> T durable(Supplier<T> read) {
    while (true) {
      try {
        return read.get();
      } catch (ConflictException e) {
        Thread.onSpinWait(); // a flush begins every few seconds
      }
    }
  }

  /** A row as it is visible now, durable or not. */
  byte @Nullable [] latest(Key key) {
    gate.enter();
    try {
      return rows.readUnlocked(key);
    } finally {
      gate.leave();
    }
  }

  /** Rows as they are visible now. */
  Scan latest(List<KeyRange> ranges) {
    gate.enter();
    try {
      return database.scan(ranges);
    } finally {
      gate.leave();
    }
  }

  /** Whether what is visible may be taken back until it is durable. */
  boolean isReplicated() {
    return isReplicated;
  }

  /** Of a replicated store. */
  boolean isDurable(Key key) {
    return database.memtable().isDurable(key);
  }

  /** Of a replicated store. */
  boolean isDurable(KeyRange range) {
    return database.memtable().isDurable(range);
  }

  Memtable.Moment moment() {
    return database.memtable().moment();
  }

  /**
   * A row as it was at a moment.
   *
   * @throws ConflictException when the store can no longer show that moment
   */
  byte @Nullable [] get(Key key, Memtable.Moment moment) {
    gate.enter();
    try {
      return database.get(key, moment);
    } finally {
      gate.leave();
    }
  }

  /** Rows as they were at a moment; as {@link #get(Key, Memtable.Moment)}. */
  Scan scan(List<KeyRange> ranges, Memtable.Moment moment) {
    gate.enter();
    try {
      return database.scan(ranges, moment);
    } finally {
      gate.leave();
    }
  }

  /** The version that a row has had since a moment; less than 0 where it may have changed. */
  long versionSince(Key key, int slot, Memtable.Moment moment) {
    long version = locks.version(slot);
    return database.memtable().isSince(key, moment) ? version : -1;
  }

  int slotOf(Key key) {
    return locks.slotOf(key);
  }

  /** Whether nothing has been shown in the partition of a range since a moment. */
  boolean isQuietSince(KeyRange range, Memtable.Moment moment) {
    return database.memtable().isSince(range, moment);
  }

  /** Reads a row with its version, read before it. */
  RocksDbVersionedRow getVersioned(Key key) {
    gate.enter();
    try {
      int slot = locks.slotOf(key);
      long version = locks.version(slot);
      byte[] value = rows.readUnlocked(key);
      // A newer value under an older version would only conflict later: rather read again.
      for (int i = 1; i < MAX_READS_OF_A_ROW && !locks.isAt(slot, version, NO_SLOTS); i++) {
        version = locks.version(slot);
        value = rows.readUnlocked(key);
      }
      return new RocksDbVersionedRow(key, slot, version, value);
    } finally {
      gate.leave();
    }
  }

  /** The version of a row that a caller knows to be absent, without a read. */
  RocksDbVersionedRow versionedAbsent(Key key) {
    int slot = locks.slotOf(key);
    return new RocksDbVersionedRow(key, slot, locks.version(slot), null);
  }

  /** Adds all that was shown to the log, and has it synced. */
  private CompletableFuture<Void> makeDurable(Supplier<CompletableFuture<Void>> syncLog) {
    try {
      database.addToLog();
      return syncLog.get().whenComplete((nothing, failure) -> failMemtable(failure));
    } catch (Throwable e) {
      failMemtable(e);
      throw e;
    }
  }

  /** What is not durable must not come into RocksDB's files. */
  private void failMemtable(Throwable failure) {
    if (failure != null) {
      database.memtable().fail(failure);
    }
  }

  /**
   * Whether what this process has is the latest, without asking others; kept answers depend on it.
   */
  boolean holdsLease() {
    return !closed.get() && database.log().holdsLease();
  }

  /**
   * Completes when what was read may be shown to a client.
   *
   * @param sawUndurable whether some of it may be taken back
   */
  private CompletableFuture<Void> readBarrier(boolean sawUndurable) {
    return sawUndurable
        ? syncer.barrier().thenCompose(nothing -> latestBarrier())
        : latestBarrier();
  }

  /** Completes when no other process can have changed what was read before this call. */
  private CompletableFuture<Void> latestBarrier() {
    return holdsLease() ? DONE : database.log().readBarrier();
  }

  /** Whether nobody wrote the row since, nor is about to. */
  boolean isCurrent(int slot, long version) {
    return locks.isAt(slot, version, NO_SLOTS);
  }

  PartitionVersions partitions() {
    return partitions;
  }

  CompletableFuture<Void> validate(Guards guards, List<Key> required, boolean sawUndurable) {
    gate.enter();
    try {
      Key changed = firstChanged(guards, required, NO_SLOTS);
      return changed == null ? readBarrier(sawUndurable) : answer(changed);
    } finally {
      gate.leave();
    }
  }

  CompletableFuture<Void> commit(Guards guards, List<Key> required, WriteSet writes) {
    gate.enter();
    try {
      if (!writes.isEmpty()) {
        return commitWrites(guards, required, writes);
      }
      Key changed = firstChanged(guards, required, NO_SLOTS);
      if (changed != null) {
        return answer(changed);
      }
      return isReplicated ? readBarrier(true) : syncer.barrier();
    } finally {
      gate.leave();
    }
  }

  private CompletableFuture<Void> commitWrites(Guards guards, List<Key> required, WriteSet writes) {
    syncer.awaitRoom();
    database.awaitRoom();
    StoreException failure = syncer.failure();
    if (failure != null) {
      return CompletableFuture.failedFuture(
          Failure.of("The store writes no more since it failed", failure));
    }
    int[] changing = partitionsOf(writes);
    int[] slots = locks.slotsOf(writes);
    if (!locks.lock(slots)) {
      return CompletableFuture.failedFuture(new ConflictException(writes.write(0).key()));
    }
    boolean shown = false;
    syncer.beginWrite();
    try {
      for (int slot : changing) {
        partitions.begin(slot);
      }
      try {
        Key changed = firstChanged(guards, required, slots);
        if (changed != null) {
          return answer(changed);
        }
        RowBatch batch = prepare(writes);
        batch.requireLoggable();
        rows.expect(batch);
        shown = true;
        database.memtable().add(batch);
      } finally {
        for (int slot : changing) {
          partitions.end(slot);
        }
        locks.unlock(slots, shown);
      }
      return syncer.add();
    } catch (Throwable e) {
      if (shown) { // in part, perhaps: it is out of memory
        database.memtable().fail(e);
        syncer.fail(Failure.of("A commit broke off", e));
      }
      if (e instanceof StoreException) { // not read, or too large; nothing is shown
        return CompletableFuture.failedFuture(e);
      }
      throw e;
    } finally {
      syncer.endWrite();
    }
  }

  /**
   * Checks guards while {@code held} slots are locked. Everything is read before anything is
   * checked, so that what holds held together at the moment in between.
   */
  private @Nullable Key firstChanged(Guards guards, List<Key> required, int[] held) {
    Key changed = null;
    for (int i = 0; i < MAX_CHECKS; i++) {
      Guards existing = new Guards();
      for (Key key : required) {
        int slot = locks.slotOf(key);
        // Nobody else changes what is held, and to wait for it would be to wait for oneself.
        boolean isHeld = Arrays.binarySearch(held, slot) >= 0;
        long version = isHeld ? 0 : locks.version(slot);
        if (!rows.exists(key)) {
          return key;
        }
        if (!isHeld) {
          existing.add(new RocksDbVersionedRow(key, slot, version, null));
        }
      }
      changed = guards.firstChanged(locks, held);
      if (changed != null) {
        Key different = guards.refresh(locks, held, rows::read);
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

  /** Rows in the order in which they are to appear. Their slots are held. */
  private RowBatch prepare(WriteSet writes) {
    RowBatch batch = new RowBatch(writes.size());
    for (WriteSet.Kind kind : KINDS) {
      for (int i = 0; i < writes.size(); i++) {
        WriteSet.Write write = writes.write(i);
        if (write.kind() == kind) {
          Key key = write.key();
          boolean adds = kind == WriteSet.Kind.DELTA;
          batch.add(key, adds ? write.delta().addTo(rows.read(key)) : write.value());
        }
      }
    }
    return batch;
  }

  /** Once each: most writes of a commit go into one partition. */
  private int[] partitionsOf(WriteSet writes) {
    int[] found = new int[writes.size()];
    int count = 0;
    for (int i = 0; i < writes.size(); i++) {
      Key key = writes.write(i).key();
      if (PartitionVersions.watches(key.table())) {
        found[count++] = partitions.slotOf(key.table(), key.bytes());
      }
    }
    return RowLocks.distinct(Arrays.copyOf(found, count));
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
      if (isReplicated) {
        database.endTerm(syncer::close);
      } else {
        database.close(syncer::close);
      }
    }
  }
}
