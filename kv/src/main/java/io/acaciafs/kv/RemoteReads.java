package io.acaciafs.kv;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a transaction offers so that its user waits less, on an engine whose reads take a network.
 * Used by the transaction's thread. With local reads each of these methods does what a plain read
 * or write does, or nothing.
 */
public interface RemoteReads {
  /** Whether reads wait; else a read may throw {@link WouldBlockException}. */
  boolean mayBlock();

  /**
   * Reads and guards a row as {@link Transaction#get} does, for a caller that is going to write
   * what depends on it: the engine may answer with the value that this process saw last. If that is
   * out of date, the commit conflicts, and the next attempt reads the row.
   */
  byte @Nullable [] recall(Key key);

  /** What {@link #recall} would answer without a read; guards nothing. Null if nothing is known. */
  byte @Nullable [] recallUnguarded(Key key);

  /**
   * Rows that this transaction is going to read by {@link Transaction#get}, {@link
   * Transaction#getVersioned} or {@link Transaction#unguarded}: reads them now, in one round trip,
   * but for those that it has. Guards nothing.
   */
  void prefetch(List<Key> keys);

  /**
   * Rows that were {@linkplain #prefetch prefetched} as they were then, without a guard; all others
   * are read and guarded as by {@link Transaction#get}. Null with local reads.
   */
  @Nullable Reader prefetched();

  /**
   * The caller read something beside this transaction that its result depends on as well: what is
   * guarded so far must hold after that read too, also where the transaction writes nothing.
   */
  void noteReadBeside();

  /** A {@link Transaction#put} of a row that most likely exists: the engine need not look. */
  void replace(Key key, byte[] value);

  /**
   * A {@link Transaction#putIndex} of a row that nothing can have written before, as its key holds
   * an id that was just assigned: the engine need not look.
   */
  void putNewIndex(Key key, byte[] value);
}
