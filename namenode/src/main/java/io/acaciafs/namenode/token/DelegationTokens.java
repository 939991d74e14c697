package io.acaciafs.namenode.token;

import io.acaciafs.kv.Counters;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.Transaction;
import io.acaciafs.kv.WouldBlockException;
import io.acaciafs.kv.run.IdSequence;
import io.acaciafs.kv.run.TransactionRunner;
import io.acaciafs.namenode.process.Threads;
import io.acaciafs.namenode.reply.Answers;
import io.acaciafs.namespace.record.IdKind;
import io.acaciafs.namespace.token.TokenIdentifiers;
import io.acaciafs.namespace.token.TokenKeys;
import io.acaciafs.namespace.token.TokenRow;
import java.io.IOException;
import java.security.MessageDigest;
import java.time.Clock;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadPoolExecutor;
import org.apache.hadoop.hdfs.security.token.delegation.DelegationTokenIdentifier;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.HadoopKerberosName;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.UserGroupInformation.AuthenticationMethod;
import org.apache.hadoop.security.token.SecretManager;
import org.apache.hadoop.security.token.SecretManager.InvalidToken;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.security.token.delegation.DelegationKey;
import org.apache.hadoop.util.Time;
import org.jspecify.annotations.Nullable;

/**
 * Issues, renews and cancels delegation tokens, and tells which are valid, with HDFS's checks in
 * its order. Each is one transaction on the token's row, so that all NameNodes of a store agree.
 * Safe for use by many threads.
 *
 * <p>A cancelled token's row stays for as long as calls may be repeated, with the id of the call:
 * its repetition after a lost reply succeeds. HDFS, which remembers nothing, fails it with "Token
 * not found"; so does this for any other call. A renewal may be repeated as it is, and of a token
 * that was issued for a lost reply nobody ever hears.
 *
 * <p>Source: {@code FSNamesystem.getDelegationToken} and its like, {@code
 * AbstractDelegationTokenSecretManager}.
 */
public final class DelegationTokens {
  /** One of these waits where another transaction has locked a row, or too many rows are read. */
  private static final int LOOKUP_THREADS = 8;

  private static final int LOOKUP_QUEUE = 1000;

  /** Sequence numbers that a process takes at once. */
  private static final int NUMBERS_AT_ONCE = 10_000;

  static final Counters ONE_MORE = new Counters(new long[] {1}, new long[0]);
  private static final Counters ONE_LESS = new Counters(new long[] {-1}, new long[0]);

  private final TransactionRunner runner;
  private final TokenSettings settings;
  private final Clock clock;
  private final Executor slowLookups;
  private final boolean hasLocalReads;
  private final MasterKeys keys;
  private final IdSequence numbers;

  /**
   * @param clock which the NameNodes of a store have in common as far as they have one
   * @param slowLookups has threads that may wait, for the few rows of a store over a network that
   *     cannot be read without; refuses what is too much
   */
  public DelegationTokens(
      TransactionRunner runner, TokenSettings settings, Clock clock, Executor slowLookups) {
    this.runner = runner;
    this.settings = settings;
    this.clock = clock;
    this.slowLookups = slowLookups;
    hasLocalReads = runner.store().traits().localReads();
    keys = new MasterKeys(settings);
    numbers = IdKind.DELEGATION_TOKEN.sequence(runner.store(), NUMBERS_AT_ONCE);
  }

  TokenSettings settings() {
    return settings;
  }

  TransactionRunner runner() {
    return runner;
  }

  // ---- What clients ask for. Failures are in HDFS's terms. ----

  /**
   * A new token.
   *
   * @param user the caller, which is to own it: tokens beget no tokens
   * @param renewer user or principal that may renew it; empty: nobody
   * @return null where tokens are not used
   */
  public CompletableFuture<@Nullable Token<DelegationTokenIdentifier>> issue(
      UserGroupInformation user, Text renewer) {
    if (!hasProved(user)) {
      return CompletableFuture.failedFuture(
          new IOException(
              "Delegation Token can be issued only with kerberos or web authentication"));
    }
    return settings.isUsed()
        ? issueUnchecked(user, renewer)
        : CompletableFuture.completedFuture(null);
  }

  /** The same for a caller that has made sure who the user is. */
  CompletableFuture<@Nullable Token<DelegationTokenIdentifier>> issueUnchecked(
      UserGroupInformation user, Text renewer) {
    Text owner = new Text(user.getUserName());
    UserGroupInformation real = user.getRealUser();
    Text realUser = real == null ? null : new Text(real.getUserName());
    return Answers.inHdfsTerms(
        numbers
            .nextNonBlocking()
            .thenCompose(
                number ->
                    runner.submit(
                        tx -> {
                          DelegationTokenIdentifier id =
                              new DelegationTokenIdentifier(owner, renewer, realUser);
                          id.setSequenceNumber(number.intValue());
                          return issue(tx, id);
                        })));
  }

