package io.acaciafs.kv.rocksdb;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.Table;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.rocksdb.Checkpoint;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.IngestExternalFileOptions;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Status;

/**
 * An open RocksDB, its tables, its log and its native objects; speaks {@link StoreException}. Safe
 * for use by many threads, who have entered the {@link #gate} before: calls here do not check that
 * it is open.
 */
final class Database {
  private static final byte[] NO_BYTES = {};
  private static final long LONGEST_CALL_MS = 60_000;

  private final RocksDB db;
  private final Map<Table, ColumnFamilyHandle> handles;
  private final Map<Table, Integer> families;
  private final Memtables memtables;
  private final CommitLog log;
  private final NativeObjects natives;
  private final ReadOptions reads;
  private final ReadOptions inPartition;
  private final RowChunks chunks = new RowChunks();
  private final Gate gate = new Gate();
  private final Set<RocksDbScan> scans = ConcurrentHashMap.newKeySet();

  /**
   * @param natives everything that {@code db} needs and itself; belongs to this from now on
   */
  Database(
      RocksDB db,
      Map<Table, ColumnFamilyHandle> handles,
      Memtables memtables,
      CommitLog log,
      NativeObjects natives) {
    this.db = db;
    this.handles = Map.copyOf(handles);
    this.families =
        handles.entrySet().stream()
            .collect(
                Collectors.toUnmodifiableMap(Map.Entry::getKey, entry -> entry.getValue().getID()));
    this.memtables = memtables;
    this.log = log;
    this.natives = natives;
    this.reads = natives.add(new ReadOptions());
    this.inPartition =
        natives.add(new ReadOptions().setTotalOrderSeek(false).setPrefixSameAsStart(true));
  }

  Gate gate() {
    return gate;
  }

  byte[] get(Key key) {
    try {
      return db.get(handle(key.table()), reads, key.bytes());
    } catch (RocksDBException e) {
      throw new StoreException("Cannot read row " + key, e);
    }
  }

  boolean exists(Key key) {
    try {
      return db.get(handle(key.table()), reads, key.bytes(), NO_BYTES) != RocksDB.NOT_FOUND;
    } catch (RocksDBException e) {
      throw new StoreException("Cannot read row " + key, e);
    }
  }

  /**
   * Shows the keys with a prefix.
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
      throw new StoreException("Cannot scan table " + table, e);
    }
  }

  private static boolean beginsWith(byte[] key, byte[] prefix) {
    return key.length >= prefix.length
        && Arrays.equals(key, 0, prefix.length, prefix, 0, prefix.length);
  }

  /**
   * @param ranges of one table, in the order of their keys
   */
  RocksDbScan scan(List<KeyRange> ranges) {
    ColumnFamilyHandle handle = handle(ranges.get(0).table());
    RocksDbScan scan =
        new RocksDbScan(db, handle, ranges, inPartition, gate, chunks, scans::remove);
    scans.add(scan);
    return scan;
  }

  /** The number of a table's column family, as it stands in batches. */
  int family(Table table) {
    Integer family = families.get(table);
    if (family == null) {
      throw new IllegalArgumentException("The store was opened without table " + table);
    }
    return family;
  }

  /** As {@link CommitLog#append}; {@link #write} of the same rows follows. */
  LogSegment log(ByteBuffer batch) {
    return log.append(batch);
  }

  /** As {@link CommitLog#sync}. */
  void syncLog() {
    log.sync();
  }

  /** As {@link Memtables#write}. */
  Map<Integer, Long> write(byte[] batch) {
    return memtables.write(batch);
  }

  /** By what memory and files say of themselves. */
  long estimatedRows(Table table) {
    try {
      return db.getLongProperty(handle(table), "rocksdb.estimate-num-keys");
    } catch (RocksDBException e) {
      throw new StoreException("Cannot estimate the rows of table " + table, e);
    }
  }

  /**
   * Makes a folder that can be opened like this one, and holds at least all that was written
   * before. Files that never change are linked where the disk is the same, and copied where it is
   * not. The folder is whole only when this has returned.
   */
  void checkpoint(Path folder) {
    log.beginCopy();
    try (Checkpoint checkpoint = Checkpoint.create(db)) {
      checkpoint.createCheckpoint(folder.toString());
      log.copyTo(folder); // last, as it is ahead of the files
    } catch (RocksDBException e) {
      throw new StoreException("Cannot copy the store to " + folder + ": " + e.getMessage(), e);
    } finally {
      log.endCopy();
    }
  }

  /** Where to write a file that is to be ingested: in the folder, so that it need not be copied. */
  String bulkFile(int number) {
    return db.getName() + "/bulk-" + number + ".sst.part";
  }

  /** Takes over files whose rows do not overlap; they are gone from where they were. */
  void ingest(Table table, List<String> files, IngestExternalFileOptions options) {
    try {
      synchronized (memtables) { // it takes a sequence number as well
        db.ingestExternalFile(handle(table), files, options);
      }
    } catch (RocksDBException e) {
      throw new StoreException("Cannot take over files of table " + table, e);
    }
  }

  ColumnFamilyHandle handle(Table table) {
    ColumnFamilyHandle handle = handles.get(table);
    if (handle == null) {
      throw new IllegalArgumentException("The store was opened without table " + table);
    }
    return handle;
  }

  /**
   * Frees everything; the gate is closed, and nobody is inside.
   *
   * @param beforeFreeing runs between the last call and the end; when it throws, nothing is freed
   */
  void close(Runnable beforeFreeing) {
    if (!gate.close(LONGEST_CALL_MS)) {
      // To free what a call uses would end the process.
      throw new StoreException("A call did not end within " + LONGEST_CALL_MS + " ms");
    }
    beforeFreeing.run();
    scans.forEach(RocksDbScan::free);
    log.close(); // first, as the folder may be another process's then
    natives.close();
  }
}
