package io.acaciafs.kv.rocksdb;

import io.acaciafs.kv.StoreException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.FlushOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * What RocksDB has in memory alone until it writes it into files. Safe for use by many threads; who
 * uses up sequence numbers otherwise does so while he holds this object's monitor.
 */
final class Memtables implements CommitLog.Flusher {
  private final RocksDB db;
  private final Map<Integer, ColumnFamilyHandle> families;
  private final WriteOptions unlogged;
  private final FlushOptions unawaited;
  private final FlushOptions awaited;

  /**
   * @param families all of them
   * @param natives frees what is made here
   */
  Memtables(RocksDB db, Collection<ColumnFamilyHandle> families, NativeObjects natives) {
    this.db = db;
    this.families = new HashMap<>();
    families.forEach(family -> this.families.put(family.getID(), family));
    this.unlogged = natives.add(new WriteOptions().setDisableWAL(true));
    this.unawaited =
        natives.add(new FlushOptions().setWaitForFlush(false).setAllowWriteStall(true));
    this.awaited = natives.add(new FlushOptions().setAllowWriteStall(true));
  }

  /**
   * Makes a batch visible.
   *
   * @param batch as {@link BatchEncoder} makes it
   * @return the last row of each column family in it, by the numbers that RocksDB gave to its rows
   * @throws StoreException when it is not known what was written
   */
  synchronized Map<Integer, Long> write(byte[] batch) {
    try (WriteBatch writes = new WriteBatch(batch)) {
      db.write(unlogged, writes);
      long before = db.getLatestSequenceNumber() - writes.count();
      Map<Integer, Long> last = new HashMap<>();
      BatchEncoder.lastRows(batch).forEach((family, row) -> last.put(family, before + row));
      return last;
    } catch (RocksDBException e) {
      throw new StoreException("Cannot write into RocksDB", e);
    }
  }

  @Override
  public void flush(Set<Integer> numbers) {
    flush(numbers, unawaited);
  }

  @Override
  public void flushNow(Set<Integer> numbers) {
    flush(numbers, awaited);
  }

  private void flush(Set<Integer> numbers, FlushOptions options) {
    List<ColumnFamilyHandle> handles =
        numbers.stream().map(families::get).collect(Collectors.toList());
    try {
      db.flush(options, handles);
    } catch (RocksDBException e) {
      throw new StoreException("Cannot have RocksDB write its memory into files", e);
    }
  }
}
