package io.acaciafs.kv.copy;

import io.acaciafs.kv.Table;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * How far a copy has come, in a place that outlasts the process. Of each table rows are copied in
 * the order of their keys. Used by several threads, each with other tables.
 */
public interface CopyMarks {
  /** The key up to which a table is copied; null: nothing is. */
  byte @Nullable [] reached(Table table);

  /**
   * Notes it, durably.
   *
   * @param key the last one that the copy has
   */
  void reach(Table table, byte[] key) throws IOException;
}
