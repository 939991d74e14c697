package io.acaciafs.kv;

import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

/**
 * An ordered map with transactions: what an engine implements. Safe for use by many threads.
 *
 * <p>An engine opens with the tables that it is told and keeps them for its life. After {@code
 * close} every call throws {@link StoreException}; commits under way complete or fail before {@code
 * close} returns.
 */
public interface Store extends Reader, AutoCloseable {
  Transaction begin();

  /**
   * A transaction for a thread that must not wait, and for reads alone. Where a row has to come
   * over a network, reading it throws {@link WouldBlockException}; when the row has come the
   * operation runs again from its beginning, with the same transaction, which has it then. What
   * would take more than that throws the same without an arrival: that operation has to {@link
   * #begin} where one may wait.
   */
  default Transaction beginNonBlocking() {
    return begin();
  }

  Traits traits();

  /**
   * About how many rows a table has, where the engine knows that without looking at them; a row
   * that was written several times of late may count as often. For people, not for decisions.
   */
  default OptionalLong estimatedRows(Table table) {
    return OptionalLong.empty();
  }

  /**
   * Which of a few placement groups a row lies in. Rows of the same one lie together, most likely,
   * whatever their tables, so that a transaction over them is cheap: who is free to choose a key
   * does well to choose one near the rows that are written with it. -1: in none.
   */
  default int placementGroup(Key key) {
    return 0;
  }

  /** How many placement groups there are; 1 where all rows lie together. */
  default int placementGroups() {
    return 1;
  }

  /** Why it will write no more in its life; null as long as it may. */
  default StoreException writeFailure() {
    return null;
  }

  /**
   * Binds what this store writes to a row of its user's: once somebody has removed that row and
   * {@linkplain #fenceOff fenced it off}, no write of this store takes effect any more, however
   * late its request arrives. To be called once, before what is to be bound; an engine that one
   * process alone can open need not do anything. That row's table holds the rows in which processes
   * find each other: a process writes them without telling the others first.
   *
   * @param life is there, and never comes again once it is gone
   */
  default void bindTo(Key life) {}

  /**
   * Gives the store its connection to the other processes that use it. The store may have to tell
   * them before it commits, and then waits until they have heard it. Call this once, when others
   * can reach this process too. Commits between {@link #bindTo} and this call wait for it, except
   * in the table of its life.
   */
  default void introduce(Peers peers) {}

  /**
   * From now on all others know this process and send it their messages, so it may rely on having
   * heard all of them. Without this call all answers are still correct, but reads may take longer.
   */
  default void rely() {}

  /**
   * Receives a message that the store of another process {@linkplain Peers#tell sent}.
   *
   * @return completes with the answer when this store no longer relies on what the message revokes
   * @throws StoreException for a message that makes no sense
   */
  default CompletableFuture<String> hear(String message) {
    return CompletableFuture.failedFuture(new StoreException("This store has nothing to hear"));
  }

  /**
   * Ends the writing of another process on the same data.
   *
   * @param life what its store is bound to; it is gone
   * @return completes when no write that is bound to it takes effect any more; fails with {@link
   *     StoreException} when that is not certain: to be called again
   */
  default CompletableFuture<Void> fenceOff(Key life) {
    return CompletableFuture.completedFuture(null);
  }

  /**
   * Waits out commits of this store that failed although they may still be on their way.
   *
   * @return completes when none that failed before this call can take effect later; fails when the
   *     store ends before
   */
  default CompletableFuture<Void> settle() {
    return CompletableFuture.completedFuture(null);
  }

  @Override
  void close();

  /**
   * What users of an engine may rely on.
   *
   * @param localReads a read takes microseconds and waits for no network, so an operation may run
   *     on a network thread
   * @param partitionsSpread partitions live on several servers, so that splitting a directory pays
   */
  record Traits(boolean localReads, boolean partitionsSpread) {}
}
