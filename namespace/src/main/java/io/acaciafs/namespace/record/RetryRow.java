package io.acaciafs.namespace.record;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.StoreException;

/** What answers and former directories have in common: rows that are kept for a while. */
public final class RetryRow {
  private RetryRow() {}

  /**
   * When a row was written, by the time for which NameNodes have run.
   *
   * @throws StoreException when it cannot be read
   */
  public static long timeMs(Key key, byte[] value) {
    return NamespaceKeys.isFormerDirectory(key)
        ? FormerDirectory.decode(value).timeMs()
        : RetryEntry.decode(value).timeMs();
  }
}
