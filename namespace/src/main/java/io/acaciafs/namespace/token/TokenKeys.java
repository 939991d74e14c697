package io.acaciafs.namespace.token;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.namespace.record.NamespaceKeys;
import java.nio.ByteBuffer;

/**
 * The key space of delegation tokens, in the table {@code dictionary}: a table of their own would
 * keep an earlier version from opening the store.
 *
 * <pre>
 * 4 key id(4)                          a key that passwords are made with
 * 5                                    which key new tokens get
 * 6 sequence number(4) key id(4)       a token
 * 7                                    counters: how many tokens are not cancelled
 * </pre>
 */
public final class TokenKeys {
  private static final byte MASTER_KEY = 4;
  private static final byte CURRENT_KEY = 5;
  private static final byte TOKEN = 6;
  private static final byte COUNT = 7;

  private TokenKeys() {}

  /** A key that passwords are made with. */
  public static Key masterKey(int id) {
    ByteBuffer key = ByteBuffer.allocate(1 + Integer.BYTES).put(MASTER_KEY).putInt(id);
    return new Key(NamespaceKeys.DICTIONARY, key.array());
  }

  public static KeyRange masterKeys() {
    return KeyRange.ofPrefix(NamespaceKeys.DICTIONARY, new byte[] {MASTER_KEY});
  }

  /** The id of the key whose row this is. */
  public static int masterKeyId(Key row) {
    return ByteBuffer.wrap(row.bytes()).getInt(1);
  }

  /** Says which key new tokens get. */
  public static Key currentKey() {
    return new Key(NamespaceKeys.DICTIONARY, new byte[] {CURRENT_KEY});
  }

  public static Key token(int sequenceNumber, int masterKeyId) {
    ByteBuffer key = ByteBuffer.allocate(1 + 2 * Integer.BYTES).put(TOKEN);
    return new Key(
        NamespaceKeys.DICTIONARY, key.putInt(sequenceNumber).putInt(masterKeyId).array());
  }

  public static KeyRange tokens() {
    return KeyRange.ofPrefix(NamespaceKeys.DICTIONARY, new byte[] {TOKEN});
  }

  /** Counts the tokens that are not cancelled. */
  public static Key count() {
    return new Key(NamespaceKeys.DICTIONARY, new byte[] {COUNT});
  }
}
