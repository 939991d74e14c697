package io.acaciafs.kv;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * An optimistic transaction: reads that guard, writes that are kept back, and one {@link #commit}
 * that takes effect whole or not at all. Used by one thread, once.
 *
 * <p>Reads see the store as committed, never the transaction's own writes. Committed transactions
 * are serializable in an order that respects real time, as far as their guarded reads go: at some
 * moment between the begin and the completion of the commit every guarded row had the value that
 * the transaction read, and its writes appeared at that same moment.
 *
 * <p>Writes are visible to others before they are durable, and become durable in an order that
 * agrees with what was read: when a commit completes, everything is durable that it guarded or
 * wrote over. What a validated transaction saw may still be lost by a crash.
 *
 * <p>A transaction whose keys lie in one partition is cheap on every engine. One across partitions
 * is atomic as well, and costs more where partitions spread over servers. Nothing needs to be
 * released when a transaction is dropped without a commit.
 *
 * <p>All methods throw {@link StoreException} when the store cannot be read. Three more powers are
 * facets, which an engine may offer: {@link #remoteReads}, {@link #readTracking} and {@link
 * #readView}.
 */
public interface Transaction {
  // ---- reads

  /**
   * Reads a row, null if there is none, and guards it: the commit fails when the row has another
   * value than was read, or has come into being, or is gone. It may fail as well when the row was
   * written since and has the same value again. The value belongs to the caller.
   */
  byte @Nullable [] get(Key key);

  /**
   * Reads and guards a row as {@link #get} does, so that later transactions can {@link #guard} it
   * and need not read it.
   */
  VersionedRow getVersioned(Key key);

  /**
   * Reads that guard nothing; they belong to this transaction's read set, if it {@linkplain
   * #readTracking tracks} one. No scan is guarded.
   *
   * @return usable as long as this transaction
   */
  Reader unguarded();

  // ---- guards without a read

  /**
   * Guards a row as if this transaction had read it now and found what was read before: what caches
   * of rows are made of.
   *
   * @param versioned of a transaction of the same store
   * @return false, and nothing is guarded, when the row may have changed since; read it then
   */
  boolean guard(VersionedRow versioned);

  /**
   * Guards a row as if this transaction had read it now and found none: for a caller that knows
   * that nothing has written it so far. Where the caller is wrong, the commit may succeed although
   * the row was there before, on an engine with local reads; other engines find it out.
   *
   * @return false, and nothing is guarded, when a caller was wrong about that row lately; read it
   *     then
   */
  boolean guardAbsent(Key key);

  /**
   * Guards only that the row exists at the commit, whatever its value; cheaper than {@link #get} on
   * a row that changes often.
   */
  void guardExists(Key key);

  // ---- writes

  /** Writes a row. A later write of this transaction to the same key replaces an earlier one. */
  void put(Key key, byte[] value);

  /** Removes a row; nothing happens where there is none. */
  void delete(Key key);

  /**
   * Adds to a row of {@link Counters}, which comes into being as {@link Counters#EMPTY}. Guards
   * nothing and never conflicts by itself; a transaction that guards the row conflicts with it.
   * Several deltas of one transaction to one row add up. May not be combined with {@code put} or
   * {@code delete} of the same row: the later call throws {@link IllegalStateException}.
   */
  void add(Key key, Counters delta);

  /**
   * Writes an index row: it is there before what this transaction puts becomes visible, and may
   * stay behind when the commit fails, even in the place of an earlier value. A reader that follows
   * an index row checks what it finds.
   */
  void putIndex(Key key, byte[] value);

  /**
   * Sets a mark: an index row without content, which many transactions may set at the same time. It
   * is there before what this transaction puts becomes visible, as by {@link #putIndex}; one that
   * is there already may be left as it is. So marks are neither removed while a transaction may set
   * them, nor guarded, as a transaction may set them that reads nothing.
   */
  void putIndexIfAbsent(Key key);

  /**
   * Removes an index row after what this transaction does became visible; it may stay behind after
   * a crash. Never removes what a transaction wrote that began after this one's commit completed.
   */
  void deleteIndex(Key key);

  /** Whether there is anything to take effect at the commit. */
  boolean hasWrites();

  // ---- the end

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

  // ---- facets

  /** What saves waiting where reads take a network. */
  default RemoteReads remoteReads() {
    return new LocalReads(this);
  }

  /** Null from an engine that cannot tell cheaply whether rows changed. */
  default @Nullable ReadTracking readTracking() {
    return null;
  }

  /**
   * All rows as of one moment during this call. Guards nothing; what it reads belongs to the read
   * set, as with {@link #unguarded}. Valid until this transaction ends, and on its thread.
   *
   * @return a new view at each call. Its methods throw {@link ConflictException} when the engine
   *     can no longer show the moment, and the operation has to run again. Null from an engine
   *     without such views
   */
  default @Nullable Reader readView() {
    return null;
  }
}
