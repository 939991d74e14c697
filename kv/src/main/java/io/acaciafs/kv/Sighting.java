package io.acaciafs.kv;

/**
 * A row as one transaction read it, for later ones of the same store to {@linkplain
 * Transaction#assume assume}. Immutable; a store may be closed while sightings of it are kept.
 */
public interface Sighting {
  /** What was read, not a copy: do not write to it. Null where there was no row. */
  byte[] value();
}
