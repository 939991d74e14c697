package io.acaciafs.kv;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * An optimistic transaction: reads that guard, writes that are kept back, and one {@link #commit}
 * that takes effect whole or not at all. Used by one thread, once.
 *
 * <p>Reads see the store as committed, never the transaction's own writes. Committed transactions
 * are serializable in an order that respects real time, as far as their guarded reads go: at some
 * moment between its begin and the completion of its commit every row that it guarded had the value
 * that it read, and its writes appeared at that same moment.
 *
 * <p>Writes are visible to others before they are durable, and become durable in an order that
 * agrees with what was read: when a commit completes, so has everything become durable that it
 * guarded or wrote over. What a validated transaction saw may still be lost by a crash.
 *
 * <p>A transaction whose keys lie in one partition is cheap on every engine. One across partitions
 * is atomic as well, and costs more where partitions spread over servers. Nothing needs to be
 * released when a transaction is dropped without a commit.
 */
public interface Transaction extends Reader {
  /**
   * Reads a row, null where there is none, and guards it: the commit fails when the row has another
   * value than was read, or has come into being, or is gone. It may fail as well when the row was
   * written since and has the same value again.
   */
  byte[] get(Key key);

  /**
   * Reads and guards a row as {@link #get} does, so that later transactions can {@link #guard} it
   * and need not read it.
   */
  VersionedRow getVersioned(Key key);

  /**
   * Guards a row as if this transaction had read it now and found what was seen before. Reads
   * nothing: this is what caches of rows are made of.
   *
   * @param versioned of a transaction of the same store
   * @return false, and nothing is guarded, when the row may have changed since; read it then
   */
  boolean guard(VersionedRow versioned);

  /**
   * Guards a row as if this transaction had read it now and found none: for who knows that nobody
   * has written it so far. Where that is wrong the commit may succeed although the row was there
   * before, on an engine with local reads; others find it out. An engine need not read anything.
   *
   * @return false, and nothing is guarded, when somebody was wrong about that lately; read it then
   */
  default boolean guardAbsent(Key key) {
    return get(key) == null;
  }

  /**
   * Reads and guards a row as {@link #get} does, for who is going to write what rests on it: an
   * engine whose reads take a network may tell what it remembers. Where that is not true any more
   * the commit conflicts, and who tries again is told what is there.
   */
  default byte[] recall(Key key) {
    return get(key);
  }

  /** What {@link #recall} would tell without reading; guards nothing. Null where nothing. */
  default byte[] remembered(Key key) {
    return null;
  }

  /**
   * Rows that were {@linkplain #readAhead read ahead} as they were then, without a guard; all
   * others are read and guarded as by {@link #get}. Null from an engine that does not read ahead.
   */
  default Reader rowsAhead() {
    return null;
  }

  /**
   * All rows as of one moment during this call. Guards nothing; its reads belong to the read set,
   * like those of {@link #peek} and {@link #scan}. Valid until this transaction ends, and on its
   * thread.
   *
   * @return a new view at each call. Its methods throw {@link ConflictException} when the engine
   *     can no longer show the moment, and the operation has to run again. Null from an engine
   *     without such views
   */
  default Reader atOneMoment() {
    return null;
  }

  /**
   * Rows that this transaction is going to read with {@link #get}, {@link #getVersioned} or {@link
   * #peek}: an engine whose reads take a network reads them now, at once, but for those that it
   * has. Guards nothing by itself.
   */
  default void readAhead(List<Key> keys) {}

  /**
   * Something was read beside this transaction that it rests on as well: what it has guarded so far
   * must hold after that too, also where it writes nothing.
   */
  default void noteReadBeside() {}

  /**
   * From now on keeps in mind whatever this transaction reads, {@link #peek} and {@link #scan} and
   * {@link #guard} included. Guards nothing by itself; good for transactions that only read. More
   * may be read through the read set after the transaction ended.
   *
   * @return the same at each call; null from an engine that cannot tell cheaply whether rows
   *     changed
   */
  ReadSet trackReads();

  /**
   * A read set by itself, for the rows of a range as they are from now on.
   *
   * @param range in one partition
   * @return null from an engine that cannot tell cheaply whether rows changed
   */
  default ReadSet watch(KeyRange range) {
    return null;
  }

  /**
   * Guards only that the row exists at the commit, whatever its value; cheaper than {@link #get} on
   * a row that many change.
   */
  void require(Key key);

  /** Writes a row. A later write of this transaction to the same key replaces an earlier one. */
  void put(Key key, byte[] value);

  /** The same of a row that is there already, most likely: an engine need not look. */
  default void replace(Key key, byte[] value) {
    put(key, value);
  }

  /** Removes a row; nothing happens where there is none. */
  void delete(Key key);

  /**
   * Adds to a row of {@link Counters}, which comes into being as {@link Counters#EMPTY}. Guards
   * nothing and never conflicts by itself; who guards the row conflicts with it. Several deltas of
   * one transaction to one row add up. May not be combined with {@code put} or {@code delete} of
   * the same row: whichever call comes second throws {@link IllegalStateException}.
   */
  void accumulate(Key key, Counters delta);

  /**
   * Writes an index row: it is there before what this transaction puts becomes visible, and may
   * stay behind when the commit fails, even in the place of an earlier value. Who follows an index
   * row checks what it finds.
   */
  void putIndex(Key key, byte[] value);

  /**
   * Sets a mark: an index row without content, that many may set at the same time. It is there
   * before what this transaction puts becomes visible, as by {@link #putIndex}; one that is there
   * already may be left as it is. So marks are not to be removed while somebody may set them, nor
   * guarded, as a transaction may set them that reads nothing.
   */
  void putIndexIfAbsent(Key key);

  /**
   * Removes an index row after what this transaction does became visible; it may stay behind after
   * a crash. Never removes what a transaction wrote that began after this one's commit completed.
   */
  void deleteIndex(Key key);

  /** Whether what is read is waited for; else reading may throw {@link WouldBlockException}. */
  default boolean mayBlock() {
    return true;
  }

  /** Whether there is anything to take effect at the commit. */
  boolean hasWrites();

  /**
   * Checks the guards and takes effect.
   *
   * @return completes when all writes are durable; without any, when everything is that was visible
   *     at the call, so that "it is done already" is as good a promise as "it is done". Fails with
   *     {@link ConflictException} when a guard does not hold and nothing was written, or with
   *     {@link StoreException} when it is not known what happened. It may complete on a thread of
   *     the engine: do not block there.
   */
  CompletableFuture<Void> commit();

  /**
   * Checks the guards and writes nothing: an operation that fails, or that only reads, learns
   * whether what it saw was true at one moment since its begin; a single row always was. Does not
   * wait for anything to become durable.
   *
   * @return as {@link #commit} otherwise
   */
  CompletableFuture<Void> validate();
}
