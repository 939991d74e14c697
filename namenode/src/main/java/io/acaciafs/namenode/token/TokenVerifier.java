package io.acaciafs.namenode.token;

import io.acaciafs.namenode.reply.Answers;
import io.acaciafs.namenode.reply.StandbyTexts;
import io.acaciafs.namespace.token.TokenIdentifiers;
import io.acaciafs.rpc.sasl.TokenPasswords;
import java.io.IOException;
import java.security.MessageDigest;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hdfs.security.token.delegation.DelegationTokenIdentifier;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.security.token.SecretManager.InvalidToken;
import org.apache.hadoop.security.token.TokenIdentifier;
import org.jspecify.annotations.Nullable;

/**
 * Whether the tokens that clients show are valid. One that does not lead and cannot tell sends
 * clients on with StandbyException, as HDFS's standby does. A store that does not answer never
 * makes a token invalid: clients would give up. A lookup that waits holds no thread. Safe for use
 * by many threads.
 */
public final class TokenVerifier implements TokenPasswords {
  private static final long PATIENCE_MS = 20_000;

  /** Strangers can look tokens up too; each lookup that waits takes about a kilobyte. */
  private static final int MOST_WAITING = 10_000;

  private final long patienceMs;
  private final int mostWaiting;
  private final AtomicInteger waiting = new AtomicInteger();
  private volatile @Nullable DelegationTokens tokens;
  private volatile @Nullable ReplicaTokens followed;

  public TokenVerifier() {
    this(PATIENCE_MS, MOST_WAITING);
  }

  TokenVerifier(long patienceMs, int mostWaiting) {
    this.patienceMs = patienceMs;
    this.mostWaiting = mostWaiting;
  }

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
  public CompletableFuture<byte[]> password(TokenIdentifier identifier, Executor here) {
    CompletableFuture<byte[]> found = find((DelegationTokenIdentifier) identifier, here);
    if (found.isDone() && !found.isCompletedExceptionally()) {
      return found;
    }
    if (!found.isDone()) {
      if (waiting.incrementAndGet() > mostWaiting) {
        waiting.decrementAndGet();
        return CompletableFuture.failedFuture(
            new RetriableException("Too many tokens are being looked up"));
      }
      found
          .orTimeout(patienceMs, TimeUnit.MILLISECONDS)
          .whenComplete((password, failure) -> waiting.decrementAndGet());
    }
    return found.exceptionallyCompose(failure -> CompletableFuture.failedFuture(refusal(failure)));
  }

  private CompletableFuture<byte[]> find(DelegationTokenIdentifier id, Executor here) {
    DelegationTokens serving = tokens;
    if (serving != null) {
      return serving.password(id, here);
    }
    ReplicaTokens following = followed;
    return following == null
        ? CompletableFuture.failedFuture(StandbyTexts.refusal("READ"))
        : following.password(id, here);
  }

  private static IOException refusal(Throwable failure) {
    Throwable term = Answers.hdfsTerm(failure);
    if (term instanceof TimeoutException) {
      return new RetriableException("The metadata store did not say whether the token is valid");
    }
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
    byte[] valid = TokenPasswords.await(password(identifier, Runnable::run));
    if (!MessageDigest.isEqual(password, valid)) {
      throw new InvalidToken(
          "token " + DelegationTokens.text(identifier) + " is invalid, password doesn't match");
    }
  }
}
