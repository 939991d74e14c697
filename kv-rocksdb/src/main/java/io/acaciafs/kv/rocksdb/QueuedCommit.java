package io.acaciafs.kv.rocksdb;

import io.acaciafs.kv.Key;
import java.util.ArrayList;
import java.util.List;

/**
 * The rows of a commit that has been decided and waits to be written. Its rows do not change once
 * it is in the {@link WriteQueue}; the rest belongs to the queue.
 */
final class QueuedCommit {
  private static final int OVERHEAD_BYTES = 16;

  private final List<Row> rows;
  private final int[] partitions;
  private int sizeBytes;
  private QueuedCommit linked;
  private long group;

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
   * @param oftenReplaced whether it is worth looking if a later commit writes the same row
   */
  void add(Key key, int family, byte[] value, boolean oftenReplaced) {
    rows.add(new Row(this, key, family, value, oftenReplaced));
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

  /** It is written together with others. */
  void join(long newGroup) {
    group = newGroup;
  }

  boolean isIn(long otherGroup) {
    return group == otherGroup;
  }

  /** What a commit makes of a row. Not a record: each is equal to itself alone. */
  static final class Row {
    private final QueuedCommit commit;
    private final Key key;
    private final int family;
    private final byte[] value;
    private final boolean oftenReplaced;

    private Row(QueuedCommit commit, Key key, int family, byte[] value, boolean oftenReplaced) {
      this.commit = commit;
      this.key = key;
      this.family = family;
      this.value = value;
      this.oftenReplaced = oftenReplaced;
    }

    QueuedCommit commit() {
      return commit;
    }

    Key key() {
      return key;
    }

    int family() {
      return family;
    }

    /** Null: the row goes. */
    byte[] value() {
      return value;
    }

    boolean isOftenReplaced() {
      return oftenReplaced;
    }
  }
}
