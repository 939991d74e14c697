package io.acaciafs.kv.rocksdb;

import io.acaciafs.kv.StoreException;
import java.nio.ByteBuffer;

/**
 * Adds to the log what the {@link Memtable} has and the log has not: all commits that have come
 * together as one record. Safe for use by many threads.
 */
final class MemtableLog {
  private static final int FIRST_BYTES = 64 << 10;
  private static final int LARGEST_KEPT = 1 << 20;

  private final Memtable memtable;
  private final CommitLog log;
  private ByteBuffer buffer = ByteBuffer.allocate(FIRST_BYTES);

  /** The number of the first row that is not in the log. */
  private long next;

  /**
   * @param memtable all its rows are in the log already
   */
  MemtableLog(Memtable memtable, CommitLog log) {
    this.memtable = memtable;
    this.log = log;
    this.next = memtable.extent().end();
  }

  /**
   * Adds all commits that were shown before; they are durable after the next {@link
   * CommitLog#sync}.
   *
   * @throws StoreException when it is not known what is in the log
   */
  synchronized void addAll() {
    boolean succeeded = false;
    try {
      Memtable.Extent extent = memtable.extent();
      for (MemtablePart part : extent.view().parts()) {
        long end = extent.endIn(part);
        if (end > next) {
          add(part, Math.max(next, part.first()), end);
        }
      }
      succeeded = true;
    } finally {
      if (!succeeded) {
        memtable.fail();
      }
    }
  }

  private void add(MemtablePart part, long from, long to) {
    int bytes = BatchEncoder.HEADER_BYTES + part.bytes(from, to);
    if (buffer.capacity() < bytes || buffer.capacity() > Math.max(LARGEST_KEPT, bytes)) {
      buffer = ByteBuffer.allocate(Math.max(bytes, FIRST_BYTES));
    }
    buffer.clear();
    BatchEncoder.putHeader(buffer, Math.toIntExact(to - from));
    part.copy(from, to, buffer);
    log.append(buffer.flip(), to - 1);
    next = to;
  }
}
