package io.acaciafs.kv.raft.compare;

import io.acaciafs.kv.Row;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * A row without its value.
 *
 * @param key its bytes; not to be written to
 * @param hash of the value
 */
record RowHash(byte[] key, long hash) {
  static RowHash of(Row row) {
    return new RowHash(row.key().bytes(), ByteBuffer.wrap(sha256().digest(row.value())).getLong());
  }

  static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java has SHA-256", e);
    }
  }
}
