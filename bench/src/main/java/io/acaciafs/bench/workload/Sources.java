package io.acaciafs.bench.workload;

import io.acaciafs.bench.client.CallSource;

/** The calls of all slots. */
@FunctionalInterface
public interface Sources {

  /**
   * The calls of one slot.
   *
   * @param slot from 0
   * @param slots how many there are
   */
  CallSource of(int slot, int slots);
}
