package io.acaciafs.kv.check;

import io.acaciafs.kv.Transaction;

/** Writes what mends a {@link Finding}. */
@FunctionalInterface
public interface Repair {
  /**
   * @param transaction in which the finding was made once more, and guarded; others commit it
   */
  void mend(Transaction transaction);
}
