package io.acaciafs.kv.rocksdb;

import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Scan;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.rocksdb.common.Gate;
import io.acaciafs.kv.rocksdb.memtable.Memtable;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.rocksdb.Snapshot;

/**
 * All rows as they were at one moment, for as long as it is open: RocksDB keeps what it would
 * forget, and the memory of what the memtable had then stays as well, which is what the log had at
 * most. Safe for use by many threads; each of its scans is used by one.
 */
public final class RocksDbView implements AutoCloseable {
  private final Database database;
  private final Gate gate;
  private final Memtable.Moment moment;
  private final Snapshot snapshot;
  private final Consumer<RocksDbView> onClose;
  private final AtomicBoolean freed = new AtomicBoolean();

  /**
   * @param gate of the term in which it was made, and ends
   */
  RocksDbView(
      Database database,
      Gate gate,
      Memtable.Moment moment,
      Snapshot snapshot,
      Consumer<RocksDbView> onClose) {
    this.database = database;
    this.gate = gate;
    this.moment = moment;
    this.snapshot = snapshot;
    this.onClose = onClose;
  }

  public Set<Table> tables() {
    return database.tables();
  }

  /**
   * Rows in the order of their keys.
   *
   * @throws StoreException when the view has ended
   */
  public Scan scan(KeyRange range) {
    gate.enter();
    try {
      if (freed.get()) {
        throw new StoreException("The view of the store has ended");
      }
      return database.scan(range, this);
    } finally {
      gate.leave();
    }
  }

  Memtable.Moment moment() {
    return moment;
  }

  Snapshot snapshot() {
    return snapshot;
  }

  Gate gate() {
    return gate;
  }

  /** Its scans are closed. */
  @Override
  public void close() {
    if (gate.tryEnter()) { // else the store frees it
      try {
        free();
        onClose.accept(this);
      } finally {
        gate.leave();
      }
    }
  }

  /** Inside the gate, or when nobody is any more. */
  void free() {
    if (freed.compareAndSet(false, true)) {
      database.release(snapshot);
    }
  }
}
