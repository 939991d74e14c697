package io.acaciafs.kv.rocksdb.memtable;

import java.util.Arrays;
import java.util.List;

/**
 * The parts of the {@link Memtable} that there are, oldest first. Immutable, though rows are added
 * to the last part; a reference to a view keeps their memory.
 *
 * @param written how many of them, from the oldest, are in RocksDB's files already, and are kept
 *     only as a row is found faster here than in RocksDB
 * @param isSealed whether the last part takes no more rows either
 */
record MemtableView(MemtablePart[] parts, int written, boolean isSealed) {
  static final MemtableView EMPTY = new MemtableView(new MemtablePart[0], 0, true);

  /** The number of the first row that may not be in RocksDB; those before it are. */
  long floor() {
    return firstOf(written);
  }

  /** The number of the first row that is found here. */
  long oldest() {
    return firstOf(0);
  }

  private long firstOf(int index) {
    return index == parts.length ? Long.MAX_VALUE : parts[index].first();
  }

  /** The index of the part where a row is that is not before the oldest. */
  int partOf(long number, int notAfter) {
    int index = notAfter;
    while (parts[index].first() > number) {
      index--;
    }
    return index;
  }

  int last() {
    return parts.length - 1;
  }

  /** Those that are not in RocksDB's files. */
  List<MemtablePart> unwritten() {
    return Arrays.asList(parts).subList(written, parts.length);
  }

  /** How many parts take no more rows and are not written. */
  int full() {
    return parts.length - written - (isSealed ? 0 : 1);
  }

  /** With one more part. */
  MemtableView with(MemtablePart begun) {
    MemtablePart[] more = Arrays.copyOf(parts, parts.length + 1);
    more[parts.length] = begun;
    return new MemtableView(more, written, false);
  }

  /** Without the last part, which has no rows any more; what comes next begins another one. */
  MemtableView withoutLast() {
    return new MemtableView(Arrays.copyOf(parts, parts.length - 1), written, true);
  }

  MemtableView sealed() {
    return new MemtableView(parts, written, true);
  }

  /**
   * When more of the oldest parts have been written.
   *
   * @param kept how many of those that are written stay, at most
   */
  MemtableView written(int more, int kept) {
    int gone = Math.max(0, written + more - kept);
    MemtablePart[] left = Arrays.copyOfRange(parts, gone, parts.length);
    return new MemtableView(left, written + more - gone, isSealed);
  }
}
