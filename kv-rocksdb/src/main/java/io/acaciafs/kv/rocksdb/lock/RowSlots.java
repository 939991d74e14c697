package io.acaciafs.kv.rocksdb.lock;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.Table;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * A fixed number of slots, in which rows are by the hashes of their keys. Each has two words, which
 * lie side by side, as a caller that needs one of them needs the other one too, and what it costs
 * is to wait for memory: the word of {@link RowLocks}, and the memtable's.
 */
public final class RowSlots {
  private final AtomicLongArray words;
  private final int bits;

  /**
   * @param bits the number of slots is two to the power of it
   */
  public RowSlots(int bits) {
    this.words = new AtomicLongArray(2 << bits);
    this.bits = bits;
  }

  public AtomicLongArray words() {
    return words;
  }

  public int slotOf(Key key) {
    return slotOf(hash(key));
  }

  /** The better half of a key's hash. */
  public static int hash(Key key) {
    return hash(key.hash());
  }

  /** The same of a key that lies in a buffer. */
  public static int hash(Table table, byte[] key, int from, int to) {
    return hash(Key.hash(table, key, from, to));
  }

  private static int hash(long keyHash) {
    return (int) (keyHash >>> Integer.SIZE);
  }

  /**
   * @param hash the half of it
   */
  public int slotOf(int hash) {
    return hash >>> Integer.SIZE - bits;
  }

  /** The index of a slot's word of version and lock. */
  static int lockOf(int slot) {
    return slot << 1;
  }

  /** The index of a slot's word that says where its newest row is. */
  public static int newestOf(int slot) {
    return slot << 1 | 1;
  }
}
