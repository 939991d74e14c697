package io.acaciafs.namenode.token;

import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Row;
import io.acaciafs.kv.Scan;
import io.acaciafs.kv.Transaction;
import io.acaciafs.kv.run.RepeatedFailures;
import io.acaciafs.namenode.process.Threads;
import io.acaciafs.namespace.token.TokenKeys;
import io.acaciafs.namespace.token.TokenRow;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes a new key when the current one is old, and removes the rows of tokens that have expired or
 * were cancelled a while ago, and expired keys. On a thread of its own until it is closed.
 *
 * <p>Nothing is removed before the clock has run for an hour without a jump: a NameNode that starts
 * with a wrong clock, or whose clock is set, takes no token from the others that is valid for them.
 * HDFS has no such rule, and forgets tokens then.
 *
 * <p>Source of the intervals: {@code AbstractDelegationTokenSecretManager.ExpiredTokenRemover},
 * {@code FSNamesystem.DELEGATION_TOKEN_REMOVER_SCAN_INTERVAL}.
 */
public final class ExpiredTokens implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ExpiredTokens.class);
  private static final String FAILED = "Delegation tokens not looked after, will try again";
  private static final long LONGEST_INTERVAL_MS = 5_000;
  private static final long SCAN_INTERVAL_MS = TimeUnit.HOURS.toMillis(1);
  private static final long JUMP_MS = TimeUnit.MINUTES.toMillis(1);
  private static final int ROWS_PER_TRANSACTION = 1000;
  private static final long TRANSACTION_SECONDS = 60;

  private final DelegationTokens tokens;
  private final BooleanSupplier isOurs;
  private final BooleanSupplier isInSafeMode;
  private final LongSupplier elapsedMs;
  private final RepeatedFailures failures = new RepeatedFailures(LOG);
  private final ScheduledExecutorService thread = Threads.scheduler("delegation-tokens", 1);
  private long nextScanMs;

  /** How far the clock of tokens was ahead of the elapsed time at its last jump. */
  private long aheadMs;

  ExpiredTokens(
      DelegationTokens tokens,
      BooleanSupplier isOurs,
      BooleanSupplier isInSafeMode,
      LongSupplier elapsedMs) {
    this.tokens = tokens;
    this.isOurs = isOurs;
    this.isInSafeMode = isInSafeMode;
    this.elapsedMs = elapsedMs;
    awaitScan(elapsedMs.getAsLong());
  }

  /**
   * Begins; does nothing where tokens are not used.
   *
   * @param isOurs whether this NameNode removes tokens; two that do lose time, and nothing else
   * @param isInSafeMode nothing is changed then
   * @param elapsedMs never goes back
   */
  public static ExpiredTokens start(
      DelegationTokens tokens,
      BooleanSupplier isOurs,
      BooleanSupplier isInSafeMode,
      LongSupplier elapsedMs) {
    ExpiredTokens started = new ExpiredTokens(tokens, isOurs, isInSafeMode, elapsedMs);
    if (tokens.settings().isUsed()) {
      long intervalMs = Math.max(1, Math.min(LONGEST_INTERVAL_MS, tokens.settings().keyUpdateMs()));
      started.thread.scheduleWithFixedDelay(started::runOnce, 0, intervalMs, TimeUnit.MILLISECONDS);
    }
    return started;
  }

  private void awaitScan(long nowMs) {
    aheadMs = tokens.nowMs() - nowMs;
    nextScanMs = nowMs + SCAN_INTERVAL_MS;
  }

  void runOnce() {
    try {
      long nowMs = elapsedMs.getAsLong();
      long jumpMs = tokens.nowMs() - nowMs - aheadMs;
      if (Math.abs(jumpMs) > JUMP_MS) {
        LOG.warn("The clock has jumped, expired delegation tokens are removed later ms={}", jumpMs);
        awaitScan(nowMs);
      }
      if (isInSafeMode.getAsBoolean()) {
        return;
      }
      tokens.rollKeyIfDue().get(TRANSACTION_SECONDS, TimeUnit.SECONDS);
      if (isOurs.getAsBoolean() && nowMs >= nextScanMs) {
        long removed = removeAll(tokens);
        tokens.removeExpiredKeys().get(TRANSACTION_SECONDS, TimeUnit.SECONDS);
        nextScanMs = elapsedMs.getAsLong() + SCAN_INTERVAL_MS;
        if (removed > 0) {
          LOG.info("Expired delegation tokens removed count={}", removed);
        }
      }
      failures.succeeded(FAILED);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException | RuntimeException e) {
      if (!thread.isShutdown()) {
        failures.failed(FAILED, e);
      }
    }
  }

  /** How many were removed, piece by piece. */
  static long removeAll(DelegationTokens tokens)
      throws InterruptedException, ExecutionException, TimeoutException {
    long removed = 0;
    KeyRange range = TokenKeys.tokens();
    while (range != null) {
      KeyRange piece = range;
      Piece done =
          tokens
              .runner()
              .submit(tx -> remove(tokens, tx, piece))
              .get(TRANSACTION_SECONDS, TimeUnit.SECONDS);
      removed += done.removed();
      range = done.rest();
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
    }
    return removed;
  }

  /**
   * A transaction of many.
   *
   * @param rest where to go on; null: nowhere
   */
  private record Piece(int removed, @Nullable KeyRange rest) {}

  private static Piece remove(DelegationTokens tokens, Transaction transaction, KeyRange range) {
    int seen = 0;
    int removed = 0;
    try (Scan rows = transaction.unguarded().scan(range, ROWS_PER_TRANSACTION)) {
      while (rows.hasNext()) {
        Row row = rows.next();
        if (tokens.isOver(TokenRow.decode(row.value()))) {
          removed += remove(tokens, transaction, row);
        }
        if (++seen == ROWS_PER_TRANSACTION) {
          return new Piece(removed, range.startingAfter(row.key().bytes()));
        }
      }
    }
    return new Piece(removed, null);
  }

  /** It may have been renewed since it was scanned. */
  private static int remove(DelegationTokens tokens, Transaction transaction, Row scanned) {
    byte[] now = transaction.get(scanned.key());
    TokenRow row = now == null ? null : TokenRow.decode(now);
    if (row == null || !tokens.isOver(row)) {
      return 0;
    }
    DelegationTokens.remove(transaction, scanned.key(), row);
    return 1;
  }

  @Override
  public void close() {
    Threads.shutDown(thread);
  }
}
