package io.acaciafs.rpc.sasl;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.security.token.SecretManager.InvalidToken;
import org.apache.hadoop.security.token.TokenIdentifier;

/** Knows the tokens by which clients authenticate. Safe for use by many threads. */
public interface TokenPasswords {
  /**
   * Reads what a client presents; it is not to be believed yet.
   *
   * @throws InvalidToken if these bytes are no identifier
   */
  TokenIdentifier identifier(byte[] bytes) throws InvalidToken;

  /**
   * Looks up the password of a token that is valid now. Never waits: anybody may ask for any token.
   *
   * @param here goes on when something has come that was missing, and must not wait either
   * @return completes within a bounded time. Fails with InvalidToken if there is none: clients give
   *     up. Fails with RetriableException or StandbyException where this cannot be told now: the
   *     client gets it as it is, and asks again or elsewhere
   */
  CompletableFuture<byte[]> password(TokenIdentifier identifier, Executor here);

  /**
   * The password that a lookup finds, for a thread that may wait.
   *
   * @throws IOException as the lookup fails; RetriableException when the thread was interrupted
   */
  static byte[] await(CompletableFuture<byte[]> lookup) throws IOException {
    try {
      return lookup.get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException told ? told : new IOException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new RetriableException("Interrupted while the token was looked up");
    }
  }
}
