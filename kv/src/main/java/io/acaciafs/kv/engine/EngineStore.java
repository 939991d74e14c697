package io.acaciafs.kv.engine;

import io.acaciafs.kv.BulkLoader;
import io.acaciafs.kv.Store;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A store with the powers that its operator uses and the file system does not. An engine need not
 * offer them, but a shared one offers {@link #snapshots}. Without {@link #checkpoints} a store in a
 * folder cannot be backed up, nor be written as an image.
 */
public interface EngineStore extends Store {
  /** What the engine counts, for {@code /metrics}. */
  default List<StoreMetric> metrics() {
    return List.of();
  }

  /** Counts of the commit log; empty where this process does not sync one. */
  default Optional<LogCounts> logCounts() {
    return Optional.empty();
  }

  /**
   * Requests to servers since the store was opened that a caller waited for. One request for many
   * rows counts once, and so do requests of one transaction that are under way at the same time.
   * Empty where reads are local.
   */
  default OptionalLong roundTrips() {
    return OptionalLong.empty();
  }

  /** A line for each part of the store: its first key, and the server that has it. For people. */
  default List<String> regions() {
    return List.of();
  }

  /** The cluster that keeps the store; empty where this process keeps it. */
  default Optional<StoreCluster> cluster() {
    return Optional.empty();
  }

  /**
   * Ends the current segment of the commit log, durably, and begins the next one.
   *
   * @return the number of the record with which the next segment begins
   * @throws UnsupportedOperationException with a sentence for people where the log is not in this
   *     process
   * @throws io.acaciafs.kv.StoreException when the store has failed
   */
  default long rollLog() {
    throw new UnsupportedOperationException("The store has no log to roll");
  }

  /**
   * Fills an empty store; what it writes is no part of a log.
   *
   * @throws UnsupportedOperationException with a sentence for people where the engine writes by
   *     transactions alone
   */
  default BulkLoader bulkLoader() {
    throw new UnsupportedOperationException("The store does not load rows in bulk");
  }

  /** Copies in folders. */
  default Optional<Checkpoints> checkpoints() {
    return Optional.empty();
  }

  /** Copies that the engine's servers keep. */
  default Optional<Snapshots> snapshots() {
    return Optional.empty();
  }
}
