package io.acaciafs.kv;

import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * An ordered map with transactions: what an engine implements. Safe for use by many threads. What
 * only some engines need or offer are facets: {@link #placement} and {@link #session}.
 *
 * <p>An engine opens with the tables that it is told and keeps them for its life. After {@code
 * close} every call throws {@link StoreException}; commits under way complete or fail before {@code
 * close} returns.
 */
public interface Store extends Reader, AutoCloseable {
  /** A transaction that sees what is committed from now on. */
  Transaction begin();

  /**
   * A transaction for a thread that must not wait, and for reads alone. Where a row has to come
   * over a network, reading it throws {@link WouldBlockException}; when the row has come the
   * operation runs again from its beginning, with the same transaction, which has it then. What
   * would take more than that throws the same without an arrival: that operation has to {@link
   * #begin} on a thread that may wait.
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

  /** Why this store will write no more; null as long as it may. */
  default @Nullable StoreException writeFailure() {
    return null;
  }

  /** Where rows lie. */
  default Placement placement() {
    return Placement.TOGETHER;
  }

  /** What a process has to do where several processes use the same data at the same time. */
  default Session session() {
    return Session.ALONE;
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
