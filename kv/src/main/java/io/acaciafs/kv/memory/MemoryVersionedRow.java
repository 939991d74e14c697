package io.acaciafs.kv.memory;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.VersionedRow;
import org.jspecify.annotations.Nullable;

/** A row with the version that it had. */
@SuppressWarnings("ArrayRecordComponent") // shared on purpose
record MemoryVersionedRow(Key key, long version, byte @Nullable [] value) implements VersionedRow {}
