package io.acaciafs.namespace.token;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import org.apache.hadoop.hdfs.security.token.delegation.DelegationTokenIdentifier;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.TokenIdentifier;
import org.jspecify.annotations.Nullable;

/** What a delegation token says of itself, true or not. */
public final class TokenIdentifiers {
  private TokenIdentifiers() {}

  /**
   * @param bytes of anybody
   * @throws IOException if they are no identifier
   */
  public static DelegationTokenIdentifier read(byte[] bytes) throws IOException {
    DelegationTokenIdentifier id = new DelegationTokenIdentifier();
    try {
      id.readFields(new DataInputStream(new ByteArrayInputStream(bytes)));
    } catch (RuntimeException e) { // a length that makes no sense
      throw new IOException("Not the identifier of a delegation token", e);
    }
    return id;
  }

  /** Of the token by which a user has authenticated; null where it has not done so by one. */
  public static @Nullable DelegationTokenIdentifier of(UserGroupInformation user) {
    for (TokenIdentifier id : user.getTokenIdentifiers()) {
      if (id instanceof DelegationTokenIdentifier token) {
        return token;
      }
    }
    return null;
  }
}
