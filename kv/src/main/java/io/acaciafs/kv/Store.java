package io.acaciafs.kv;

import java.util.OptionalLong;

/**
 * An ordered map with transactions: what an engine implements. Safe for use by many threads.
 *
 * <p>An engine opens with the tables that it is told and keeps them for its life. After {@code
 * close} every call throws {@link StoreException}; commits under way complete or fail before {@code
 * close} returns.
 */
public interface Store extends Reader, AutoCloseable {
  Transaction begin();

  Traits traits();

  /**
   * About how many rows a table has, where the engine knows that without looking at them; a row
   * that was written several times of late may count as often. For people, not for decisions.
   */
  default OptionalLong estimatedRows(Table table) {
    return OptionalLong.empty();
  }

  /** Why it will write no more in its life; null as long as it may. */
  default StoreException writeFailure() {
    return null;
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
