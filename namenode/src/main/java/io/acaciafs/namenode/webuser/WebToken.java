package io.acaciafs.namenode.webuser;

import io.acaciafs.namespace.token.TokenIdentifiers;
import java.io.IOException;
import java.util.Base64;
import org.apache.hadoop.hdfs.security.token.delegation.DelegationTokenIdentifier;
import org.apache.hadoop.io.DataInputBuffer;
import org.apache.hadoop.io.WritableUtils;
import org.apache.hadoop.security.token.SecretManager.InvalidToken;
import org.apache.hadoop.security.token.Token;

/**
 * A delegation token as text of a URL, from a client of which nothing is known yet: Hadoop's
 * classes would take as much memory as its lengths say. Stateless.
 */
final class WebToken {
  /** Identifier, password, kind and service. */
  private static final int FIELDS = 4;

  private WebToken() {}

  /**
   * @throws InvalidToken where it is none
   */
  static Token<DelegationTokenIdentifier> decode(String text) throws IOException {
    try {
      requireLengths(Base64.getUrlDecoder().decode(text.replace('+', '-').replace('/', '_')));
      Token<DelegationTokenIdentifier> token = new Token<>();
      token.decodeFromUrlString(text);
      return token;
    } catch (IOException | IllegalArgumentException e) {
      throw new InvalidToken("Can't de-serialize the token");
    }
  }

  private static void requireLengths(byte[] bytes) throws IOException {
    DataInputBuffer in = new DataInputBuffer();
    in.reset(bytes, bytes.length);
    for (int i = 0; i < FIELDS; i++) {
      int length = WritableUtils.readVInt(in);
      int left = in.getLength() - in.getPosition();
      if (length < 0 || length > left || in.skipBytes(length) < length) {
        throw new IOException("A field of " + length + " bytes where " + left + " are left");
      }
    }
  }

  /**
   * What the token says of itself, whether true or not.
   *
   * @throws InvalidToken where it says nothing
   */
  static DelegationTokenIdentifier identifier(Token<DelegationTokenIdentifier> token)
      throws IOException {
    try {
      return TokenIdentifiers.read(token.getIdentifier());
    } catch (IOException e) {
      throw new InvalidToken("Can't de-serialize tokenIdentifier");
    }
  }
}
