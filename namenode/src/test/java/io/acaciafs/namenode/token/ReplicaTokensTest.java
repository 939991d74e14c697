package io.acaciafs.namenode.token;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.kv.memory.MemoryStore;
import io.acaciafs.kv.run.TransactionRunner;
import io.acaciafs.namenode.process.ResourceStack;
import io.acaciafs.namenode.process.Transactions;
import io.acaciafs.namespace.token.TokenIdentifiers;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.security.token.delegation.DelegationTokenIdentifier;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.UserGroupInformation.AuthenticationMethod;
import org.apache.hadoop.security.authentication.util.KerberosName;
import org.apache.hadoop.security.token.SecretManager.InvalidToken;
import org.apache.hadoop.security.token.Token;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A replica that is behind its leader. */
@Timeout(60)
class ReplicaTokensTest {
  private static final long HOUR_MS = 3_600_000;
  private static final TokenSettings SETTINGS =
      new TokenSettings(true, true, 24 * HOUR_MS, 72 * HOUR_MS, 10 * HOUR_MS, 600_000);
  private static final long LIMIT_S = 20;

  private final ResourceStack resources = new ResourceStack();
  private final TransactionRunner runner = Transactions.newRunner(new MemoryStore(), resources);
  private final DelegationTokens tokens =
      new DelegationTokens(runner, SETTINGS, Clock.systemUTC(), Runnable::run);

  /** Questions to the leader, in their order. */
  private final BlockingQueue<CompletableFuture<Long>> questions = new LinkedBlockingQueue<>();

  /** What is waited for here, in its order. */
  private final BlockingQueue<Wait> waits = new LinkedBlockingQueue<>();

  private final ReplicaTokens replica =
      new ReplicaTokens(
          tokens,
          () -> {
            CompletableFuture<Long> question = new CompletableFuture<>();
            questions.add(question);
            return question;
          },
          state -> {
            Wait wait = new Wait(state, new CompletableFuture<>());
            waits.add(wait);
            return wait.applied();
          });

  private String rules;

  private record Wait(long state, CompletableFuture<Void> applied) {}

  @BeforeEach
  void setRules() {
    rules = KerberosName.getRules();
    KerberosName.setRules("RULE:[1:$1] RULE:[2:$1]");
  }

  @AfterEach
  void close() throws IOException {
    KerberosName.setRules(rules);
    resources.close();
  }

  private static UserGroupInformation alice() {
    UserGroupInformation user = UserGroupInformation.createRemoteUser("alice");
    user.setAuthenticationMethod(AuthenticationMethod.KERBEROS);
    return user;
  }

  private Token<DelegationTokenIdentifier> issue() {
    return tokens.issue(alice(), new Text("yarn")).join();
  }

  private CompletableFuture<byte[]> show(DelegationTokenIdentifier id) {
    return replica.password(id, Runnable::run);
  }

  private CompletableFuture<Long> question() throws InterruptedException {
    CompletableFuture<Long> question = questions.poll(LIMIT_S, TimeUnit.SECONDS);
    assertThat(question).isNotNull();
    return question;
  }

  private Wait await() throws InterruptedException {
    Wait wait = waits.poll(LIMIT_S, TimeUnit.SECONDS);
    assertThat(wait).isNotNull();
    return wait;
  }

  private static byte[] of(CompletableFuture<byte[]> shown) throws Exception {
    return shown.get(LIMIT_S, TimeUnit.SECONDS);
  }

