package io.acaciafs.kv.rocksdb;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.rocksdb.files.AbsenceFilter;
import io.acaciafs.kv.rocksdb.files.AbsenceFilters;
import io.acaciafs.kv.rocksdb.memtable.Memtable;
import io.acaciafs.kv.rocksdb.memtable.PartitionVersions;
import io.acaciafs.kv.rocksdb.memtable.RowBatch;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What each row is now, wherever that stands: in the memtable, in a filter that knows that it is
 * not there, or in RocksDB. Safe for use by many threads; inside the database's gate.
 */
final class LatestRows {
  private static final Logger LOG = LoggerFactory.getLogger(LatestRows.class);
  private static final int SPINS_FOR_QUIET = 10_000;

  private final Database database;
  private final Memtable memtable;
  private final PartitionVersions partitions;
  private final AbsenceFilters absences = new AbsenceFilters(this::addKeys);

  LatestRows(Database database) {
    this.database = database;
    this.memtable = database.memtable();
    this.partitions = memtable.partitions();
  }

  /** The latest value; null where there is no row. */
  byte @Nullable [] read(Key key) {
    Memtable.Found found = memtable.find(key);
    if (found != null) {
      return found.value();
    }
    return absences.isAbsent(key) ? null : database.get(key);
  }

  /** The same for a caller without locks: where many rows are absent it may take a while. */
  byte @Nullable [] readUnlocked(Key key) {
    byte[] value = read(key);
    if (value == null) {
      absences.noteAbsent(key);
    }
    return value;
  }

  boolean exists(Key key) {
    Memtable.Found found = memtable.find(key);
    return found == null ? database.exists(key) : found.value() != null;
  }

  /** Before a commit is shown: filters must not say any more that its rows are not there. */
  void expect(RowBatch rows) {
    for (int i = 0; i < rows.size(); i++) {
      if (rows.value(i) != null) {
        absences.add(rows.key(i));
      }
    }
  }

  /** Rows are going to be written past all commits. */
  void distrustFilters() {
    absences.turnOff();
  }

  private AbsenceFilters.Built addKeys(
      Table table, byte[] prefix, int maxKeys, AbsenceFilter filter) {
    int slot = partitions.slotOf(table, prefix);
    if (!partitions.isQuiet(slot, SPINS_FOR_QUIET)) {
      return AbsenceFilters.Built.BUSY;
    }
    // A commit that begins from now on knows of the filter; one that has ended has shown its rows.
    try {
      return memtable.forEachKey(table, prefix, maxKeys, key -> filter.add(key.hash()))
              && database.forEachKey(table, prefix, maxKeys, key -> filter.add(key.hash()))
          ? AbsenceFilters.Built.COMPLETE
          : AbsenceFilters.Built.TOO_LARGE;
    } catch (StoreException e) { // the read that this is to make cheaper has succeeded without
      LOG.debug("No filter can be made table={}", table, e);
      return AbsenceFilters.Built.TOO_LARGE;
    }
  }
}
