package io.acaciafs.kv.rocksdb;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.ReadSet;
import io.acaciafs.kv.Scan;
import io.acaciafs.kv.rocksdb.lock.RowSlots;
import io.acaciafs.kv.rocksdb.memtable.Memtable;
import io.acaciafs.kv.rocksdb.memtable.PartitionVersions;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which rows were read as of a moment: it holds as long as no batch since has had one of them, or
 * one that looks alike.
 */
final class AppliedReadSet implements ReadSet {
  private static final int ROWS_EXPECTED = 6;

  private final Database database;
  private final Memtable memtable;
  private final AppliedMoment reads;

  /** Rows that came later have at least this number. */
  private long end;

  private int[] hashes = new int[ROWS_EXPECTED];

  private int hashCount;
  private int[] chains = {};
  private boolean uncertain;

  AppliedReadSet(AppliedMoment reads) {
    this.reads = reads;
    this.database = reads.database();
    this.memtable = database.memtable();
    this.end = reads.moment().end();
  }

  /**
   * A row was read.
   *
   * @param readEnd of the moment at which it was
   */
  void note(Key key, long readEnd) {
    end = Math.min(end, readEnd);
    if (hashCount == hashes.length) {
      hashes = Arrays.copyOf(hashes, 2 * hashCount);
    }
    hashes[hashCount++] = RowSlots.hash(key);
  }

  /** Rows of a range were read; one of several partitions is never certain. */
  void note(KeyRange range) {
    if (PartitionVersions.watches(range.table()) && range.isInOnePartition()) {
      chains = Arrays.copyOf(chains, chains.length + 1);
      chains[chains.length - 1] = memtable.chainOf(range);
    } else {
      uncertain = true;
    }
  }

  @Override
  public byte @Nullable [] get(Key key) {
    note(key, reads.moment().end());
    return reads.get(key);
  }

  @Override
  public Scan scan(KeyRange range) {
    note(range);
    return reads.scan(range);
  }

  @Override
  public Scan scan(List<KeyRange> ranges) {
    ranges.forEach(this::note);
    return reads.scan(ranges);
  }

  @Override
  public boolean holds() {
    if (uncertain || !database.isOpen()) {
      return false;
    }
    for (int i = 0; i < hashCount; i++) {
      if (memtable.newestOf(hashes[i]) >= end) {
        return false;
      }
    }
    for (int chain : chains) {
      if (memtable.newestOfChain(chain) >= end) {
        return false;
      }
    }
    return true;
  }
}
