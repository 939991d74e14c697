package io.acaciafs.kv.rocksdb;

/**
 * The parts of the {@link Memtable} that there are, oldest first. Immutable, though rows are added
 * to the last part; who holds on to a view keeps their memory.
 *
 * @param isSealed whether the last part takes no more rows either
 */
record MemtableView(MemtablePart[] parts, boolean isSealed) {
  static final MemtableView EMPTY = new MemtableView(new MemtablePart[0], true);

  /** The number of the first row; those before it are in RocksDB. */
  long floor() {
    return parts.length == 0 ? Long.MAX_VALUE : parts[0].first();
  }

  /** The index of the part where a row is that is not before the floor. */
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

  /** How many parts take no more rows. */
  int full() {
    return isSealed ? parts.length : parts.length - 1;
  }
}
