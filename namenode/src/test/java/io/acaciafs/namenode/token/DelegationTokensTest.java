package io.acaciafs.namenode.token;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Scan;
import io.acaciafs.kv.memory.Fault;
import io.acaciafs.kv.memory.Faults;
import io.acaciafs.kv.memory.MemoryStore;
import io.acaciafs.kv.run.TransactionRunner;
import io.acaciafs.namenode.process.ResourceStack;
import io.acaciafs.namenode.process.Transactions;
import io.acaciafs.namespace.record.NamespaceKeys;
import io.acaciafs.namespace.token.MasterKeyRow;
import io.acaciafs.namespace.token.TokenIdentifiers;
import io.acaciafs.namespace.token.TokenKeys;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.security.token.delegation.DelegationTokenIdentifier;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.UserGroupInformation.AuthenticationMethod;
import org.apache.hadoop.security.authentication.util.KerberosName;
import org.apache.hadoop.security.token.SecretManager;
import org.apache.hadoop.security.token.SecretManager.InvalidToken;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.util.Time;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DelegationTokensTest {
  private static final long HOUR_MS = 3_600_000;
  private static final TokenSettings SETTINGS =
      new TokenSettings(true, true, 24 * HOUR_MS, 72 * HOUR_MS, 10 * HOUR_MS, 600_000);
  private static final byte[] CLIENT = new byte[16];
  private static final byte[] OTHER_CLIENT = "sixteen bytes...".getBytes();

  private final AtomicLong nowMs = new AtomicLong(1_700_000_000_000L);
  private final InstantSource time = () -> Instant.ofEpochMilli(nowMs.get());
  private final Clock clock = time.withZone(ZoneOffset.UTC);
  private final Faults faults = Faults.onDemand();
  private final MemoryStore store = new MemoryStore(faults);
  private final ResourceStack resources = new ResourceStack();
  private final TransactionRunner runner = Transactions.newRunner(store, resources);
  private final DelegationTokens tokens =
      new DelegationTokens(runner, SETTINGS, clock, Runnable::run);

  /** Another NameNode on the same store. */
  private final DelegationTokens others =
      new DelegationTokens(runner, SETTINGS, clock, Runnable::run);

  private String rules;

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

  private static UserGroupInformation user(String name) {
    UserGroupInformation user = UserGroupInformation.createRemoteUser(name);
    user.setAuthenticationMethod(AuthenticationMethod.KERBEROS);
    return user;
  }

  private static final String REALM = "@EXAMPLE.COM";

  private static <T> T of(CompletableFuture<T> future) throws Exception {
    try {
      return future.join();
    } catch (CompletionException e) {
      throw (Exception) e.getCause();
    }
  }

  private static void refused(Callable<?> call, Class<? extends Exception> type, String text) {
    assertThat(catchThrowable(call::call)).isExactlyInstanceOf(type).hasMessage(text);
  }

  private Token<DelegationTokenIdentifier> issue() throws Exception {
    return of(tokens.issue(user("alice" + REALM), new Text("yarn/rm" + REALM)));
  }

  private static DelegationTokenIdentifier idOf(Token<DelegationTokenIdentifier> token)
      throws IOException {
    return TokenIdentifiers.read(token.getIdentifier());
  }

  private static String text(Token<DelegationTokenIdentifier> token) throws IOException {
    return "(" + idOf(token) + ")";
  }

  private int rows(KeyRange range) {
    int count = 0;
    try (Scan scan = store.scan(range)) {
      while (scan.hasNext()) {
        scan.next();
        count++;
      }
    }
    return count;
  }

  // ---- Issue ----

  @Test
  void aTokenSaysWhoItIsForAndForHowLong() throws Exception {
    Token<DelegationTokenIdentifier> token = issue();
    DelegationTokenIdentifier id = idOf(token);
    assertThat(token.getKind()).hasToString("HDFS_DELEGATION_TOKEN");
    assertThat(token.getService()).isEqualTo(new Text());
    assertThat(id.getOwner()).hasToString("alice" + REALM);
    assertThat(id.getRenewer()).hasToString("yarn");
    assertThat(id.getRealUser()).isEqualTo(new Text());
    assertThat(id.getIssueDate()).isEqualTo(nowMs.get());
    assertThat(id.getMaxDate()).isEqualTo(nowMs.get() + 72 * HOUR_MS);
    assertThat(id.getSequenceNumber()).isEqualTo(1);
    assertThat(id.getMasterKeyId()).isEqualTo(1);
    assertThat(id.getUser().getUserName()).isEqualTo("alice" + REALM);
    assertThat(id.toStringStable())
        .isEqualTo("HDFS_DELEGATION_TOKEN token 1 for alice with renewer yarn");
    assertThat(of(others.password(id, Runnable::run))).isEqualTo(token.getPassword()).hasSize(20);
    assertThat(tokens.count()).isEqualTo(1);
  }

  /** As in HDFS, whose identifiers of tokens have no longer names. */
  @Test
  void aTokenWithANameOfMoreThanAMebibyteIsNotMade() throws Exception {
    Text renewer = new Text("r".repeat((1 << 20) + 1));
    assertThatThrownBy(() -> of(tokens.issue(user("alice" + REALM), renewer)))
        .hasMessage("i/o error in getBytes");
    assertThat(tokens.count()).isZero();
  }

  /** By another algorithm and longer keys, in a thread that has made no password yet. */
  @Test
  void keysAndPasswordsAreAsTheSiteWants() throws Exception {
    Configuration site = new Configuration();
    site.set("hadoop.security.secret-manager.key-generator.algorithm", "HmacSHA256");
    site.setInt("hadoop.security.secret-manager.key-length", 256);
    SecretManager.update(site);
    try {
      FutureTask<Void> issuing = new FutureTask<>(this::issueByHmacSha256);
      new Thread(issuing, "issuing").start();
      issuing.get(60, TimeUnit.SECONDS);
    } finally {
      SecretManager.update(new Configuration());
    }
  }

  private Void issueByHmacSha256() throws Exception {
    Token<DelegationTokenIdentifier> token = issue();
    byte[] key = MasterKeyRow.decode(1, store.get(TokenKeys.masterKey(1))).getKey().getEncoded();
    assertThat(key).hasSize(256 / Byte.SIZE);
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(key, "HmacSHA256"));
    assertThat(token.getPassword()).isEqualTo(mac.doFinal(token.getIdentifier()));
    assertThat(of(others.password(idOf(token), Runnable::run))).isEqualTo(token.getPassword());
    return null;
  }

  @Test
  void aTokenOfAProxyUserNamesBoth() throws Exception {
    UserGroupInformation proxy =
        UserGroupInformation.createProxyUser("alice", user("oozie/host" + REALM));
    DelegationTokenIdentifier id = idOf(of(tokens.issue(proxy, new Text())));
    assertThat(id.getOwner()).hasToString("alice");
    assertThat(id.getRealUser()).hasToString("oozie/host" + REALM);
    assertThat(id.getUser().getUserName()).isEqualTo("alice");
    assertThat(id.getUser().getRealUser().getUserName()).isEqualTo("oozie/host" + REALM);
  }

  @ParameterizedTest
  @EnumSource(
      value = AuthenticationMethod.class,
      names = {"KERBEROS", "KERBEROS_SSL", "CERTIFICATE"},
      mode = EnumSource.Mode.EXCLUDE)
  void whoHasShownNoTicketGetsNoTokenAndRenewsNone(AuthenticationMethod method) throws Exception {
    Token<DelegationTokenIdentifier> token = issue();
    UserGroupInformation real = UserGroupInformation.createRemoteUser("yarn");
    real.setAuthenticationMethod(
        method == AuthenticationMethod.PROXY ? AuthenticationMethod.TOKEN : method);
    UserGroupInformation asking =
        method == AuthenticationMethod.PROXY
            ? UserGroupInformation.createProxyUser("alice", real)
            : real;
    refused(
        () -> of(tokens.issue(asking, new Text("yarn"))),
        IOException.class,
        "Delegation Token can be issued only with kerberos or web authentication");
    refused(
        () -> of(tokens.renew(asking, token)),
        IOException.class,
        "Delegation Token can be renewed only with kerberos or web authentication");
  }

  @Test
  void withoutSecurityThereAreTokensOnlyWhereTheSiteAsksForThem() throws Exception {
    UserGroupInformation simple = UserGroupInformation.createRemoteUser("alice");
    TokenSettings unused = new TokenSettings(false, false, 1, 1, 1, 1);
    DelegationTokens none = new DelegationTokens(runner, unused, clock, Runnable::run);
    assertThat(of(none.issue(simple, new Text("yarn")))).isNull();
    assertThat(rows(KeyRange.ofTable(NamespaceKeys.DICTIONARY))).isZero();
    TokenSettings always = new TokenSettings(false, true, HOUR_MS, HOUR_MS, HOUR_MS, 1);
    DelegationTokens some = new DelegationTokens(runner, always, clock, Runnable::run);
    Token<DelegationTokenIdentifier> token = of(some.issue(simple, new Text("alice")));
    assertThat(of(some.renew(simple, token))).isEqualTo(nowMs.get() + HOUR_MS);
    String unknown = text(token);
    of(some.cancel(simple, token, CLIENT, 1));
    refused(
        () -> of(none.renew(simple, token)),
        InvalidToken.class,
        "Renewal request for unknown token " + unknown);
  }

  @Test
  void twoNameNodesGiveNoNumberTwice() throws Exception {
    Set<Integer> numbers = new HashSet<>();
    List<CompletableFuture<Token<DelegationTokenIdentifier>>> under = new ArrayList<>();
    for (int i = 0; i < 250; i++) {
      under.add(tokens.issue(user("alice"), new Text()));
      under.add(others.issue(user("bob"), new Text()));
    }
    for (CompletableFuture<Token<DelegationTokenIdentifier>> each : under) {
      assertThat(numbers.add(idOf(of(each)).getSequenceNumber())).isTrue();
    }
    assertThat(rows(TokenKeys.tokens())).isEqualTo(500);
    assertThat(rows(TokenKeys.masterKeys())).isEqualTo(1);
    assertThat(tokens.count()).isEqualTo(500);
  }

  // ---- Keys ----

  @Test
  void theFirstNameNodeThatIsDueRollsTheKeyAndTheOtherAdoptsIt() throws Exception {
    Token<DelegationTokenIdentifier> first = issue();
    nowMs.addAndGet(24 * HOUR_MS);
    assertThat(idOf(issue()).getMasterKeyId()).isEqualTo(1);
    nowMs.addAndGet(1);
    CompletableFuture<Void> one = tokens.rollKeyIfDue();
    CompletableFuture<Void> other = others.rollKeyIfDue();
    of(one);
    of(other);
    DelegationTokenIdentifier id = idOf(of(others.issue(user("alice" + REALM), new Text("yarn"))));
    assertThat(id.getMasterKeyId()).isEqualTo(2);
    assertThat(idOf(issue()).getMasterKeyId()).isEqualTo(2);
    assertThat(rows(TokenKeys.masterKeys())).isEqualTo(2);
    // a token with the old key is valid as long as it would have been
    assertThat(of(others.renew(user("yarn"), first))).isEqualTo(nowMs.get() + 10 * HOUR_MS);
    assertThat(of(others.password(idOf(first), Runnable::run))).isEqualTo(first.getPassword());
    assertThat(expiryOf(1)).isEqualTo(nowMs.get() + 72 * HOUR_MS);
    assertThat(expiryOf(2)).isEqualTo(nowMs.get() + (24 + 72) * HOUR_MS);
  }

  private long expiryOf(int keyId) {
    byte[] row = store.get(TokenKeys.masterKey(keyId));
    return MasterKeyRow.decode(keyId, row).getExpiryDate();
  }

  @Test
  void aKeyGoesWhenNothingCanRestOnItAnyMore() throws Exception {
    Token<DelegationTokenIdentifier> last = null;
    for (int day = 0; day < 6; day++) {
      last = day < 2 ? issue() : last;
      nowMs.addAndGet(24 * HOUR_MS + 1);
      of(tokens.rollKeyIfDue());
      of(tokens.removeExpiredKeys());
      if (day >= 1 && idOf(last).getMaxDate() > nowMs.get()) {
        assertThat(of(others.password(renewed(last), Runnable::run))).isEqualTo(last.getPassword());
      }
    }
    assertThat(rows(TokenKeys.masterKeys())).isEqualTo(4);
    assertThat(store.get(TokenKeys.masterKey(2))).isNull();
    DelegationTokens restarted = new DelegationTokens(runner, SETTINGS, clock, Runnable::run);
    Token<DelegationTokenIdentifier> gone = last;
    refused(
        () -> of(restarted.password(idOf(gone), Runnable::run)),
        InvalidToken.class,
        "Token for real user: , can't be found in cache");
  }

  private DelegationTokenIdentifier renewed(Token<DelegationTokenIdentifier> token)
      throws Exception {
    of(tokens.renew(user("yarn"), token));
    return idOf(token);
  }

  @Test
  void tokensOutliveTheirNameNode() throws Exception {
    Token<DelegationTokenIdentifier> token = issue();
    MemoryStore later = store.crash();
    TransactionRunner next = Transactions.newRunner(later, resources);
    DelegationTokens restarted = new DelegationTokens(next, SETTINGS, clock, Runnable::run);
    assertThat(of(restarted.password(idOf(token), Runnable::run))).isEqualTo(token.getPassword());
    DelegationTokenIdentifier id = idOf(of(restarted.issue(user("bob"), new Text())));
    assertThat(id.getSequenceNumber()).isGreaterThan(1);
    assertThat(id.getMasterKeyId()).isEqualTo(1);
  }

  // ---- Renewal ----

  @Test
  void itsRenewerRenewsATokenUpToItsLifetime() throws Exception {
    Token<DelegationTokenIdentifier> token = issue();
    UserGroupInformation yarn = user("yarn/other" + REALM);
    long issuedMs = nowMs.get();
    for (int i = 0; i < 7; i++) {
      nowMs.addAndGet(9 * HOUR_MS);
      assertThat(of(tokens.renew(yarn, token)))
          .isEqualTo(Math.min(nowMs.get() + 10 * HOUR_MS, issuedMs + 72 * HOUR_MS));
      assertThat(of(others.password(idOf(token), Runnable::run))).isEqualTo(token.getPassword());
    }
    nowMs.set(issuedMs + 72 * HOUR_MS);
    assertThat(of(tokens.renew(yarn, token))).isEqualTo(nowMs.get());
    nowMs.incrementAndGet();
    refused(
        () -> of(tokens.renew(yarn, token)),
        InvalidToken.class,
        "yarn tried to renew an expired token "
            + text(token)
            + " max expiration date: "
            + Time.formatTime(issuedMs + 72 * HOUR_MS)
            + " currentTime: "
            + Time.formatTime(nowMs.get()));
  }

  @Test
  void nobodyElseRenewsAToken() throws Exception {
    Token<DelegationTokenIdentifier> token = issue();
    Token<DelegationTokenIdentifier> own = of(tokens.issue(user("alice"), new Text()));
    refused(
        () -> of(tokens.renew(user("alice" + REALM), token)),
        AccessControlException.class,
        "alice tries to renew a token " + text(token) + " with non-matching renewer yarn");
    refused(
        () -> of(tokens.renew(user("alice"), own)),
        AccessControlException.class,
        "alice tried to renew a token " + text(own) + " without a renewer");
  }

  @Test
  void aForgedTokenIsNotRenewed() throws Exception {
    Token<DelegationTokenIdentifier> token = issue();
    byte[] password = token.getPassword().clone();
    password[3] ^= 1;
    Token<DelegationTokenIdentifier> forged =
        new Token<>(token.getIdentifier(), password, token.getKind(), token.getService());
    refused(
        () -> of(tokens.renew(user("yarn"), forged)),
        AccessControlException.class,
        "yarn is trying to renew a token " + text(token) + " with wrong password");
    DelegationTokenIdentifier other = idOf(token);
    other.setMasterKeyId(77);
    Token<DelegationTokenIdentifier> ofNoKey =
        new Token<>(other.getBytes(), password, token.getKind(), token.getService());
    refused(
        () -> of(tokens.renew(user("yarn"), ofNoKey)),
        InvalidToken.class,
        "Unable to find master key for keyId=77 from cache. Failed to renew an unexpired token "
            + text(ofNoKey)
            + " with sequenceNumber=1");
    Token<DelegationTokenIdentifier> noToken =
        new Token<>(new byte[] {9, 9}, password, token.getKind(), token.getService());
    refused(
        () -> of(tokens.renew(user("yarn"), noToken)),
        IOException.class,
        "Unknown version of delegation token 9");
  }

  // ---- Cancellation ----

  @Test
  void itsOwnerOrItsRenewerCancelsATokenForAllNameNodes() throws Exception {
    for (String canceller : List.of("alice" + REALM, "yarn", "yarn/any" + REALM)) {
      Token<DelegationTokenIdentifier> token = issue();
      assertThat(of(others.password(idOf(token), Runnable::run))).isEqualTo(token.getPassword());
      assertThat(others.password(idOf(token), Runnable::run)).isCompleted();
      of(tokens.cancel(user(canceller), token, CLIENT, 5));
      refused(
          () -> of(others.password(idOf(token), Runnable::run)),
          InvalidToken.class,
          "Token for real user: , can't be found in cache");
      refused(
          () -> of(tokens.renew(user("yarn"), token)),
          InvalidToken.class,
          "Renewal request for unknown token " + text(token));
    }
    assertThat(tokens.count()).isZero();
  }

  @Test
  void nobodyElseCancelsAToken() throws Exception {
    Token<DelegationTokenIdentifier> token = issue();
    for (String other : List.of("alice", "bob" + REALM, "hdfs")) {
      refused(
          () -> of(tokens.cancel(user(other), token, CLIENT, 5)),
          AccessControlException.class,
          other + " is not authorized to cancel the token " + text(token));
    }
    assertThat(of(tokens.password(idOf(token), Runnable::run))).isEqualTo(token.getPassword());
  }

  @Test
  void aTokenOfNobodyIsCancelledByNobody() {
    DelegationTokenIdentifier id = new DelegationTokenIdentifier();
    Token<DelegationTokenIdentifier> nobodys =
        new Token<>(id.getBytes(), new byte[20], id.getKind(), new Text());
    refused(
        () -> of(tokens.cancel(user("alice"), nobodys, CLIENT, 5)),
        InvalidToken.class,
        "Token with no owner ( SequenceNumber=0 )");
  }

  @Test
  void aCancellationWhoseReplyWasLostSucceedsAgainAndNoOtherOne() throws Exception {
    Token<DelegationTokenIdentifier> token = issue();
    UserGroupInformation alice = user("alice" + REALM);
    of(tokens.cancel(alice, token, CLIENT, 5));
    of(others.cancel(alice, token, CLIENT, 5));
    String notFound = "Token not found " + text(token);
    refused(() -> of(others.cancel(alice, token, CLIENT, 6)), InvalidToken.class, notFound);
    refused(() -> of(others.cancel(alice, token, OTHER_CLIENT, 5)), InvalidToken.class, notFound);
    assertThat(tokens.count()).isZero();
    nowMs.addAndGet(600_001);
    assertThat(ExpiredTokens.removeAll(others)).isEqualTo(1);
    refused(() -> of(others.cancel(alice, token, CLIENT, 5)), InvalidToken.class, notFound);
  }

  // ---- Use ----

  @Test
  void anExpiredTokenIsRefused() throws Exception {
    Token<DelegationTokenIdentifier> token = issue();
    long untilMs = nowMs.addAndGet(10 * HOUR_MS);
    assertThat(of(tokens.password(idOf(token), Runnable::run))).isEqualTo(token.getPassword());
    nowMs.incrementAndGet();
    refused(
        () -> of(tokens.password(idOf(token), Runnable::run)),
        InvalidToken.class,
        "Token  has expired, current time: "
            + Time.formatTime(nowMs.get())
            + " expected renewal time: "
            + Time.formatTime(untilMs));
  }

  @Test
  void aTokenWithOneFieldChangedIsNoToken() throws Exception {
    Token<DelegationTokenIdentifier> token = issue();
    byte[] bytes = token.getIdentifier();
    int refusals = 0;
    for (int i = 0; i < bytes.length; i++) {
      byte[] changed = bytes.clone();
      changed[i] ^= 1;
      DelegationTokenIdentifier id;
      try {
        id = TokenIdentifiers.read(changed);
      } catch (IOException e) {
        continue; // no identifier at all
      }
      refusals++;
      assertThatThrownBy(() -> of(tokens.password(id, Runnable::run)))
          .as("byte %d", i)
          .isExactlyInstanceOf(InvalidToken.class)
          .hasMessageEndingWith(", can't be found in cache");
    }
    assertThat(refusals).isGreaterThan(20);
  }

  @Test
  void numbersThatAreNotAtHandAreNotWaitedFor() throws Exception {
    faults.plan(Fault.DELAY);
    CompletableFuture<Token<DelegationTokenIdentifier>> token =
        assertTimeoutPreemptively(
            Duration.ofSeconds(10), () -> tokens.issue(user("alice" + REALM), new Text("yarn")));
    assertThat(token).isNotDone();
    store.makeDurable();
    assertThat(token.get(60, TimeUnit.SECONDS)).isNotNull();
  }

  @Test
  void numbersThatCannotBeHadFailInWordsThatClientsKnow() throws Exception {
    faults.plan(Fault.LOST_REPLY);
    refused(this::issue, IOException.class, "The metadata store failed: The reply was lost");
    assertThat(issue()).isNotNull();
  }

  @Test
  void ofAnOwnerWithoutARuleNothingIsCancelled() throws Exception {
    Token<DelegationTokenIdentifier> token =
        of(tokens.issue(user("wanda" + REALM), new Text("yarn")));
    UserGroupInformation renewer = user("yarn");
    KerberosName.setRules("RULE:[2:$1]");
    CompletableFuture<Void> cancelling = tokens.cancel(renewer, token, CLIENT, 1);
    assertThatThrownBy(() -> of(cancelling))
        .as("as in HDFS")
        .isExactlyInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("Illegal principal name wanda" + REALM);
  }

  @Test
  void theVerifierTellsAStandbyAndABrokenStoreFromAnInvalidToken() throws Exception {
    Token<DelegationTokenIdentifier> token = issue();
    TokenVerifier verifier = new TokenVerifier();
    DelegationTokenIdentifier id = verifier.identifier(token.getIdentifier());
    assertThatThrownBy(() -> of(verifier.password(id, Runnable::run)))
        .isExactlyInstanceOf(StandbyException.class);
    verifier.serve(tokens);
    verifier.verify(id, token.getPassword());
    assertThatThrownBy(() -> verifier.verify(id, new byte[20]))
        .isExactlyInstanceOf(InvalidToken.class)
        .hasMessage("token " + text(token) + " is invalid, password doesn't match");
    assertThatThrownBy(() -> verifier.identifier(new byte[] {1}))
        .isExactlyInstanceOf(InvalidToken.class);
    store.close();
    assertThatThrownBy(() -> of(verifier.password(id, Runnable::run)))
        .isExactlyInstanceOf(RetriableException.class);
    verifier.serve(null);
    assertThatThrownBy(() -> of(verifier.password(id, Runnable::run)))
        .isExactlyInstanceOf(StandbyException.class);
  }

  // ---- The sweep ----

  @Test
  void whatHasExpiredIsSweptPieceByPieceAndNothingElse() throws Exception {
    for (int i = 0; i < 2500; i++) {
      issue();
    }
    nowMs.addAndGet(6 * HOUR_MS);
    Token<DelegationTokenIdentifier> later = issue();
    Token<DelegationTokenIdentifier> cancelled = issue();
    nowMs.addAndGet(4 * HOUR_MS + 1);
    of(tokens.cancel(user("alice" + REALM), cancelled, CLIENT, 9));
    assertThat(ExpiredTokens.removeAll(tokens)).isEqualTo(2500);
    assertThat(rows(TokenKeys.tokens())).isEqualTo(2);
    assertThat(tokens.count()).isEqualTo(1);
    assertThat(of(tokens.password(idOf(later), Runnable::run))).isEqualTo(later.getPassword());
    nowMs.addAndGet(600_001);
    assertThat(ExpiredTokens.removeAll(tokens)).isEqualTo(1);
    assertThat(ExpiredTokens.removeAll(tokens)).isZero();
  }

  @Test
  void noSecretIsShownByARowsText() throws Exception {
    issue();
    Key key = TokenKeys.masterKey(1);
    assertThat(MasterKeyRow.decode(1, store.get(key)).toString())
        .doesNotContain("key=")
        .matches(".*DelegationKey@[0-9a-f]+");
  }
}
