package io.acaciafs.kv;

/**
 * Fills tables with many rows at once, past the log and without transactions: for a store that
 * nobody else uses meanwhile. Rows come in runs; the runs of a table do not overlap, and neither do
 * they meet rows that are there already. Runs may be written side by side, each by one thread.
 */
public interface BulkLoader {

  /** Begins a run of rows of one table. */
  Run begin(Table table);

  /**
   * Makes the ended runs of one table part of the store, all at once and durably.
   *
   * @throws StoreException when the store could not take them; then none of them is in it
   */
  void finish(Table table);

  /** Rows in ascending order. */
  interface Run extends AutoCloseable {

    /**
     * Adds a row behind the last one.
     *
     * @throws StoreException when its key is not above the last one's
     */
    void add(Key key, byte[] value);

    /** Ends the run; one without rows leaves nothing. */
    @Override
    void close();
  }
}
