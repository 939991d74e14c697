package io.acaciafs.fsimage.sort;

import java.io.IOException;

/** Stands on one row of a sorted run after the other. For one thread. */
interface RowCursor extends AutoCloseable {
  /**
   * Goes to the next row; at the beginning there is none.
   *
   * @return false at the end
   */
  boolean next() throws IOException;

  /** The first eight bytes of the key. */
  long prefix();

  /** The present row's; valid until the next one. */
  byte[] key();

  byte[] value();

  @Override
  void close() throws IOException;
}
