package io.acaciafs.namenode.token;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.kv.Scan;
import io.acaciafs.kv.memory.MemoryStore;
import io.acaciafs.kv.run.TransactionRunner;
import io.acaciafs.namenode.process.ResourceStack;
import io.acaciafs.namenode.process.Transactions;
import io.acaciafs.namespace.token.TokenIdentifiers;
import io.acaciafs.namespace.token.TokenKeys;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hdfs.security.token.delegation.DelegationTokenIdentifier;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.UserGroupInformation.AuthenticationMethod;
import org.apache.hadoop.security.authentication.util.KerberosName;
import org.apache.hadoop.security.token.Token;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Users who open files by WebHDFS, one after the other. */
class RedirectTokensTest {
  private static final long MINUTE_MS = 60_000;
  private static final long HOUR_MS = 60 * MINUTE_MS;
  private static final long DAY_MS = 24 * HOUR_MS;

  /** HDFS's defaults. */
  private static final TokenSettings SETTINGS =
      new TokenSettings(true, true, DAY_MS, 7 * DAY_MS, DAY_MS, 600_000);

  private final AtomicLong nowMs = new AtomicLong(1_700_000_000_000L);
  private final InstantSource time = () -> Instant.ofEpochMilli(nowMs.get());
  private final Clock clock = time.withZone(ZoneOffset.UTC);
  private final MemoryStore store = new MemoryStore();
  private final ResourceStack resources = new ResourceStack();
  private final TransactionRunner runner = Transactions.newRunner(store, resources);
  private final DelegationTokens tokens =
      new DelegationTokens(runner, SETTINGS, clock, Runnable::run);
  private final TokenVerifier verifier = new TokenVerifier();
  private final RedirectTokens redirects = new RedirectTokens(SETTINGS, time, verifier);
  private String rules;

  @BeforeEach
  void setRules() {
    rules = KerberosName.getRules();
    KerberosName.setRules("RULE:[1:$1] RULE:[2:$1]");
    verifier.serve(tokens);
  }

  @AfterEach
  void close() throws IOException {
    KerberosName.setRules(rules);
    resources.close();
  }

  private static UserGroupInformation user(String name) {
    UserGroupInformation user = UserGroupInformation.createRemoteUser(name);
    user.setAuthenticationMethod(AuthenticationMethod.KERBEROS);
    return user;
  }

  private Token<DelegationTokenIdentifier> redirect(UserGroupInformation user, String scheme)
      throws IOException {
    return redirects.of(
        user, scheme, () -> tokens.issue(user, new Text(user.getShortUserName())).join());
  }

  private Token<DelegationTokenIdentifier> redirect(String name) throws IOException {
    return redirect(user(name), "https");
  }

  private int rows() {
    int count = 0;
    try (Scan scan = store.scan(TokenKeys.tokens())) {
      while (scan.hasNext()) {
        scan.next();
        count++;
      }
    }
    return count;
  }

  @Test
  void howeverManyFilesAreOpenedFewTokensAreThereAndThenNone() throws Exception {
    int most = 0;
    for (int minute = 0; minute < 3 * 24 * 60; minute++) {
      for (String name : new String[] {"alice", "bob"}) {
        Token<DelegationTokenIdentifier> token = redirect(name);
        DelegationTokenIdentifier id = TokenIdentifiers.read(token.getIdentifier());
        assertThat(id.getUser().getUserName()).isEqualTo(name);
      }
      if (minute % 60 == 0) {
        ExpiredTokens.removeAll(tokens);
        most = Math.max(most, rows());
      }
      nowMs.addAndGet(MINUTE_MS);
    }
    assertThat(most).as("8,640 redirects").isBetween(20, 24);
    nowMs.addAndGet(DAY_MS);
    ExpiredTokens.removeAll(tokens);
    assertThat(rows()).isZero();
  }

  /** A client may write for most of a day, as with HDFS. */
  @Test
  void aTokenIsGoodForNineTenthsOfTheRenewIntervalAtLeast() throws Exception {
    for (int minute = 0; minute < 24 * 60; minute += 7) {
      Token<DelegationTokenIdentifier> token = redirect("alice");
      long redirectedMs = nowMs.get();
      nowMs.addAndGet(DAY_MS * 9 / 10);
      verifier.verify(TokenIdentifiers.read(token.getIdentifier()), token.getPassword());
      nowMs.set(redirectedMs + 7 * MINUTE_MS);
    }
  }

  @Test
  void noTokenIsOfAnotherUserOrOfAnotherWayToCome() throws Exception {
    Set<Integer> numbers = new TreeSet<>();
    UserGroupInformation oozie = user("oozie");
    UserGroupInformation[] users = {
      user("alice"),
      user("bob"),
      UserGroupInformation.createProxyUser("alice", oozie),
      UserGroupInformation.createProxyUser("alice", user("hive"))
    };
    for (int round = 0; round < 3; round++) {
      for (UserGroupInformation user : users) {
        for (String scheme : new String[] {"http", "https"}) {
          DelegationTokenIdentifier id =
              TokenIdentifiers.read(redirect(user, scheme).getIdentifier());
          UserGroupInformation of = id.getUser();
          assertThat(of.getUserName()).isEqualTo(user.getUserName());
          UserGroupInformation real = user.getRealUser();
          assertThat(of.getRealUser() == null ? null : of.getRealUser().getUserName())
              .isEqualTo(real == null ? null : real.getUserName());
          numbers.add(id.getSequenceNumber());
        }
      }
    }
    assertThat(numbers).hasSize(users.length * 2);
  }

  @Test
  void aTokenThatItsOwnerCancelledIsNotGivenAgain() throws Exception {
    Token<DelegationTokenIdentifier> first = redirect("alice");
    assertThat(redirect("alice")).isEqualTo(first);
    tokens.cancel(user("alice"), first, new byte[16], 1).join();
    Token<DelegationTokenIdentifier> second = redirect("alice");
    verifier.verify(TokenIdentifiers.read(second.getIdentifier()), second.getPassword());
    assertThat(redirect("alice")).isEqualTo(second).isNotEqualTo(first);
  }

  @Test
  void aClockThatWasSetBackKeepsNoTokenForLonger() throws Exception {
    Token<DelegationTokenIdentifier> first = redirect("alice");
    nowMs.addAndGet(-5 * HOUR_MS);
    assertThat(redirect("alice")).isNotEqualTo(first);
  }

  @Test
  void whatCannotBeHadIsNotKept() throws Exception {
    assertThat(redirects.of(user("alice"), "http", () -> null)).isNull();
    assertThatThrownBy(
            () ->
                redirects.of(
                    user("alice"),
                    "http",
                    () -> {
                      throw new RetriableException("later");
                    }))
        .hasMessage("later");
    Token<DelegationTokenIdentifier> token = redirect(user("alice"), "http");
    assertThat(token).isNotNull();
    store.close();
    assertThatThrownBy(() -> redirect(user("alice"), "http"))
        .isInstanceOf(RetriableException.class);
  }
}
