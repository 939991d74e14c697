package io.acaciafs.namenode.token;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.memory.MemoryStore;
import io.acaciafs.kv.run.TransactionRunner;
import io.acaciafs.namenode.process.ResourceStack;
import io.acaciafs.namenode.process.Transactions;
import io.acaciafs.namespace.token.TokenIdentifiers;
import io.acaciafs.namespace.token.TokenKeys;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hdfs.security.token.delegation.DelegationTokenIdentifier;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.UserGroupInformation.AuthenticationMethod;
import org.apache.hadoop.security.token.SecretManager.InvalidToken;
import org.apache.hadoop.security.token.Token;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When expired tokens and keys go, by the clock of the day and by the time that has elapsed. */
class ExpiredTokensTest {
  private static final long HOUR_MS = TimeUnit.HOURS.toMillis(1);
  private static final long DAY_MS = TimeUnit.DAYS.toMillis(1);

  /** HDFS's defaults. */
  private static final TokenSettings SETTINGS =
      new TokenSettings(true, true, DAY_MS, 7 * DAY_MS, DAY_MS, 600_000);

  private final AtomicLong elapsedMs = new AtomicLong(77);
  private final AtomicLong wrongMs = new AtomicLong();
  private final InstantSource right =
      () -> Instant.ofEpochMilli(1_700_000_000_000L + elapsedMs.get());
  private final InstantSource wrong = () -> right.instant().plusMillis(wrongMs.get());
  private final MemoryStore store = new MemoryStore();
  private final ResourceStack resources = new ResourceStack();
  private final TransactionRunner runner = Transactions.newRunner(store, resources);
  private DelegationTokens tokens;
  private ExpiredTokens cleaner;
  private Token<DelegationTokenIdentifier> token;

  @BeforeEach
  void issueOne() throws Exception {
    token = issue(started(right));
    assertThat(isValid()).isTrue();
  }

  @AfterEach
  void close() throws IOException {
    cleaner.close();
    resources.close();
  }

  /** By a NameNode that has just started. */
  private DelegationTokens started(InstantSource time) {
    return new DelegationTokens(runner, SETTINGS, time.withZone(ZoneOffset.UTC), Runnable::run);
  }

  private void start(InstantSource time) {
    tokens = started(time);
    cleaner = new ExpiredTokens(tokens, () -> true, () -> false, elapsedMs::get);
    cleaner.runOnce();
  }

  private static Token<DelegationTokenIdentifier> issue(DelegationTokens by) {
    UserGroupInformation alice = UserGroupInformation.createRemoteUser("alice");
    alice.setAuthenticationMethod(AuthenticationMethod.KERBEROS);
    return by.issue(alice, new Text("yarn")).join();
  }

  /** For a NameNode whose clock is right. */
  private boolean isValid() throws IOException {
    try {
      return started(right)
          .password(TokenIdentifiers.read(token.getIdentifier()), Runnable::run)
          .thenApply(password -> password.length > 0)
          .join();
    } catch (CompletionException e) {
      assertThat(e).hasCauseInstanceOf(InvalidToken.class);
      return false;
    }
  }

  private boolean isThere(Key key) {
    return store.get(key) != null;
  }

  @Test
  void aStartWithAClockThatIsFarAheadTakesNoTokenFromTheOthers() throws Exception {
    wrongMs.set(30 * DAY_MS);
    start(wrong);
    assertThat(TokenIdentifiers.read(issue(tokens).getIdentifier()).getMasterKeyId())
        .as("it makes a key of its own")
        .isEqualTo(2);
    elapsedMs.addAndGet(HOUR_MS - 1);
    cleaner.runOnce();
    wrongMs.set(0);
    elapsedMs.addAndGet(1);
    cleaner.runOnce(); // an hour since the start, and the clock has just been set
    assertThat(isValid()).isTrue();
  }

  @Test
  void aClockThatJumpsAheadTakesNoTokenEither() throws Exception {
    start(wrong);
    elapsedMs.addAndGet(2 * HOUR_MS);
    wrongMs.set(30 * DAY_MS);
    cleaner.runOnce();
    elapsedMs.addAndGet(HOUR_MS - 1);
    cleaner.runOnce();
    assertThat(isValid()).isTrue();
  }

  @Test
  void whatHasExpiredGoesOnceTheClockHasRunForAnHour() throws Exception {
    elapsedMs.addAndGet(10 * DAY_MS);
    start(right);
    Key row = TokenKeys.token(1, 1);
    assertThat(isThere(row)).isTrue();
    assertThat(isThere(TokenKeys.masterKey(1))).isTrue();
    assertThat(isValid()).isFalse();
    elapsedMs.addAndGet(HOUR_MS);
    cleaner.runOnce();
    assertThat(isThere(row)).isFalse();
    elapsedMs.addAndGet(8 * DAY_MS); // the key was retired at the start
    cleaner.runOnce();
    assertThat(isThere(TokenKeys.masterKey(1))).isFalse();
    assertThatThrownBy(
            () ->
                tokens.password(TokenIdentifiers.read(token.getIdentifier()), Runnable::run).join())
        .hasCauseInstanceOf(InvalidToken.class);
  }
}
