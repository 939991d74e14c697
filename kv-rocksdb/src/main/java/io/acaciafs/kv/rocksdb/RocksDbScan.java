package io.acaciafs.kv.rocksdb;

import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Row;
import io.acaciafs.kv.RowView;
import io.acaciafs.kv.RowVisitor;
import io.acaciafs.kv.Scan;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.rocksdb.common.Gate;
import io.acaciafs.kv.rocksdb.files.NativeObjects;
import io.acaciafs.kv.rocksdb.memtable.MemtableCursor;
import io.acaciafs.kv.rocksdb.memtable.MemtableSnapshot;
import java.util.Arrays;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Slice;
import org.rocksdb.Snapshot;

/**
 * Shows the rows of one moment: RocksDB's, and those of the memtable among them. From range to
 * range it goes on with the same iterator: to make one and to have it find its place costs as much
 * as dozens of rows. The store frees what a scan left open.
 */
final class RocksDbScan implements Scan {
  /** Between the ranges of two neighbours lie few rows: to pass one costs less than to search. */
  private static final int MOST_ROWS_PASSED = 4;

  private final Table table;
  private final List<KeyRange> ranges;
  private final Gate gate;
  private final Consumer<RocksDbScan> onClose;
  private final NativeObjects natives = new NativeObjects();
  private final RocksIterator iterator;
  private final RowChunks chunks;
  private final RowChunk chunk;
  private boolean closed;

  /** Null where the memtable has no row of the ranges. */
  private final @Nullable MemtableSnapshot snapshot;

  private @Nullable MemtableCursor fresh;
  private int current;

  /** Where the current range ends; null where the iterator knows. */
  private byte @Nullable [] to;

  private boolean mayHaveMore = true;
  private final AtomicBoolean freed = new AtomicBoolean();

  /**
   * A table in the database.
   *
   * @param inPartition for iterators that end with the partition in which they begin
   * @param snapshot shows the rows of an earlier moment; null: those of now
   */
  record Rows(
      RocksDB db, ColumnFamilyHandle handle, ReadOptions inPartition, @Nullable Snapshot snapshot) {
    boolean areOfNow() {
      return snapshot == null;
    }
  }

  /**
   * Made inside the gate.
   *
   * @param ranges of one table, in the order of their keys
   * @param snapshot what the memtable has of them; null for nothing
   */
  RocksDbScan(
      Rows rows,
      List<KeyRange> ranges,
      @Nullable MemtableSnapshot snapshot,
      Gate gate,
      RowChunks chunks,
      Consumer<RocksDbScan> onClose) {
    KeyRange range = ranges.get(0);
    this.table = range.table();
    this.ranges = ranges;
    this.snapshot = snapshot;
    this.gate = gate;
    this.chunks = chunks;
    this.chunk = chunks.take();
    this.onClose = onClose;
    boolean isOne = ranges.size() == 1;
    if (isOne
        && rows.areOfNow()
        && NativeOptions.filtersPartitions(table)
        && range.isInOnePartition()) {
      this.to = range.to();
      this.iterator = natives.add(rows.db.newIterator(rows.handle, rows.inPartition));
    } else {
      this.to = isOne ? null : range.to();
      byte[] end = ranges.get(ranges.size() - 1).to();
      this.iterator =
          natives.add(rows.db.newIterator(rows.handle, anywhereUntil(end, rows.snapshot)));
    }
    iterator.seek(range.from());
  }

  /**
   * @param end null: of the table
   */
  private ReadOptions anywhereUntil(byte @Nullable [] end, @Nullable Snapshot of) {
    ReadOptions options = natives.add(new ReadOptions());
    if (of != null) {
      options.setSnapshot(of).setFillCache(false);
    }
    if (end != null) {
      options.setIterateUpperBound(natives.add(new Slice(end)));
    }
    return options.setTotalOrderSeek(true);
  }

  @Override
  public boolean hasNext() {
    if (closed) {
      return false; // the chunk may be another scan's by now
    }
    while (!chunk.hasNext() && mayHaveMore) {
      fill();
    }
    return chunk.hasNext();
  }

  @Override
  public Row next() {
    if (!hasNext()) {
      throw new NoSuchElementException("The scan is at its end");
    }
    return chunk.next(table);
  }

  @Override
  public <E extends Exception> void forEachRow(RowVisitor<E> visitor) throws E {
    RowView row = new RowView();
    boolean wantsMore = true;
    while (wantsMore && hasNext()) {
      chunk.next(row);
      wantsMore = visitor.visit(row);
    }
  }

  /** Calls into native code cost more than what they do, so a few rows are fetched in one go. */
  private void fill() {
    gate.enter();
    try {
      if (freed.get()) {
        mayHaveMore = false;
      } else if (!chunk.fill(iterator, freshOfCurrent(), to)) {
        boolean hasNextRange = findNextRange();
        iterator.status(); // an end for want of a readable block is none
        mayHaveMore = hasNextRange;
      }
    } catch (RocksDBException e) {
      chunk.clear();
      throw new StoreException("Cannot scan table " + table, e);
    } finally {
      gate.leave();
    }
  }

  private MemtableCursor freshOfCurrent() {
    if (fresh == null) {
      fresh = new MemtableCursor(snapshot, current);
    }
    return fresh;
  }

  /** Goes to where the next range begins, if there is one. */
  private boolean findNextRange() {
    if (++current >= ranges.size()) {
      return false;
    }
    KeyRange range = ranges.get(current);
    to = range.to();
    fresh = null;
    int passed = 0;
    while (iterator.isValid() && Arrays.compareUnsigned(iterator.key(), range.from()) < 0) {
      if (passed++ < MOST_ROWS_PASSED) {
        iterator.next();
      } else {
        iterator.seek(range.from());
      }
    }
    return snapshot != null || iterator.isValid();
  }

  @Override
  public boolean isOfOneMoment() {
    return true;
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      chunk.clear();
      chunks.giveBack(chunk);
    }
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
      natives.close();
    }
  }
}
