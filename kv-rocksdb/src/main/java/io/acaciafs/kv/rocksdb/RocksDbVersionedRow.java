package io.acaciafs.kv.rocksdb;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.VersionedRow;
import org.jspecify.annotations.Nullable;

/**
 * A row with the version that its slot had before it was read.
 *
 * @param value null: there was no such row
 */
@SuppressWarnings("ArrayRecordComponent") // shared on purpose
record RocksDbVersionedRow(Key key, int slot, long version, byte @Nullable [] value)
    implements VersionedRow {
  RocksDbVersionedRow at(long newVersion) {
    return new RocksDbVersionedRow(key, slot, newVersion, value);
  }
}
