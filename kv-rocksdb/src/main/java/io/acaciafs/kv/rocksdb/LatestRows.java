package io.acaciafs.kv.rocksdb;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.Table;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What each row is now, wherever that stands: in a commit that waits to be written, in memory since
 * it was written, in a filter that knows that it is not there, or in RocksDB. Safe for use by many
 * threads; inside the database's gate.
 */
final class LatestRows {
  private static final Logger LOG = LoggerFactory.getLogger(LatestRows.class);
  private static final int SPINS_FOR_QUIET = 10_000;

  /** A file of many blocks would take the place of thousands of others in memory. */
  private static final int LONGEST_REMEMBERED_BYTES = 1_024;

  private final Database database;
  private final PartitionVersions partitions;
  private final WriteQueue queue;
  private final RecentRows recent = new RecentRows();
  private final AbsenceFilters absences = new AbsenceFilters(this::addKeys);

  LatestRows(Database database, PartitionVersions partitions, WriteQueue queue) {
    this.database = database;
    this.partitions = partitions;
    this.queue = queue;
  }

  /** The latest value; null where there is no row. */
  byte[] read(Key key) {
    QueuedCommit.Row known = find(key);
    if (known != null) {
      return known.value() == null ? null : known.value().clone();
    }
    return absences.isAbsent(key) ? null : database.get(key);
  }

  /** The same for who holds no locks: where many rows are not there it may take a while. */
  byte[] readUnlocked(Key key) {
    byte[] value = read(key);
    if (value == null) {
      absences.noteAbsent(key);
    }
    return value;
  }

  boolean exists(Key key) {
    QueuedCommit.Row known = find(key);
    return known == null ? database.exists(key) : known.value() != null;
  }

  /** What a delta is added to. The row's slot is held. */
  byte[] readToAdd(Key key) {
    QueuedCommit.Row known = recent.get(key); // while the slot is held none is newer
    return known == null ? read(key) : known.value();
  }

  /** A row that RocksDB need not be asked for; null where it must be. */
  private QueuedCommit.Row find(Key key) {
    QueuedCommit.Row queued = queue.find(key); // first: what is queued may not be remembered yet
    return queued == null ? recent.get(key) : queued;
  }

  /**
   * Before a commit is added to the queue: from then on nobody must find what was there before,
   * though it may be written, and gone from the queue, at once. The slots of its rows are held.
   */
  void expect(QueuedCommit commit) {
    for (QueuedCommit.Row row : commit.rows()) {
      recent.forget(row.key());
      if (row.value() != null) {
        absences.add(row.key());
      }
    }
  }

  /** After a commit was added to the queue, while the slots of its rows are still held. */
  void remember(QueuedCommit commit) {
    for (QueuedCommit.Row row : commit.rows()) {
      if (isWorthAPlace(row)) {
        recent.put(row);
      } else {
        recent.forget(row.key()); // of two changes of one row the last counts
      }
    }
  }

  /** Who writes index rows seldom reads them. */
  private static boolean isWorthAPlace(QueuedCommit.Row row) {
    return (row.isCounted() || PartitionVersions.watches(row.key().table()))
        && (row.value() == null || row.value().length <= LONGEST_REMEMBERED_BYTES);
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
    // Who begins to commit from now on knows of the filter; who has ended has queued his rows.
    try {
      if (partitions.hasQueued(slot)) {
        queue.drainAll();
      }
      boolean all = database.forEachKey(table, prefix, maxKeys, key -> filter.add(key.hash()));
      return all ? AbsenceFilters.Built.COMPLETE : AbsenceFilters.Built.TOO_LARGE;
    } catch (StoreException e) { // the read that this is to make cheaper has succeeded without
      LOG.debug("No filter can be made table={}", table, e);
      return AbsenceFilters.Built.TOO_LARGE;
    }
  }
}
