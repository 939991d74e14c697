package io.acaciafs.kv.hbase.transaction;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.VersionedRow;
import io.acaciafs.kv.hbase.commit.RowVersions;
import io.acaciafs.kv.hbase.schema.RowState;
import org.jspecify.annotations.Nullable;

/**
 * A row as it was read.
 *
 * @param version of {@link RowVersions}, from before the read
 * @param value computed once
 */
record HBaseVersionedRow(Key key, RowState state, long version, byte @Nullable [] value)
    implements VersionedRow {
  /** With a value of its own, as the state may be remembered. */
  static HBaseVersionedRow of(Key key, RowState state, long version) {
    byte[] value = state.value();
    return new HBaseVersionedRow(key, state, version, value == null ? null : value.clone());
  }
}
