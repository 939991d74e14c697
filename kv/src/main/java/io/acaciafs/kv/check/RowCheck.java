package io.acaciafs.kv.check;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.Row;
import java.util.List;

/** What is asked about each row of a range. Used by one thread. */
public interface RowCheck {
  /**
   * @param reader guards nothing
   */
  void check(Reader reader, Row row) throws InterruptedException;

  /** Rows that will be read for this one, so that an engine far away can be asked for many. */
  default List<Key> reads(Row row) {
    return List.of();
  }

  /** After the last row. */
  default void end() throws InterruptedException {}
}
