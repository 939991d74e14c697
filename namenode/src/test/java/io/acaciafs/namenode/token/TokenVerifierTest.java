package io.acaciafs.namenode.token;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.memory.MemoryStore;
import io.acaciafs.kv.run.TransactionRunner;
import io.acaciafs.namenode.process.ResourceStack;
import io.acaciafs.namenode.process.Transactions;
import io.acaciafs.namespace.token.TokenIdentifiers;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.security.token.delegation.DelegationTokenIdentifier;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.UserGroupInformation.AuthenticationMethod;
import org.apache.hadoop.security.token.SecretManager.InvalidToken;
import org.apache.hadoop.security.token.Token;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Lookups in a store over a network. They all run on the test's thread, which never waits. */
@Timeout(60)
class TokenVerifierTest {
  private static final long HOUR_MS = 3_600_000;
  private static final TokenSettings SETTINGS =
      new TokenSettings(false, true, 24 * HOUR_MS, 72 * HOUR_MS, 10 * HOUR_MS, 600_000);
  private static final long PATIENCE_MS = 20_000;

  private final SilentStore store = new SilentStore(new MemoryStore());
  private final ResourceStack resources = new ResourceStack();
  private final TransactionRunner runner = Transactions.newRunner(store, resources);
  private final CompletableFuture<Void> answer = new CompletableFuture<>();

  /** What waits for a thread that may wait. */
  private final Queue<Runnable> slow = new ArrayDeque<>();

  private final DelegationTokens tokens =
      new DelegationTokens(runner, SETTINGS, Clock.systemUTC(), this::runLater);
  private Token<DelegationTokenIdentifier> token;
  private DelegationTokenIdentifier id;
  private DelegationTokenIdentifier unknown;

  private void runLater(Runnable task) {
    if (slow.size() == 2) {
      throw new RejectedExecutionException("too many");
    }
    slow.add(task);
  }

  @BeforeEach
  void issue() throws IOException {
    UserGroupInformation alice = UserGroupInformation.createRemoteUser("alice");
    alice.setAuthenticationMethod(AuthenticationMethod.KERBEROS);
    token = tokens.issue(alice, new Text("yarn")).join();
    id = TokenIdentifiers.read(token.getIdentifier());
    unknown = TokenIdentifiers.read(token.getIdentifier());
    unknown.setSequenceNumber(77);
  }

  @AfterEach
  void close() throws IOException {
    resources.close();
  }

  private TokenVerifier verifier(long patienceMs, int mostWaiting) {
    TokenVerifier verifier = new TokenVerifier(patienceMs, mostWaiting);
    verifier.serve(tokens);
    return verifier;
  }

  private static CompletableFuture<byte[]> show(
      TokenVerifier verifier, DelegationTokenIdentifier shown) {
    return verifier.password(shown, Runnable::run);
  }

  private static void assertFails(
      CompletableFuture<byte[]> lookup, Class<? extends IOException> type, String text) {
    assertThatThrownBy(() -> lookup.get(30, TimeUnit.SECONDS))
        .cause()
        .isExactlyInstanceOf(type)
        .hasMessageContaining(text);
  }

  private void assertKnown(CompletableFuture<byte[]> lookup) {
    assertThat(lookup).isCompleted();
    assertThat(lookup.join()).isEqualTo(token.getPassword());
  }

  @Test
  void aTokenIsKnownWhenItsRowHasCome() {
    TokenVerifier verifier = verifier(PATIENCE_MS, 2);
    store.beSilent(answer);
    CompletableFuture<byte[]> shown = show(verifier, id);
    CompletableFuture<byte[]> forged = show(verifier, unknown);
    assertThat(shown).isNotDone();
    assertThat(forged).isNotDone();
    answer.complete(null);
    assertKnown(shown);
    assertFails(forged, InvalidToken.class, "can't be found in cache");
    assertThat(slow).isEmpty();
  }

  @Test
  void aStoreThatIsSilentMakesNoTokenInvalid() {
    store.beSilent(answer);
    assertFails(
        show(verifier(1, 2), id),
        RetriableException.class,
        "The metadata store did not say whether the token is valid");
    CompletableFuture<byte[]> shown = show(verifier(PATIENCE_MS, 2), id);
    answer.completeExceptionally(new StoreException("It is away"));
    assertFails(shown, RetriableException.class, "The token could not be looked up");
  }

  @Test
  void lookupsThatWaitHaveALimit() {
    TokenVerifier verifier = verifier(PATIENCE_MS, 2);
    store.beSilent(answer);
    CompletableFuture<byte[]> first = show(verifier, id);
    CompletableFuture<byte[]> second = show(verifier, unknown);
    assertFails(
        show(verifier, id), RetriableException.class, "Too many tokens are being looked up");
    answer.complete(null);
    assertKnown(first);
    assertThat(second).isCompletedExceptionally();
    CompletableFuture<Void> once = new CompletableFuture<>();
    store.beSilent(once);
    CompletableFuture<byte[]> third = show(verifier, id);
    CompletableFuture<byte[]> fourth = show(verifier, id);
    once.complete(null);
    assertKnown(third);
    assertKnown(fourth);
  }

  @Test
  void aRowThatIsLockedIsReadWhereOneMayWait() {
    TokenVerifier verifier = verifier(PATIENCE_MS, 10);
    store.lockRows();
    CompletableFuture<byte[]> shown = show(verifier, id);
    CompletableFuture<byte[]> forged = show(verifier, unknown);
    assertThat(shown).isNotDone();
    assertFails(
        show(verifier, id), RetriableException.class, "The token could not be looked up: too many");
    slow.remove().run();
    assertKnown(shown);
    assertThat(forged).isNotDone();
    slow.remove().run();
    assertFails(forged, InvalidToken.class, "can't be found in cache");
  }
}
