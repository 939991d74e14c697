package io.acaciafs.kv.hbase;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.Sighting;

/**
 * A row as it was read.
 *
 * @param version of {@link RowVersions}, from before the read
 * @param value computed once
 */
record HBaseSighting(Key key, RowState state, long version, byte[] value) implements Sighting {
  /** With a value of its own, as the state may be remembered. */
  static HBaseSighting of(Key key, RowState state, long version) {
    byte[] value = state.value();
    return new HBaseSighting(key, state, version, value == null ? null : value.clone());
  }
}
