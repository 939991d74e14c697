package io.acaciafs.kv.rocksdb;

import io.acaciafs.kv.Key;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The rows of a commit that has been decided and waits to be written. Its rows do not change once
 * it is in the {@link WriteQueue}; the rest belongs to the queue.
 */
final class QueuedCommit {
  private static final int OVERHEAD_BYTES = 16;
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private final List<Row> rows;
  private final int[] partitions;
  private int sizeBytes;
  private QueuedCommit linked;

  /**
   * @param rows how many are expected
   * @param partitions slots of those that it writes into
   */
  QueuedCommit(int rows, int[] partitions) {
    this.rows = new ArrayList<>(rows);
    this.partitions = partitions;
  }

  int[] partitions() {
    return partitions;
  }

  /**
   * @param family number of the table's column family
   * @param value null: the row goes
   * @param counted whether the row was added to, and is likely to be added to again
   */
  void add(Key key, int family, byte[] value, boolean counted) {
    rows.add(new Row(key, family, value, counted));
    sizeBytes += key.bytes().length + (value == null ? 0 : value.length) + OVERHEAD_BYTES;
  }

  /** In the order in which they are to appear. */
  List<Row> rows() {
    return rows;
  }

  /** About. */
  int sizeBytes() {
    return sizeBytes;
  }

  /** The commit before or after it, as the queue has linked them. */
  QueuedCommit linked() {
    return linked;
  }

  void link(QueuedCommit other) {
    linked = other;
  }

  /** What a commit makes of a row. Not a record: each is equal to itself alone. */
  static final class Row {
    private final Key key;
    private final long keyPrefix;
    private final int family;
    private final byte[] value;
    private final boolean counted;

    private Row(Key key, int family, byte[] value, boolean counted) {
      this.key = key;
      this.keyPrefix = prefixOf(key.bytes());
      this.family = family;
      this.value = value;
      this.counted = counted;
    }

    private static long prefixOf(byte[] key) {
      return key.length >= Long.BYTES
          ? (long) LONGS.get(key, 0)
          : (long) LONGS.get(Arrays.copyOf(key, Long.BYTES), 0);
    }

    Key key() {
      return key;
    }

    /** The first bytes of the key, which orders most keys; shorter ones as if zeros followed. */
    long keyPrefix() {
      return keyPrefix;
    }

    int family() {
      return family;
    }

    /** Null: the row goes. */
    byte[] value() {
      return value;
    }

    boolean isCounted() {
      return counted;
    }
  }
}
