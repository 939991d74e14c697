package io.acaciafs.namespace.record;

import io.acaciafs.kv.Reader;
import io.acaciafs.kv.Store;
import io.acaciafs.kv.Transaction;
import io.acaciafs.kv.run.IdSequence;
import java.nio.ByteBuffer;

/** The sequences that ids come from. */
public enum IdKind {
  /** Inode ids begin where HDFS's do: 16385 is the root, and smaller ones are reserved. */
  INODE((byte) 1, 16386),
  /** Block ids begin where HDFS's sequential ones do, behind 2^30. */
  BLOCK((byte) 2, (1L << 30) + 1),
  JOB((byte) 3, 1),
  /** Sequence numbers of delegation tokens, of which the lower 32 bits count. */
  DELEGATION_TOKEN((byte) 4, 1);

  private final byte code;
  private final long first;

  IdKind(byte code, long first) {
    this.code = code;
    this.first = first;
  }

  byte code() {
    return code;
  }

  /** The first number that is given out. */
  public long first() {
    return first;
  }

  /** Gives out ids of this kind, in ranges of this size. */
  public IdSequence sequence(Store store, int rangeSize) {
    return new IdSequence(store, name(), this::reserve, rangeSize);
  }

  /**
   * Takes so many ids at once, in a transaction of the caller's; before others give out ids.
   *
   * @return the first of them
   */
  public long reserve(Transaction transaction, long count) {
    byte[] row = transaction.get(NamespaceKeys.nextId(this));
    long first = row == null ? first() : ByteBuffer.wrap(row).getLong();
    transaction.put(NamespaceKeys.nextId(this), NamespaceKeys.bytesOf(first + count));
    return first;
  }

  /** From now on ids begin at this one, if they do not lie beyond it already. */
  public void skipTo(Transaction transaction, long id) {
    long next = reserve(transaction, 0);
    transaction.put(NamespaceKeys.nextId(this), NamespaceKeys.bytesOf(Math.max(next, id)));
  }

  /** The first id that nobody has been given, in a store that nobody uses meanwhile. */
  public long peekNext(Reader reader) {
    byte[] row = reader.get(NamespaceKeys.nextId(this));
    return row == null ? first() : ByteBuffer.wrap(row).getLong();
  }
}
