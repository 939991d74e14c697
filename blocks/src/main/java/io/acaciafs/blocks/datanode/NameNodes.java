package io.acaciafs.blocks.datanode;

import java.util.SortedSet;

/**
 * The NameNodes that serve one store, as the block manager wants to know them. Each has a number
 * that no other ever has; one that starts again has another. Safe for use by many threads.
 */
public interface NameNodes {
  /** The number of this one; above 0. */
  long self();

  /** All that may be serving, this one always; one that died stays until its lease is over. */
  SortedSet<Long> live();

  /**
   * Reads which NameNodes serve: from now on {@link #live} misses none that began before this call.
   * Every one that it misses is fenced off: nothing that it wrote can still take effect.
   */
  default void look() {}

  /** Whether no other NameNode can have taken this one for dead so far. */
  boolean leaseHolds();

  /** Whether no other NameNode can ever reach the store. */
  boolean isAlone();

  /** Whether other processes read the rows of DataNodes, so that changes of them are counted. */
  default boolean isWatched() {
    return !isAlone();
  }

  /** Whether this one only reads what another one writes. */
  default boolean onlyReads() {
    return false;
  }

  /**
   * Grows whenever another process becomes the one that serves, where one alone does at a time; 0
   * where that is no matter. DataNodes believe the NameNode with the higher one.
   */
  default long term() {
    return 0;
  }

  /** Has a listener run, on a thread where it must not wait, after each change of {@link #live}. */
  void onChange(Runnable listener);

  /** The only NameNode of a store that no other can reach. */
  static NameNodes alone() {
    return alone(0);
  }

  /** The same, elected among several processes. */
  static NameNodes alone(long term) {
    return new OneNameNode(term, false);
  }

  /** One that answers reads while another one, which is elected, serves. */
  static NameNodes observer() {
    return new OneNameNode(0, true);
  }
}
