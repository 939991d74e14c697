package io.acaciafs.rpc.sasl;

import java.io.IOException;
import org.apache.hadoop.security.token.SecretManager.InvalidToken;
import org.apache.hadoop.security.token.TokenIdentifier;

/**
 * Knows the tokens by which clients authenticate. Called on workers, which may wait. Safe for use
 * by many threads.
 */
public interface TokenPasswords {
  /**
   * Reads what a client presents; it is not to be believed yet.
   *
   * @throws InvalidToken if these bytes are no identifier
   */
  TokenIdentifier identifier(byte[] bytes) throws InvalidToken;

  /**
   * The password of a token that is valid now.
   *
   * @throws InvalidToken if there is none; clients give up
   * @throws IOException RetriableException or StandbyException where this cannot be told now; the
   *     client gets it as it is, and asks again or elsewhere
   */
  byte[] password(TokenIdentifier identifier) throws IOException;
}
