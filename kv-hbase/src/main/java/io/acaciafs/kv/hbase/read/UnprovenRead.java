package io.acaciafs.kv.hbase.read;

import io.acaciafs.kv.hbase.region.Assignment;

/**
 * Something was read that counts only if the server had the region then, and that is to be found
 * out when the transaction ends: its own commit may be the proof.
 *
 * @param by how it was read
 * @param sentNs when it was sent
 * @param arrivedNs when the answer was here; both by System.nanoTime
 */
public record UnprovenRead(Assignment by, long sentNs, long arrivedNs) {
  /** Whether something that was sent since was written there. */
  public boolean isProven() {
    return !by.isOver() && by.wasWrittenAfter(arrivedNs);
  }
}
