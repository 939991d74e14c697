package io.acaciafs.kv;

import java.util.Arrays;
import java.util.HexFormat;

/**
 * The key of a row: a table and bytes, ordered by unsigned bytes within their table. Immutable; the
 * array given is not copied and belongs to the key from then on.
 */
public final class Key implements Comparable<Key> {
  private final Table table;
  private final byte[] bytes;
  private final int hash;

  public Key(Table table, byte[] bytes) {
    this.table = table;
    this.bytes = bytes;
    this.hash = 31 * table.name().hashCode() + Arrays.hashCode(bytes);
  }

  public Table table() {
    return table;
  }

  /** The bytes themselves, not a copy: do not write to them. */
  public byte[] bytes() {
    return bytes;
  }

  /** By table name, then by unsigned bytes. */
  @Override
  public int compareTo(Key other) {
    int byTable = table.name().compareTo(other.table.name());
    return byTable != 0 ? byTable : Arrays.compareUnsigned(bytes, other.bytes);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Key key
        && hash == key.hash
        && table.equals(key.table)
        && Arrays.equals(bytes, key.bytes);
  }

  @Override
  public int hashCode() {
    return hash;
  }

  @Override
  public String toString() {
    return table.name() + "/" + HexFormat.of().formatHex(bytes);
  }
}
