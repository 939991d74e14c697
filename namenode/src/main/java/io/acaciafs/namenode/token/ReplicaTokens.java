package io.acaciafs.namenode.token;

import io.acaciafs.namenode.reply.Answers;
import io.acaciafs.namenode.reply.StandbyTexts;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.apache.hadoop.hdfs.security.token.delegation.DelegationTokenIdentifier;
import org.apache.hadoop.security.token.SecretManager.InvalidToken;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether tokens are valid, by the rows that a NameNode which stands by has applied. Before it
 * reads one it asks the leader for its state and waits until it has applied that, so a token that
 * was issued before the client showed it is known, and one that was cancelled is not. Clients that
 * come at the same time share a question. Where this takes too long the client is sent on with
 * StandbyException. No thread waits. Safe for use by many threads.
 */
public final class ReplicaTokens {
  private static final Logger LOG = LoggerFactory.getLogger(ReplicaTokens.class);

  /** A question and a batch take some milliseconds. */
  private static final long PATIENCE_MS = 2_000;

  private final DelegationTokens tokens;
  private final Supplier<CompletableFuture<Long>> leaderState;
  private final LongFunction<CompletableFuture<Void>> applied;

  /** The leader answers it, or has. */
  private CompletableFuture<Long> asked = CompletableFuture.completedFuture(0L);

  /** Is asked when that was answered, for all who have come since; null: nobody has. */
  private @Nullable CompletableFuture<Long> next;

  /**
   * @param tokens on the rows that were applied here
   * @param leaderState the leader's state at a moment after it was asked for
   * @param applied completes when a state was applied here
   */
  public ReplicaTokens(
      DelegationTokens tokens,
      Supplier<CompletableFuture<Long>> leaderState,
      LongFunction<CompletableFuture<Void>> applied) {
    this.tokens = tokens;
    this.leaderState = leaderState;
    this.applied = applied;
  }

  /**
   * The password of a token that is valid now. Fails with InvalidToken if it is not, or with
   * StandbyException where this cannot be told in time.
   *
   * @param here reads the token, and must not wait
   */
  CompletableFuture<byte[]> password(DelegationTokenIdentifier id, Executor here) {
    CompletableFuture<byte[]> told = new CompletableFuture<>();
    latest()
        .thenCompose(state -> applied(state, told))
        .thenComposeAsync(nothing -> told.isDone() ? told : tokens.password(id, here), here)
        .whenComplete(
            (password, failure) -> {
              if (failure == null) {
                told.complete(password);
              } else {
                told.completeExceptionally(failure);
              }
            });
    return told.orTimeout(PATIENCE_MS, TimeUnit.MILLISECONDS)
        .exceptionallyCompose(failure -> CompletableFuture.failedFuture(refusal(failure)));
  }

  /** Awaits a state for as long as somebody waits to be told. */
  private CompletableFuture<Void> applied(long state, CompletableFuture<byte[]> told) {
    CompletableFuture<Void> known = applied.apply(state);
    told.whenComplete((password, failure) -> known.complete(null));
    return known;
  }

  private static IOException refusal(Throwable failure) {
    if (Answers.hdfsTerm(failure) instanceof InvalidToken invalid) {
      return invalid;
    }
    LOG.debug("A client with a token is sent on", failure);
    return StandbyTexts.refusal("READ");
  }

  /** The leader's state at a moment after this call. */
  private synchronized CompletableFuture<Long> latest() {
    CompletableFuture<Long> waiting = next;
    if (waiting != null) {
      return waiting;
    }
    if (asked.isDone()) {
      return ask();
    }
    CompletableFuture<Long> made = new CompletableFuture<>();
    next = made; // what is asked already may be answered with an earlier state
    asked.whenComplete((state, failure) -> askNext(made));
    return made;
  }

  private void askNext(CompletableFuture<Long> waiting) {
    CompletableFuture<Long> question;
    synchronized (this) {
      next = null;
      question = ask();
    }
    question.whenComplete(
        (state, failure) -> {
          if (failure == null) {
            waiting.complete(state);
          } else {
            waiting.completeExceptionally(failure);
          }
        });
  }

  /** How many wait for the question after the one that is asked. */
  synchronized int waiting() {
    return next == null ? 0 : next.getNumberOfDependents();
  }

  /** A leader that stands still holds up no further questions. */
  private synchronized CompletableFuture<Long> ask() {
    asked = leaderState.get().orTimeout(PATIENCE_MS, TimeUnit.MILLISECONDS);
    return asked;
  }
}
