package io.acaciafs.blocks.datanode;

import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * A NameNode that knows no other one: it serves alone, or reads what the one writes that serves.
 *
 * @param term 0: it is not elected
 */
record OneNameNode(long term, boolean onlyReads) implements NameNodes {
  private static final long NUMBER = 1;

  @Override
  public long self() {
    return NUMBER;
  }

  @Override
  public SortedSet<Long> live() {
    return new TreeSet<>(Set.of(NUMBER));
  }

  /** One that only reads owns no DataNode. */
  @Override
  public boolean leaseHolds() {
    return !onlyReads;
  }

  @Override
  public boolean isAlone() {
    return !onlyReads;
  }

  @Override
  public boolean isWatched() {
    return onlyReads || term > 0;
  }

  @Override
  public void onChange(Runnable listener) {
    // nobody comes or goes
  }
}
