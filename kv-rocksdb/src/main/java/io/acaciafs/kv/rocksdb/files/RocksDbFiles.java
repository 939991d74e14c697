package io.acaciafs.kv.rocksdb.files;

import io.acaciafs.kv.rocksdb.common.Failure;
import io.acaciafs.kv.rocksdb.memtable.MemtableFlusher;
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

/** Has RocksDB make files of rows, past its log. Safe for use by many threads. */
public final class RocksDbFiles implements MemtableFlusher.Target {
  private final RocksDB db;
  private final Map<Integer, ColumnFamilyHandle> families;
  private final WriteOptions unlogged;
  private final FlushOptions awaited;
  private final PassingFiles passing;

  /**
   * @param families all of them
   * @param natives frees what is made here
   * @param passing is told before files are made
   */
  public RocksDbFiles(
      RocksDB db,
      Collection<ColumnFamilyHandle> families,
      NativeObjects natives,
      PassingFiles passing) {
    this.db = db;
    this.passing = passing;
    this.families = new HashMap<>();
    families.forEach(family -> this.families.put(family.getID(), family));
    this.unlogged = natives.add(new WriteOptions().setDisableWAL(true));
    this.awaited = natives.add(new FlushOptions().setAllowWriteStall(true));
  }

  @Override
  public void write(byte[] batch) {
    try (WriteBatch writes = new WriteBatch(batch)) {
      db.write(unlogged, writes);
    } catch (RocksDBException e) {
      throw Failure.of("Cannot write into RocksDB", e);
    }
  }

  @Override
  public void flush(Set<Integer> numbers) {
    passing.update();
    List<ColumnFamilyHandle> handles =
        numbers.stream().map(families::get).collect(Collectors.toList());
    handles.add(db.getDefaultColumnFamily()); // what the files of passing rows are kept by
    try {
      db.flush(awaited, handles);
    } catch (RocksDBException e) {
      throw Failure.of("Cannot have RocksDB write its memory into files", e);
    }
  }
}
