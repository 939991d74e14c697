package io.acaciafs.kv.rocksdb.memtable;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * A row of the {@link Memtable}, to be brought into the order of the keys of its column family: by
 * unsigned bytes; of one key the newest first. Immutable.
 */
public final class MemtableRow implements Comparable<MemtableRow> {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private final long number;
  private final byte[] bytes;
  private final int begin;
  private final int keyOffset;
  private final int keyEnd;
  private final int valueOffset;
  private final int end;

  /** The first bytes of the key, as if zeros followed, which decide between most keys. */
  private final long first;

  private final long second;
  private final long third;

  /**
   * @param number the higher, the newer
   * @param row may be used for others after that
   */
  MemtableRow(long number, BatchEncoder.EncodedRow row) {
    this.number = number;
    this.bytes = row.buffer();
    this.begin = row.begin();
    this.keyOffset = row.keyOffset();
    this.keyEnd = row.keyEnd();
    this.valueOffset = row.valueOffset();
    this.end = row.end();
    this.first = keyBytes(keyOffset);
    this.second = keyBytes(keyOffset + Long.BYTES);
    this.third = keyBytes(keyOffset + 2 * Long.BYTES);
  }

  private long keyBytes(int offset) {
    if (offset + Long.BYTES <= keyEnd) {
      return (long) LONGS.get(bytes, offset);
    }
    long value = 0;
    for (int i = 0; i < Long.BYTES; i++) {
      value = value << Byte.SIZE | (offset + i < keyEnd ? bytes[offset + i] & 0xFF : 0);
    }
    return value;
  }

  public boolean isRemoved() {
    return valueOffset < 0;
  }

  public int keyLength() {
    return keyEnd - keyOffset;
  }

  public int valueLength() {
    return end - valueOffset;
  }

  public void copyKey(byte[] target, int offset) {
    System.arraycopy(bytes, keyOffset, target, offset, keyLength());
  }

  public void copyValue(byte[] target, int offset) {
    System.arraycopy(bytes, valueOffset, target, offset, valueLength());
  }

  void appendTo(BatchEncoder batch) {
    batch.append(bytes, begin, end, 1);
  }

  /** Of two rows of one column family. */
  boolean hasKeyOf(MemtableRow other) {
    return compareKeys(other) == 0;
  }

  int compareKey(byte[] key, int from, int to) {
    return Arrays.compareUnsigned(bytes, keyOffset, keyEnd, key, from, to);
  }

  private int compareKeys(MemtableRow other) {
    if (first != other.first) {
      return Long.compareUnsigned(first, other.first);
    }
    if (second != other.second) {
      return Long.compareUnsigned(second, other.second);
    }
    return third != other.third
        ? Long.compareUnsigned(third, other.third)
        : compareKey(other.bytes, other.keyOffset, other.keyEnd);
  }

  @Override
  public int compareTo(MemtableRow other) {
    int byKey = compareKeys(other);
    return byKey != 0 ? byKey : Long.compare(other.number, number);
  }
}