  /** The leader has issued it a moment ago. */
  @Test
  void aTokenThatIsNotKnownYetIsWaitedFor() throws Exception {
    DelegationTokenIdentifier id =
        new DelegationTokenIdentifier(new Text("alice"), new Text("yarn"), new Text());
    CompletableFuture<byte[]> early = show(id);
    question().complete(5L);
    Wait wait = await();
    assertThat(wait.state()).isEqualTo(5);
    Token<DelegationTokenIdentifier> token = issue(); // as the batch that is applied now
    CompletableFuture<byte[]> shown = show(TokenIdentifiers.read(token.getIdentifier()));
    question().complete(6L);
    assertThat(shown).isNotDone();
    await().applied().complete(null);
    assertThat(of(shown)).isEqualTo(token.getPassword());
    wait.applied().complete(null);
    assertThatThrownBy(() -> of(early))
        .cause()
        .isInstanceOf(InvalidToken.class)
        .hasMessageContaining("can't be found in cache");
  }

  /** The leader has cancelled it a moment ago. */
  @Test
  void aTokenThatIsStillThereIsReadNoSoonerThanItsCancellation() throws Exception {
    Token<DelegationTokenIdentifier> token = issue();
    CompletableFuture<byte[]> shown = show(TokenIdentifiers.read(token.getIdentifier()));
    question().complete(7L);
    Wait wait = await();
    assertThat(shown).isNotDone();
    tokens.cancel(alice(), token, new byte[16], 1).join(); // as the batch that is applied now
    wait.applied().complete(null);
    assertThatThrownBy(() -> of(shown)).cause().isInstanceOf(InvalidToken.class);
  }

  /** The answer may be older than the client's word. */
  @Test
  void whoComesWhileTheLeaderIsAskedSharesTheNextQuestion() throws Exception {
    Token<DelegationTokenIdentifier> token = issue();
    DelegationTokenIdentifier id = TokenIdentifiers.read(token.getIdentifier());
    CompletableFuture<byte[]> first = show(id);
    CompletableFuture<Long> asked = question();
    List<CompletableFuture<byte[]>> others = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      others.add(show(id));
    }
    assertThat(replica.waiting()).isEqualTo(others.size());
    assertThat(questions).isEmpty();
    asked.complete(1L);
    Wait wait = await();
    assertThat(wait.state()).isEqualTo(1);
    wait.applied().complete(null);
    assertThat(of(first)).isEqualTo(token.getPassword());
    question().complete(2L);
    for (CompletableFuture<byte[]> other : others) {
      Wait next = await();
      assertThat(next.state()).isEqualTo(2);
      next.applied().complete(null);
    }
    for (CompletableFuture<byte[]> other : others) {
      assertThat(of(other)).isEqualTo(token.getPassword());
    }
    assertThat(questions).isEmpty();
  }

  @Test
  void whereNoLeaderAnswersTheClientIsSentOn() throws Exception {
    Token<DelegationTokenIdentifier> token = issue();
    DelegationTokenIdentifier id = TokenIdentifiers.read(token.getIdentifier());
    CompletableFuture<byte[]> refused = show(id);
    question().completeExceptionally(new IOException("it is away"));
    assertThatThrownBy(() -> of(refused)).cause().isInstanceOf(StandbyException.class);
    CompletableFuture<byte[]> unanswered = show(id);
    question();
    assertThatThrownBy(() -> of(unanswered)).cause().isInstanceOf(StandbyException.class);
    CompletableFuture<byte[]> behind = show(id);
    question().complete(9L);
    Wait wait = await();
    assertThatThrownBy(() -> of(behind)).cause().isInstanceOf(StandbyException.class);
    assertThat(wait.applied()).isDone(); // nobody waits any more
    CompletableFuture<byte[]> shown = show(id);
    question().complete(9L);
    await().applied().complete(null);
    assertThat(of(shown)).isEqualTo(token.getPassword());
  }

  @Test
  void aReplicaThatCannotBeReadMakesNoTokenInvalid() throws Exception {
    DelegationTokenIdentifier id = TokenIdentifiers.read(issue().getIdentifier());
    resources.close();
    runner.store().close();
    CompletableFuture<byte[]> shown = show(id);
    question().complete(1L);
    await().applied().complete(null);
    assertThatThrownBy(() -> of(shown)).cause().isInstanceOf(StandbyException.class);
  }
}
