package io.acaciafs.kv.rocksdb.log.local;

import java.nio.ByteBuffer;

/**
 * The end of a segment as it is going to be written: whole pages always, as the system would have
 * to read a page of which only a part is overwritten. So the last page is kept, and written again
 * with what follows. What is behind the end of the last page's bytes is zeros. Used by one thread.
 */
public final class PageBuffer {
  private static final int PAGE_BYTES = 4096;
  private static final int SMALL_BYTES = 64 << 10;
  private static final int LARGEST_KEPT = 2 << 20;
  private static final byte[] ZEROS = new byte[PAGE_BYTES];

  private ByteBuffer bytes = ByteBuffer.allocateDirect(SMALL_BYTES);

  /** Where in the segment the first page of the buffer is. */
  private long start;

  /** How many bytes of that page are in use already. */
  private int used;

  public static int roundUp(int bytes) {
    return Math.addExact(bytes, PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
  }

  static int roundDown(int bytes) {
    return bytes / PAGE_BYTES * PAGE_BYTES;
  }

  /** Begins with an empty segment. */
  void clear() {
    start = 0;
    used = 0;
  }

  long start() {
    return start;
  }

  /** Where in the segment the next record begins. */
  long end() {
    return start + used;
  }

  /** Room for the next record, behind what is in use. */
  ByteBuffer room(int length) {
    int needed = roundUp(Math.addExact(used, length));
    if (bytes.capacity() < needed || bytes.capacity() > Math.max(LARGEST_KEPT, needed)) {
      ByteBuffer other = ByteBuffer.allocateDirect(Math.max(needed, SMALL_BYTES));
      other.put(0, bytes, 0, used);
      bytes = other;
    }
    return bytes.clear().position(used).limit(used + length);
  }

  /** All pages up to the end of a record of this length, which was put into {@link #room}. */
  ByteBuffer ready(int length) {
    int end = used + length;
    bytes.clear().position(end).put(ZEROS, 0, roundUp(end) - end);
    return bytes.flip();
  }

  /** The record is written: what follows begins behind it. */
  void advance(int length) {
    int end = used + length;
    int page = end / PAGE_BYTES * PAGE_BYTES;
    used = end - page;
    start += page;
    bytes.clear();
    if (page > 0) {
      bytes.put(0, bytes, page, used);
    }
  }
}
