package io.acaciafs.namespace.record;

import io.acaciafs.kv.RowView;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.value.StableHash;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * Where the rows of a directory lie: sixteen bytes that begin all their keys. Assigned at the
 * directory's creation and never changed, so no rename touches what is below a directory. Ends with
 * the directory's inode id.
 */
public final class Locator implements Comparable<Locator> {
  public static final int LENGTH = 16;

  private final byte[] bytes;

  private Locator(byte[] bytes) {
    this.bytes = bytes;
  }

  /** A locator that begins with a hash of the id, so that directories spread over all servers. */
  public static Locator spread(long directoryId) {
    return beginningWith(StableHash.mix(directoryId), directoryId);
  }

  /**
   * The same with another hash of the id.
   *
   * @param variant which one of many
   */
  public static Locator spread(long directoryId, int variant) {
    return beginningWith(StableHash.mix(StableHash.mix(directoryId) + variant), directoryId);
  }

  private static Locator beginningWith(long hash, long directoryId) {
    return new Locator(ByteBuffer.allocate(LENGTH).putLong(hash).putLong(directoryId).array());
  }

  /**
   * A locator that begins with the ids of the two directories above, so that a directory lies near
   * its siblings, and these near their cousins. Of each id the lower half is enough: the end of a
   * locator makes it unique.
   *
   * @param above id of the directory above the parent; 0: there is none
   * @param parent id of the parent as it is now: a later move changes nothing
   */
  static Locator near(long above, long parent, long directoryId) {
    return new Locator(
        ByteBuffer.allocate(LENGTH)
            .putInt((int) above)
            .putInt((int) parent)
            .putLong(directoryId)
            .array());
  }

  /** Of one that was made near others: the lower half of the id of the directory it was made in. */
  int madeIn() {
    return ByteBuffer.wrap(bytes).getInt(Integer.BYTES);
  }

  /**
   * @throws StoreException when there are not {@link #LENGTH} bytes
   */
  public static Locator of(byte[] bytes) {
    if (bytes.length != LENGTH) {
      throw new StoreException("A locator has " + LENGTH + " bytes: " + bytes.length);
    }
    return new Locator(bytes.clone());
  }

  public long directoryId() {
    return ByteBuffer.wrap(bytes).getLong(LENGTH - Long.BYTES);
  }

  public byte[] toBytes() {
    return bytes.clone();
  }

  void writeTo(ByteBuffer buffer) {
    buffer.put(bytes);
  }

  /** Whether a row's key begins with it. */
  boolean begins(RowView row) {
    return row.keyBeginsWith(bytes);
  }

  /** In the order of the keys. */
  @Override
  public int compareTo(Locator other) {
    return Arrays.compareUnsigned(bytes, other.bytes);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Locator locator && Arrays.equals(bytes, locator.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  @Override
  public String toString() {
    return HexFormat.of().formatHex(bytes);
  }
}
