package io.acaciafs.namenode.token;

import io.acaciafs.namenode.reply.Answers;
import io.acaciafs.namenode.reply.StandbyTexts;
import io.acaciafs.namespace.token.TokenIdentifiers;
import io.acaciafs.rpc.sasl.TokenPasswords;
import java.io.IOException;
import java.security.MessageDigest;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.hdfs.security.token.delegation.DelegationTokenIdentifier;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.security.token.SecretManager.InvalidToken;
import org.apache.hadoop.security.token.TokenIdentifier;
import org.jspecify.annotations.Nullable;

/**
 * Whether the tokens that clients show are valid. One that does not lead and cannot tell sends
 * clients on with StandbyException, as HDFS's standby does. A store that does not answer never
 * makes a token invalid: clients would give up. Safe for use by many threads.
 */
public final class TokenVerifier implements TokenPasswords {
  private static final long PATIENCE_MS = 20_000;

  private volatile @Nullable DelegationTokens tokens;
  private volatile @Nullable ReplicaTokens followed;

  /** From now on these are asked; null: this NameNode stands by. */
  public void serve(@Nullable DelegationTokens serving) {
    tokens = serving;
  }

  /** While this NameNode stands by these are asked; null: clients are sent on. */
  public void follow(@Nullable ReplicaTokens following) {
    followed = following;
  }

  @Override
  public DelegationTokenIdentifier identifier(byte[] bytes) throws InvalidToken {
    try {
      return TokenIdentifiers.read(bytes);
    } catch (IOException e) {
      InvalidToken none = new InvalidToken("Can't de-serialize tokenIdentifier");
      none.addSuppressed(e); // a cause would go to the client in its place
      throw none;
    }
  }

  @Override
  public byte[] password(TokenIdentifier identifier) throws IOException {
    DelegationTokens serving = tokens;
    if (serving == null) {
      ReplicaTokens following = followed;
      if (following == null) {
        throw StandbyTexts.refusal("READ");
      }
      return following.password((DelegationTokenIdentifier) identifier);
    }
    try {
      return serving
          .password((DelegationTokenIdentifier) identifier)
          .get(PATIENCE_MS, TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw refusal(e.getCause() == null ? e : e.getCause());
    } catch (TimeoutException e) {
      throw new RetriableException("The metadata store did not say whether the token is valid");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new RetriableException("Interrupted while the token was looked up");
    }
  }

  private static IOException refusal(Throwable failure) {
    Throwable term = Answers.hdfsTerm(failure);
    if (term instanceof InvalidToken invalid) {
      return invalid;
    }
    return term instanceof StandbyException standby
        ? standby
        : new RetriableException("The token could not be looked up: " + term.getMessage());
  }

  /**
   * Checks a token that was shown with its password.
   *
   * @throws InvalidToken if it is not valid
   * @throws IOException RetriableException or StandbyException where this cannot be told now
   */
  public void verify(DelegationTokenIdentifier identifier, byte[] password) throws IOException {
    if (!MessageDigest.isEqual(password, password(identifier))) {
      throw new InvalidToken(
          "token " + DelegationTokens.text(identifier) + " is invalid, password doesn't match");
    }
  }
}
