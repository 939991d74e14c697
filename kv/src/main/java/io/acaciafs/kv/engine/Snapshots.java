package io.acaciafs.kv.engine;

import io.acaciafs.kv.Table;

/**
 * Copies of a store that several processes use, which the engine's servers keep under names. A
 * server copies one part after the other, so a snapshot is of one moment only if all processes
 * pause their commits meanwhile. Methods block, and throw {@link io.acaciafs.kv.StoreException}
 * where the servers do not do what is asked. Safe for use by many threads.
 */
public interface Snapshots {
  /** Does what would otherwise prolong {@link #take}. */
  void prepare();

  /**
   * Lets no commit of this process begin until {@link #resume}. Later commits wait.
   *
   * @param patienceMs how long to wait for commits that are under way
   * @param exempt commits that write to this table alone go on
   * @return whether all commits under way have ended, with all rows in their final state; false:
   *     there is no pause
   */
  boolean pause(long patienceMs, Table exempt) throws InterruptedException;

  /** Ends a pause. */
  void resume();

  /** Finishes the commits of processes that died, and takes a snapshot. Its name is new. */
  void take(String name);

  /** Removes a snapshot. */
  void remove(String name);
}