  private Token<DelegationTokenIdentifier> issue(
      Transaction transaction, DelegationTokenIdentifier id) {
    long nowMs = clock.millis();
    DelegationKey key = keys.current(transaction, nowMs);
    id.setIssueDate(nowMs);
    id.setMaxDate(nowMs + settings.maxLifetimeMs());
    id.setMasterKeyId(key.getKeyId());
    byte[] bytes = id.getBytes();
    transaction.put(keyOf(id), new TokenRow(bytes, nowMs + settings.renewMs(), null).encode());
    transaction.add(TokenKeys.count(), ONE_MORE);
    return new Token<>(bytes, password(bytes, key), id.getKind(), new Text());
  }

  /**
   * Has a token be valid for longer.
   *
   * @param user the caller
   * @return until when it is valid now, in ms since the epoch
   */
  public CompletableFuture<Long> renew(
      UserGroupInformation user, Token<DelegationTokenIdentifier> token) {
    if (!hasProved(user)) {
      return CompletableFuture.failedFuture(
          new IOException(
              "Delegation Token can be renewed only with kerberos or web authentication"));
    }
    String renewer = user.getShortUserName();
    DelegationTokenIdentifier id;
    try {
      id = TokenIdentifiers.read(token.getIdentifier());
    } catch (IOException e) {
      return CompletableFuture.failedFuture(e);
    }
    return Answers.inHdfsTerms(runner.submit(tx -> renew(tx, id, token, renewer)));
  }

  private long renew(
      Transaction transaction,
      DelegationTokenIdentifier id,
      Token<DelegationTokenIdentifier> token,
      String renewer)
      throws IOException {
    long nowMs = clock.millis();
    if (id.getMaxDate() < nowMs) {
      throw new InvalidToken(
          renewer
              + " tried to renew an expired token "
              + text(id)
              + " max expiration date: "
              + Time.formatTime(id.getMaxDate())
              + " currentTime: "
              + Time.formatTime(nowMs));
    }
    String wanted = id.getRenewer().toString();
    if (wanted.isEmpty()) {
      throw new AccessControlException(
          renewer + " tried to renew a token " + text(id) + " without a renewer");
    }
    if (!wanted.equals(renewer)) {
      throw new AccessControlException(
          renewer + " tries to renew a token " + text(id) + " with non-matching renewer " + wanted);
    }
    DelegationKey key = keys.find(transaction.unguarded(), id.getMasterKeyId());
    if (key == null) {
      throw new InvalidToken(
          "Unable to find master key for keyId="
              + id.getMasterKeyId()
              + " from cache. Failed to renew an unexpired token "
              + text(id)
              + " with sequenceNumber="
              + id.getSequenceNumber());
    }
    if (!MessageDigest.isEqual(password(token.getIdentifier(), key), token.getPassword())) {
      throw new AccessControlException(
          renewer + " is trying to renew a token " + text(id) + " with wrong password");
    }
    TokenRow row = row(transaction.get(keyOf(id)), id);
    if (row == null || row.cancellation() != null) {
      throw new InvalidToken("Renewal request for unknown token " + text(id));
    }
    long untilMs = Math.min(id.getMaxDate(), nowMs + settings.renewMs());
    transaction.put(keyOf(id), row.renewedUntil(untilMs).encode());
    return untilMs;
  }

  /**
   * Has a token be valid no more.
   *
   * @param user the caller
   * @param clientId of the call, by which a repetition is known; empty: it cannot be repeated
   */
  public CompletableFuture<Void> cancel(
      UserGroupInformation user,
      Token<DelegationTokenIdentifier> token,
      byte[] clientId,
      int callId) {
    DelegationTokenIdentifier id;
    try {
      id = TokenIdentifiers.read(token.getIdentifier());
      requireMayCancel(id, user.getUserName());
    } catch (IOException | IllegalArgumentException e) { // also of an owner without a rule
      return CompletableFuture.failedFuture(e);
    }
    return Answers.inHdfsTerms(runner.submit(tx -> cancel(tx, id, clientId, callId)));
  }

  private static void requireMayCancel(DelegationTokenIdentifier id, String canceller)
      throws IOException {
    UserGroupInformation owner = id.getUser();
    if (owner == null) {
      throw new InvalidToken("Token with no owner " + text(id));
    }
    String renewer = id.getRenewer().toString();
    String shortName = new HadoopKerberosName(canceller).getShortName();
    if (!canceller.equals(owner.getUserName())
        && (renewer.isEmpty() || !shortName.equals(renewer))) {
      throw new AccessControlException(
          canceller + " is not authorized to cancel the token " + text(id));
    }
  }

  private @Nullable Void cancel(
      Transaction transaction, DelegationTokenIdentifier id, byte[] clientId, int callId)
      throws InvalidToken {
    TokenRow row = row(transaction.get(keyOf(id)), id);
    TokenRow.Cancellation before = row == null ? null : row.cancellation();
    if (row == null || before != null && !before.isBy(clientId, callId)) {
      throw new InvalidToken("Token not found " + text(id));
    }
    if (before == null) {
      TokenRow.Cancellation by = new TokenRow.Cancellation(clock.millis(), clientId, callId);
      transaction.put(keyOf(id), row.cancelled(by).encode());
      transaction.add(TokenKeys.count(), ONE_LESS);
    }
    return null;
  }

