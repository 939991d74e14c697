package io.acaciafs.kv;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The keys of one table in {@code [from, to)}, by unsigned bytes.
 *
 * @param from the first key, included
 * @param to the key behind the last one; null: the range has no upper end
 */
public record KeyRange(Table table, byte[] from, byte @Nullable [] to) {

  /** All keys that begin with {@code prefix}. */
  public static KeyRange ofPrefix(Table table, byte[] prefix) {
    return new KeyRange(table, prefix, endOfPrefix(prefix));
  }

  /** Every key of a table. */
  public static KeyRange ofTable(Table table) {
    return new KeyRange(table, new byte[0], null);
  }

  /** The same range, begun behind {@code key}. */
  public KeyRange startingAfter(byte[] key) {
    return new KeyRange(table, Arrays.copyOf(key, key.length + 1), to);
  }

  public boolean contains(Key key) {
    return table.equals(key.table())
        && Arrays.compareUnsigned(key.bytes(), from) >= 0
        && (to == null || Arrays.compareUnsigned(key.bytes(), to) < 0);
  }

  /** Whether every key that the range could hold begins with the same whole partition. */
  public boolean isInOnePartition() {
    int length = table.partitionLength();
    if (from.length < length || to == null) {
      return false;
    }
    byte[] end = endOfPrefix(Arrays.copyOf(from, length));
    return end != null && Arrays.compareUnsigned(to, end) <= 0;
  }

  /** The first key behind all keys with this prefix; null: there is none. */
  private static byte @Nullable [] endOfPrefix(byte[] prefix) {
    for (int last = prefix.length - 1; last >= 0; last--) {
      if (prefix[last] != (byte) 0xFF) {
        byte[] end = Arrays.copyOf(prefix, last + 1);
        end[last]++;
        return end;
      }
    }
    return null;
  }
}
