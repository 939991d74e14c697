package io.acaciafs.kv;

import org.jspecify.annotations.Nullable;

/**
 * A row as one transaction read it, for later ones of the same store to {@linkplain
 * Transaction#guard guard}. Immutable; a store may be closed while versioned rows of it are kept.
 */
public interface VersionedRow {
  /** What was read, not a copy: do not write to it. Null: there was no row. */
  byte @Nullable [] value();
}
