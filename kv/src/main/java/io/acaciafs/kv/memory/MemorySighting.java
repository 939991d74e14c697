package io.acaciafs.kv.memory;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.Sighting;

/** A row with the version that it had. */
@SuppressWarnings("ArrayRecordComponent") // shared on purpose
record MemorySighting(Key key, long version, byte[] value) implements Sighting {}
