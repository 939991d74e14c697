package io.acaciafs.kv.hbase;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.Sighting;

/**
 * A row as it was read.
 *
 * @param version of {@link RowVersions}, from before the read
 * @param value computed once
 */
record HBaseSighting(Key key, RowState state, long version, byte[] value) implements Sighting {}
