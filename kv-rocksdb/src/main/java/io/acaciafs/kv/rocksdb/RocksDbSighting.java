package io.acaciafs.kv.rocksdb;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.Sighting;

/**
 * A row with the version that its slot had before it was read.
 *
 * @param value null: there was no such row
 */
@SuppressWarnings("ArrayRecordComponent") // shared on purpose
record RocksDbSighting(Key key, int slot, long version, byte[] value) implements Sighting {
  RocksDbSighting at(long newVersion) {
    return new RocksDbSighting(key, slot, newVersion, value);
  }
}
