package io.acaciafs.kv.rocksdb;

import io.acaciafs.kv.ConflictException;
import io.acaciafs.kv.FencedOffException;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.rocksdb.common.Failure;
import io.acaciafs.kv.rocksdb.common.Families;
import io.acaciafs.kv.rocksdb.common.Gate;
import io.acaciafs.kv.rocksdb.files.NativeObjects;
import io.acaciafs.kv.rocksdb.log.CommitLog;
import io.acaciafs.kv.rocksdb.memtable.Memtable;
import io.acaciafs.kv.rocksdb.memtable.MemtableFlusher;
import io.acaciafs.kv.rocksdb.memtable.MemtableLog;
import io.acaciafs.kv.rocksdb.memtable.MemtableSnapshot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.rocksdb.Checkpoint;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.IngestExternalFileOptions;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Snapshot;
import org.rocksdb.Status;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An open RocksDB, its tables, its log and its native objects; speaks {@link StoreException}. Safe
 * for use by many threads that have entered the {@link #gate} before: calls here do not check that
 * it is open.
 */
final class Database {
  private static final Logger LOG = LoggerFactory.getLogger(Database.class);
  private static final byte[] NO_BYTES = {};
  private static final String BULK_FILE = "bulk-";

  private final RocksDB db;
  private final Map<Table, ColumnFamilyHandle> handles;
  private final Memtable memtable;
  private final CommitLog log;
  private final MemtableLog logging;
  private final MemtableFlusher.Target files;
  private volatile MemtableFlusher writeOut;
  private boolean writesOut;
  private final NativeObjects natives;
  private final long longestCallMs;
  private final ReadOptions reads;
  private final ReadOptions inPartition;
  private final RowChunks chunks = new RowChunks();

  /** Another one for each term in which this process leads. */
  private volatile Gate gate;

  private final Set<RocksDbScan> scans = ConcurrentHashMap.newKeySet();
  private final Set<RocksDbView> views = ConcurrentHashMap.newKeySet();
  private volatile Consumer<StoreException> onFailure = failure -> {};

  /** By the thread that closes it. */
  private boolean freed;

  /** Batches of the log up to this position are in files. */
  private long released;

  /**
   * @param memtable holds what the log holds
   * @param files where the memtable's rows go
   * @param natives everything that {@code db} needs and itself; belongs to this from now on
   * @param longestCallMs how long a call, or a write into RocksDB's files, may take
   */
  Database(
      RocksDB db,
      Map<Table, ColumnFamilyHandle> handles,
      Memtable memtable,
      CommitLog log,
      MemtableFlusher.Target files,
      NativeObjects natives,
      long longestCallMs) {
    this.db = db;
    this.handles = Map.copyOf(handles);
    this.memtable = memtable;
    this.log = log;
    this.logging = new MemtableLog(memtable, log);
    this.files = files;
    this.longestCallMs = longestCallMs;
    this.writeOut = newWriteOut();
    this.gate = newGate();
    this.natives = natives;
    this.reads = natives.add(new ReadOptions());
    this.inPartition =
        natives.add(new ReadOptions().setTotalOrderSeek(false).setPrefixSameAsStart(true));
  }

  private MemtableFlusher newWriteOut() {
    MemtableFlusher made =
        new MemtableFlusher(
            memtable, this::makeDurable, files, this::release, this::fail, longestCallMs);
    memtable.watch(made);
    return made;
  }

  /** The one that is open now. */
  Gate gate() {
    return gate;
  }

  /** From now on this process adds to a replicated log. All rows of the memtable are durable. */
  void beginTerm() {
    logging.begin();
  }

  /** Batches of a replicated log are durable up to a position. */
  void durable(long position) {
    logging.durable(position);
  }

  /**
   * This process no longer adds to a replicated log: what it showed and the log did not make
   * durable is taken back.
   *
   * @param endOfStore ends what wrote; the gate is closed, and nobody is inside
   */
  void endTerm(Runnable endOfStore) {
    closeGate();
    endOfStore.run();
    scans.forEach(RocksDbScan::free);
    views.forEach(RocksDbView::free);
    writeOut.endTerm(); // first: the log takes silently what comes after its end
    logging.end();
    writeOut.stop();
    memtable.removeUndurable(log.durable());
    replaceWriteOut();
    gate = newGate();
  }

  private Gate newGate() {
    return log.isReplicated()
        ? new Gate(() -> new FencedOffException("This process no longer leads"))
        : new Gate(() -> new StoreException("The store is closed"));
  }

  private synchronized void replaceWriteOut() {
    writeOut = newWriteOut();
    writesOut = false;
  }

  /** Whether calls are let in. */
  boolean isOpen() {
    return gate.isOpen();
  }

  private void closeGate() {
    if (!gate.close(longestCallMs)) {
      // To free what a call uses would end the process.
      throw new StoreException("A call did not end within " + longestCallMs + " ms");
    }
  }

  /** Rows that are not in RocksDB yet. */
  Memtable memtable() {
    return memtable;
  }

  /** From RocksDB: not the latest value where the memtable has the row. */
  byte[] get(Key key) {
    try {
      return db.get(handle(key.table()), reads, key.bytes());
    } catch (RocksDBException e) {
      throw Failure.of("Cannot read row " + key, e);
    }
  }

  /**
   * A row as it was at a moment.
   *
   * @throws ConflictException when that moment cannot be shown any more
   */
  byte @Nullable [] get(Key key, Memtable.Moment moment) {
    Memtable.Found found = memtable.find(key, moment);
    byte[] value = found == null ? get(key) : found.value();
    if (memtable.flushCount() != moment.flushCount()) {
      throw new ConflictException(key);
    }
    return value;
  }

  /** In RocksDB. */
  boolean exists(Key key) {
    try {
      return db.get(handle(key.table()), reads, key.bytes(), NO_BYTES) != RocksDB.NOT_FOUND;
    } catch (RocksDBException e) {
      throw Failure.of("Cannot read row " + key, e);
    }
  }

  /**
   * Shows the keys with a prefix, in RocksDB.
   *
   * @param maxKeys when there are more, removed ones included, it ends
   * @return whether all were shown
   */
  boolean forEachKey(Table table, byte[] prefix, int maxKeys, Consumer<Key> visitor) {
    int left = maxKeys;
    try (ReadOptions options = new ReadOptions();
        RocksIterator rows =
            db.newIterator(
                handle(table),
                options.setTotalOrderSeek(true).setMaxSkippableInternalKeys(maxKeys))) {
      for (rows.seek(prefix); rows.isValid(); rows.next()) {
        byte[] key = rows.key();
        if (!beginsWith(key, prefix)) {
          return true;
        }
        if (left-- == 0) {
          return false;
        }
        visitor.accept(new Key(table, key));
      }
      rows.status();
      return true;
    } catch (RocksDBException e) {
      if (e.getStatus() != null && e.getStatus().getCode() == Status.Code.Incomplete) {
        return false;
      }
      throw Failure.of("Cannot scan table " + table, e);
    }
  }

  private static boolean beginsWith(byte[] key, byte[] prefix) {
    return key.length >= prefix.length
        && Arrays.equals(key, 0, prefix.length, prefix, 0, prefix.length);
  }

  /**
   * All rows of one moment, those of the memtable too.
   *
   * @param ranges of one table, in the order of their keys
   */
  RocksDbScan scan(List<KeyRange> ranges) {
    while (true) {
      long flushCount = memtable.flushCount();
      boolean hasFresh = ranges.stream().anyMatch(memtable::mayHoldAnyOf);
      RocksDbScan scan = scan(ranges, hasFresh ? memtable.snapshot(ranges) : null);
      if (memtable.flushCount() == flushCount) {
        return scan;
      }
      scan.close(); // of a commit that came later it may have a part
    }
  }

  /**
   * The same of a moment before.
   *
   * @throws ConflictException when it cannot be shown any more
   */
  RocksDbScan scan(List<KeyRange> ranges, Memtable.Moment moment) {
    boolean hasFresh = ranges.stream().anyMatch(memtable::mayHoldAnyOf);
    RocksDbScan scan = scan(ranges, hasFresh ? memtable.snapshot(ranges, moment) : null);
    if (memtable.flushCount() != moment.flushCount()) {
      scan.close();
      throw new ConflictException(new Key(ranges.get(0).table(), ranges.get(0).from()));
    }
    return scan;
  }

  private RocksDbScan scan(List<KeyRange> ranges, @Nullable MemtableSnapshot snapshot) {
    ColumnFamilyHandle handle = handle(ranges.get(0).table());
    RocksDbScan scan =
        new RocksDbScan(
            new RocksDbScan.Rows(db, handle, inPartition, null),
            ranges,
            snapshot,
            gate,
            chunks,
            scans::remove);
    scans.add(scan);
    return scan;
  }

  /**
   * All rows as they are after the last batch that is durable, for as long as the view is open.
   * Takes microseconds. No batch becomes durable during this call.
   */
  RocksDbView view() {
    Memtable.Moment moment = memtable.durableMoment(); // first: what leaves it then is in RocksDB
    RocksDbView view = new RocksDbView(this, gate, moment, db.getSnapshot(), views::remove);
    views.add(view);
    return view;
  }

  /** Of a view. */
  RocksDbScan scan(KeyRange range, RocksDbView view) {
    RocksDbScan scan =
        new RocksDbScan(
            new RocksDbScan.Rows(db, handle(range.table()), inPartition, view.snapshot()),
            List.of(range),
            memtable.lastingSnapshot(range, view.moment()),
            view.gate(),
            chunks,
            scans::remove);
    scans.add(scan);
    return scan;
  }

  /** Frees a view. */
  void release(Snapshot snapshot) {
    db.releaseSnapshot(snapshot);
  }

  /**
   * Adds all commits to the log that were shown before; the next {@link #syncLog} makes them
   * durable.
   *
   * @throws StoreException when it is not known what is in the log
   */
  void addToLog() {
    logging.addAll();
  }

  /** As {@link CommitLog#sync}. */
  CompletableFuture<Void> syncLog() {
    return log.sync();
  }

  CommitLog log() {
    return log;
  }

  /**
   * Adds all commits to the log that were shown before, as {@link CommitLog#roll}, and begins to
   * write out the rows of the segments that have ended, so that these can be used again.
   */
  long rollLog() {
    long first = logging.roll();
    if (log.isReplicated()) {
      makeDurable(); // a local one is, with its roll
    }
    writeOut.request();
    return first;
  }

  private void makeDurable() {
    if (!logging.adds()) {
      return; // what is in the memtable came from the log
    }
    addToLog();
    try {
      syncLog().get(longestCallMs, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreException("Interrupted while the log was synced", e);
    } catch (TimeoutException e) {
      throw new StoreException("The log was not synced for " + longestCallMs + " ms", e);
    } catch (ExecutionException e) {
      throw Failure.of("The log cannot be synced", e.getCause() == null ? e : e.getCause());
    }
  }

  private synchronized void release(long upTo) {
    released = Math.max(released, upTo);
    log.release(released);
  }

  /**
   * Waits while much more is committed than RocksDB can be given.
   *
   * @throws StoreException when that does not get on
   */
  void awaitRoom() {
    writeOut.awaitRoom();
  }

  /**
   * Begins to write into RocksDB what the memtable has too much of, if that has not begun.
   *
   * @param newOnFailure is told when nothing can be written any more
   */
  synchronized void startWriteOut(Consumer<StoreException> newOnFailure) {
    onFailure = newOnFailure;
    if (!writesOut) {
      writesOut = true;
      writeOut.start();
    }
  }

  private void fail(StoreException cause) {
    memtable.fail(cause);
    onFailure.accept(cause);
  }

  /** By what memory and files say of themselves. */
  long estimatedRows(Table table) {
    try {
      long inFiles = db.getLongProperty(handle(table), "rocksdb.estimate-num-keys");
      return Math.max(0, inFiles + memtable.putBeyondRemoved(table));
    } catch (RocksDBException e) {
      throw new StoreException("Cannot estimate the rows of table " + table, e);
    }
  }

  /** Of the files that rows were written out to. */
  long fileBytes() {
    try {
      return db.getAggregatedLongProperty("rocksdb.live-sst-files-size");
    } catch (RocksDBException e) {
      throw new StoreException("Cannot tell the size of the files", e);
    }
  }

  /**
   * Makes a folder that can be opened like this one, and holds at least all that was written
   * before. Files that never change are linked where the disk is the same, and copied where it is
   * not. The folder is whole only when this has returned.
   *
   * @param ofLog gives the folder what its files may lack
   */
  void checkpoint(Path folder, CommitLog.Snapshot ofLog) {
    addToLog();
    try (Checkpoint checkpoint = Checkpoint.create(db)) {
      checkpoint.createCheckpoint(folder.toString());
      ofLog.copyTo(folder); // last, as it is ahead of the files
    } catch (RocksDBException e) {
      throw Failure.of("Cannot copy the store to " + folder, e);
    }
  }

  /** Where to write a file that is to be ingested: in the folder, so that it need not be copied. */
  String bulkFile(int number) {
    return db.getName() + "/" + BULK_FILE + number + ".sst.part";
  }

  /** Those of a process that was cut off may be links to files that RocksDB has taken over. */
  void removeBulkFiles() {
    try (Stream<Path> files = Files.list(Path.of(db.getName()))) {
      for (Path file : files.filter(Database::isBulkFile).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new StoreException(
          "Files of an earlier load could not be removed: " + e.getMessage(), e);
    }
  }

  private static boolean isBulkFile(Path file) {
    return String.valueOf(file.getFileName()).startsWith(BULK_FILE);
  }

  /** Takes over files whose rows do not overlap; they are gone from where they were. */
  void ingest(Table table, List<String> files, IngestExternalFileOptions options) {
    try {
      db.ingestExternalFile(handle(table), files, options);
      release(0); // nothing more, but the files have changed
    } catch (RocksDBException e) {
      throw Failure.of("Cannot take over files of table " + table, e);
    }
  }

  Set<Table> tables() {
    return handles.keySet();
  }

  ColumnFamilyHandle handle(Table table) {
    ColumnFamilyHandle handle = handles.get(table);
    if (handle == null) {
      throw Families.unknown(table);
    }
    return handle;
  }

  /**
   * Frees everything; the gate is closed, and nobody is inside. Once that is done it does nothing:
   * a copy that could not be put in this one's place is tried again.
   *
   * @param beforeFreeing runs between the last call and the end; when it throws, nothing is freed
   * @throws StoreException when a call or a write into files does not end: nothing is freed then,
   *     and nobody else may have the folder
   */
  void close(Runnable beforeFreeing) {
    if (freed) {
      return;
    }
    closeGate();
    beforeFreeing.run();
    writeOut.stop(); // to free what it uses would end the process
    scans.forEach(RocksDbScan::free);
    views.forEach(RocksDbView::free);
    try {
      writeOut.close();
    } catch (StoreException e) {
      LOG.warn("The log stays, and is read at the next start folder={}", db.getName(), e);
    }
    freed = true;
    log.close(); // first, as the folder may be another process's then
    natives.close();
  }
}
