package io.acaciafs.kv.raft.compare;

import io.acaciafs.kv.Row;
import java.nio.ByteBuffer;
import java.security.MessageDigest;

/** Takes the rows of a range, in their order. Used by one thread. */
final class RangeDigester {
  private final MessageDigest sha256 = RowHash.sha256();
  private final ByteBuffer lengths = ByteBuffer.allocate(2 * Integer.BYTES);
  private long rows;
  private long bytes;

  void add(Row row) {
    byte[] key = row.key().bytes();
    byte[] value = row.value();
    sha256.update(lengths.clear().putInt(key.length).putInt(value.length).flip());
    sha256.update(key);
    sha256.update(value);
    rows++;
    bytes += (long) key.length + value.length;
  }

  long rows() {
    return rows;
  }

  long bytes() {
    return bytes;
  }

  RangeDigest end() {
    ByteBuffer hash = ByteBuffer.wrap(sha256.digest());
    return new RangeDigest(rows, hash.getLong(), hash.getLong());
  }
}