  /** As in HDFS: by a ticket, or by a real user that has authenticated; not by a token. */
  private boolean hasProved(UserGroupInformation user) {
    AuthenticationMethod method = user.getAuthenticationMethod();
    if (method == AuthenticationMethod.PROXY) {
      method = user.getRealUser().getAuthenticationMethod();
    }
    return !settings.isSecure()
        || method == AuthenticationMethod.KERBEROS
        || method == AuthenticationMethod.KERBEROS_SSL
        || method == AuthenticationMethod.CERTIFICATE;
  }

  // ---- Tokens that clients show ----

  /** Where slow lookups may run; its threads begin and end as they are needed. */
  public static ThreadPoolExecutor newSlowLookups() {
    return Threads.pool("token-lookup", LOOKUP_THREADS, LOOKUP_QUEUE);
  }

  /**
   * The password of a token that is valid at this moment: its row is read anew, so that a token is
   * valid nowhere once it was cancelled. Never waits. Fails with InvalidToken, or as the store
   * does.
   *
   * @param here goes on when a row has come, and must not wait either
   */
  CompletableFuture<byte[]> password(DelegationTokenIdentifier id, Executor here) {
    if (hasLocalReads) {
      return runner.read(tx -> password(tx, id));
    }
    return runner
        .readNonBlocking(tx -> password(tx, id), TransactionRunner.Conclusion.<byte[]>none(), here)
        .exceptionallyCompose(
            failure ->
                failure instanceof WouldBlockException
                    ? CompletableFuture.supplyAsync(
                            () -> runner.read(tx -> password(tx, id)), slowLookups)
                        .thenCompose(read -> read)
                    : CompletableFuture.failedFuture(failure));
  }

  private byte[] password(Transaction transaction, DelegationTokenIdentifier id)
      throws InvalidToken {
    TokenRow row = row(transaction.get(keyOf(id)), id);
    Reader reader = transaction.unguarded();
    DelegationKey key =
        row == null || row.cancellation() != null ? null : keys.find(reader, id.getMasterKeyId());
    if (row == null || key == null) {
      throw new InvalidToken(
          "Token for real user: " + id.getRealUser() + ", can't be found in cache");
    }
    long nowMs = clock.millis();
    if (row.renewDateMs() < nowMs) {
      throw new InvalidToken(
          "Token "
              + id.getRealUser()
              + " has expired, current time: "
              + Time.formatTime(nowMs)
              + " expected renewal time: "
              + Time.formatTime(row.renewDateMs()));
    }
    return password(row.identifier(), key);
  }

  // ---- In the background ----

  /** Makes a new key where the current one is old. */
  CompletableFuture<Void> rollKeyIfDue() {
    if (!keys.isDue(runner.store(), clock.millis())) {
      return CompletableFuture.completedFuture(null);
    }
    return runner.submit(
        tx -> {
          keys.current(tx, clock.millis());
          return null;
        });
  }

  /** Removes the keys on which no token rests any more. */
  CompletableFuture<Void> removeExpiredKeys() {
    return runner.submit(
        tx -> {
          keys.removeExpired(tx, clock.millis());
          return null;
        });
  }

  /** By the clock that says how long tokens are valid. */
  long nowMs() {
    return clock.millis();
  }

  /** Whether nothing rests on a row any more. */
  boolean isOver(TokenRow row) {
    long nowMs = clock.millis();
    TokenRow.Cancellation cancellation = row.cancellation();
    return cancellation == null
        ? row.renewDateMs() < nowMs
        : cancellation.timeMs() + settings.repetitionMs() < nowMs;
  }

  /** Removes a row. */
  static void remove(Transaction transaction, Key key, TokenRow row) {
    transaction.delete(key);
    if (row.cancellation() == null) {
      transaction.add(TokenKeys.count(), ONE_LESS);
    }
  }

  /** How many tokens there are that were not cancelled, expired ones included as in HDFS. */
  public long count() {
    return Counters.decode(runner.store().get(TokenKeys.count())).sum(0);
  }

  // ---- Helpers ----

  private static Key keyOf(DelegationTokenIdentifier id) {
    return TokenKeys.token(id.getSequenceNumber(), id.getMasterKeyId());
  }

  private static @Nullable TokenRow row(byte @Nullable [] bytes, DelegationTokenIdentifier id) {
    TokenRow row = bytes == null ? null : TokenRow.decode(bytes);
    return row == null || !row.isOf(id) ? null : row;
  }

  private static byte[] password(byte[] identifier, DelegationKey key) {
    return SecretManager.createPassword(identifier, key.getKey());
  }

  /** As HDFS writes it into its texts; somebody made a token without an owner, or for no user. */
  static String text(DelegationTokenIdentifier id) {
    try {
      return "(" + id + ")";
    } catch (RuntimeException e) {
      return "( SequenceNumber=" + id.getSequenceNumber() + " )";
    }
  }
}
