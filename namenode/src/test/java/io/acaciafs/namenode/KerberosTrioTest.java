package io.acaciafs.namenode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.kv.testkit.TestAuthority;
import io.acaciafs.namenode.ha.ForwardProtocol;
import io.acaciafs.namenode.settings.KerberosLogin;
import io.acaciafs.namenode.settings.Settings;
import io.acaciafs.web.ProxyUserRules;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.HttpURLConnection;
import java.net.Socket;
import java.net.URI;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.Principal;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.ReconfigurationTaskStatus;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.NameNodeProxies;
import org.apache.hadoop.hdfs.protocol.ReconfigurationProtocol;
import org.apache.hadoop.hdfs.security.token.delegation.DelegationTokenIdentifier;
import org.apache.hadoop.hdfs.security.token.delegation.DelegationTokenSelector;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.ha.ObserverReadProxyProvider;
import org.apache.hadoop.hdfs.server.protocol.NamenodeProtocol;
import org.apache.hadoop.io.retry.FailoverProxyProvider;
import org.apache.hadoop.io.retry.RetryInvocationHandler;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.ProtocolInfo;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.ipc.proto.GenericRefreshProtocolProtos.GenericRefreshProtocolService;
import org.apache.hadoop.ipc.proto.GenericRefreshProtocolProtos.GenericRefreshRequestProto;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.KerberosInfo;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authentication.client.AuthenticatedURL;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.security.token.TokenIdentifier;
import org.apache.hadoop.security.token.TokenInfo;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Three NameNodes by Raft with Kerberos, and Hadoop's own client. */
@Timeout(300)
class KerberosTrioTest {
  private static final org.apache.hadoop.fs.Path SHARED = KerberosTrio.SHARED;
  private static final String PROTECTED = "fs.protected.directories";
  private static final org.apache.hadoop.fs.Path GUARDED =
      new org.apache.hadoop.fs.Path("/guarded");
  private static final int TOKENS = 10;
  private static final int KEY_UPDATE_MS = 1_000;
  private static final int KEYS = 6;
  private static final int CLIENTS = 4;
  private static final long LOAD_SECONDS = 120;
  private static final int TRIES = 3;

  /** What NameNodes say to each other. */
  @KerberosInfo(serverPrincipal = "dfs.namenode.kerberos.principal")
  @TokenInfo(DelegationTokenSelector.class)
  @ProtocolInfo(protocolName = ForwardProtocol.NAME, protocolVersion = 1)
  private interface Forwards extends GenericRefreshProtocolService.BlockingInterface {}

  private static final LoggedLines AUDIT = new LoggedLines(FSNamesystem.AUDIT_LOG.getName());

  @TempDir static Path folder;
  private static TestKdc kdc;
  private static KerberosTrio trio;
  private static UserGroupInformation superuser;
  private static Path secret;

  @BeforeAll
  static void start() throws Exception {
    kdc = new TestKdc(folder, "nn/localhost", "HTTP/localhost", "alice", "bob", "oozie/localhost");
    Map<String, String> policy = ForbiddenCalls.recommendedPolicy();
    secret = Files.writeString(folder.resolve("cookies.secret"), "of the three");
    trio =
        KerberosTrio.start(
            folder,
            kdc,
            all -> {
              configure(all);
              policy.forEach(all::set);
            });
    superuser = UserGroupInformation.getLoginUser();
  }

  private static void configure(Configuration all) {
    all.set(
        "hadoop.security.auth_to_local",
        "RULE:[2:$1@$0](nn@EXAMPLE.COM)s/.*/hdfs/\n"
            + "RULE:[2:$1@$0](oozie@EXAMPLE.COM)s/@.*//\n"
            + "RULE:[1:$1@$0](.*@EXAMPLE.COM)s/@.*//");
    all.set("hadoop.user.group.static.mapping.overrides", "alice=workers;bob=others;hdfs=");
    all.set(PROTECTED, GUARDED.toString());
    all.setLong("dfs.namenode.delegation.key.update-interval", KEY_UPDATE_MS);
    all.set("hadoop.http.authentication.signature.secret.file", secret.toString());
    all.set("hadoop.proxyuser.oozie.hosts", "127.0.0.1");
    all.set("hadoop.proxyuser.oozie.groups", "workers");
    all.set("dfs.web.authentication.kerberos.principal", "HTTP/_HOST" + TestKdc.REALM);
    all.set("dfs.web.authentication.kerberos.keytab", kdc.keytab("HTTP/localhost").toString());
  }

  @AfterAll
  static void stop() throws Exception {
    AUDIT.close();
    if (trio != null) {
      trio.close();
    }
    kdc.close();
  }

  private static org.apache.hadoop.fs.Path made(String name) {
    return new org.apache.hadoop.fs.Path(SHARED, name);
  }

  /** Whether it leads or stands by. */
  @Test
  void eachWantsATicketByHttpAndKeepsPagesForAdministrators() throws Exception {
    for (String id : trio.nameNodes.keySet()) {
      String web = web(id);
      for (String page : List.of("/jmx", "/webhdfs/v1/?op=LISTSTATUS&user.name=hdfs", "/conf")) {
        HttpURLConnection stranger =
            (HttpURLConnection) URI.create(web + page).toURL().openConnection();
        assertThat(stranger.getResponseCode()).as(web + page).isEqualTo(401);
      }
      assertThat(status(kdc.login("alice"), web + "/jmx")).isEqualTo(200);
      assertThat(status(kdc.login("alice"), web + "/conf")).isEqualTo(403);
      assertThat(status(superuser, web + "/conf")).isEqualTo(200);
    }
  }

  private static String web(String id) {
    return "http://localhost:" + trio.nameNodes.get(id).httpAddress().getPort();
  }

  private static int status(UserGroupInformation user, String page) throws Exception {
    return open(user, page).getResponseCode();
  }

  /** With the user's ticket. */
  private static HttpURLConnection open(UserGroupInformation user, String page) throws Exception {
    return user.doAs(
        (PrivilegedExceptionAction<HttpURLConnection>)
            () -> {
              AuthenticatedURL.Token token = new AuthenticatedURL.Token();
              URL base = URI.create(page).resolve("/index.html").toURL();
              AuthenticatedURL client = new AuthenticatedURL();
              client.openConnection(base, token);
              return client.openConnection(URI.create(page).toURL(), token);
            });
  }

  /** As they share the secret. */
  @Test
  void aCookieOfOneIsGoodAtAll() throws Exception {
    AuthenticatedURL.Token cookie = new AuthenticatedURL.Token();
    URL page = URI.create(web("nn1") + "/index.html").toURL();
    kdc.login("alice")
        .doAs(
            (PrivilegedExceptionAction<HttpURLConnection>)
                () -> new AuthenticatedURL().openConnection(page, cookie));
    for (String id : trio.nameNodes.keySet()) {
      HttpURLConnection shown =
          (HttpURLConnection) URI.create(web(id) + "/jmx").toURL().openConnection();
      shown.setRequestProperty("Cookie", AuthenticatedURL.AUTH_COOKIE + "=\"" + cookie + "\"");
      assertThat(shown.getResponseCode()).as(id).isEqualTo(200);
    }
  }

  @Test
  void aNewMemberCopiesTheIdentityFromNameNodesAlone() throws Exception {
    Configuration added = new Configuration(trio.sites.get("nn3"));
    added.set("dfs.namenode.name.dir.trio.nn3", folder.resolve("added").toString());
    added.set("dfs.namenode.kerberos.principal", "oozie/localhost" + TestKdc.REALM);
    added.set("dfs.namenode.keytab.file", kdc.keytab("oozie/localhost").toString());
    try {
      assertThatThrownBy(() -> NameNode.bootstrap(added))
          .hasMessageContaining("None of the other NameNodes answers")
          .hasStackTraceContaining("Server has invalid Kerberos principal: nn/localhost");
    } finally {
      KerberosLogin.login(Settings.ofThisNameNode(trio.sites.get("nn1")));
    }
  }

  /** With each change a web server starts, whose settings are those of the start. */
  @Test
  void proxyUsersThatWereRereadOutlastAChangeOfTheRole() throws Exception {
    UserGroupInformation oozie = kdc.login("oozie/localhost");
    String before = trio.awaitLeader();
    String next = trio.standby();
    assertThat(statusOfJmx(oozie, next)).isEqualTo(200);
    ProxyUserRules.take(new Configuration(false));
    try {
      trio.lead(next);
      assertThat(statusOfJmx(oozie, next)).as("leads now").isEqualTo(403);
      assertThat(statusOfJmx(oozie, before)).as("stands by now").isEqualTo(403);
    } finally {
      ProxyUserRules.take(trio.sites.get("nn1"));
    }
    assertThat(statusOfJmx(oozie, next)).isEqualTo(200);
  }

  /** As HDFS's does; the file of settings does not name the directory. */
  @Test
  void whatAStandbyHasRereadOutlastsAChangeOfTheRole() throws Exception {
    String standby = trio.standby();
    try (DistributedFileSystem fs = trio.to(standby, superuser)) {
      fs.mkdirs(new org.apache.hadoop.fs.Path(GUARDED, "inside"));
      assertThatThrownBy(() -> fs.delete(GUARDED, true))
          .hasMessageContaining("Cannot delete/rename non-empty protected directory /guarded");
      Configuration conf = trio.forAdministrator(standby);
      ReconfigurationProtocol nameNode =
          DFSUtilClient.createReconfigurationProtocolProxy(
              trio.nameNodes.get(standby).rpcAddress(),
              superuser,
              conf,
              NetUtils.getDefaultSocketFactory(conf));
      try {
        assertThat(nameNode.listReconfigurableProperties()).contains(PROTECTED);
        nameNode.startReconfiguration();
        assertThat(outcome(nameNode)).containsEntry(PROTECTED, Optional.empty());
      } finally {
        RPC.stopProxy(nameNode);
      }
      trio.lead(standby);
      assertThat(fs.delete(GUARDED, true)).isTrue();
    }
  }

  /** What became of each property that differed. */
  private static Map<String, Optional<String>> outcome(ReconfigurationProtocol nameNode)
      throws Exception {
    long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    ReconfigurationTaskStatus status = nameNode.getReconfigurationStatus();
    while (!status.stopped()) {
      assertThat(System.nanoTime()).isLessThan(endNs);
      TimeUnit.MILLISECONDS.sleep(20);
      status = nameNode.getReconfigurationStatus();
    }
    return status.getStatus().entrySet().stream()
        .collect(Collectors.toMap(each -> each.getKey().prop, Map.Entry::getValue));
  }

  private static int statusOfJmx(UserGroupInformation oozie, String id) throws Exception {
    return status(oozie, web(id) + "/jmx?doas=alice");
  }

  @Test
  void aCallThatComesByAStandbyIsItsUsers() throws Exception {
    try (DistributedFileSystem fs = trio.to(trio.standby(), kdc.login("alice"))) {
      fs.mkdirs(made("of-alice"));
      FileStatus status = fs.getFileStatus(made("of-alice"));
      assertThat(status.getOwner()).isEqualTo("alice");
      assertThatThrownBy(() -> fs.setOwner(made("of-alice"), "bob", null))
          .isInstanceOf(AccessControlException.class);
    }
  }

  @Test
  void aCallOfAProxyUserThatComesByAStandbyIsItsUsers() throws Exception {
    UserGroupInformation oozie = kdc.login("oozie/localhost");
    try (DistributedFileSystem fs =
        trio.to(trio.standby(), UserGroupInformation.createProxyUser("alice", oozie))) {
      fs.mkdirs(made("by-oozie"));
      assertThat(fs.getFileStatus(made("by-oozie")).getOwner()).isEqualTo("alice");
    }
    try (DistributedFileSystem fs =
        trio.to(trio.standby(), UserGroupInformation.createProxyUser("bob", oozie))) {
      assertThatThrownBy(() -> fs.mkdirs(made("by-oozie-for-bob")))
          .hasMessageContaining("oozie/localhost@EXAMPLE.COM is not allowed to impersonate bob");
    }
  }

  /** As a NameNode would, to have the leader run a call of somebody else. */
  @Test
  void aUserHandsOnNoCalls() throws Exception {
    UserGroupInformation alice = kdc.login("alice");
    leaveNothing(
        trio.awaitLeader(),
        () ->
            assertThatThrownBy(() -> handOn(alice))
                .cause()
                .hasMessageContaining(
                    "alice@EXAMPLE.COM (auth:KERBEROS) is not authorized for protocol")
                .hasMessageContaining(
                    "this service is only accessible by nn/localhost@EXAMPLE.COM"));
  }

  /** Else its holder could have tokens issued as long as it likes. */
  @Test
  void aTokenOfANameNodeHandsOnNoCalls() throws Exception {
    Token<?> token;
    try (DistributedFileSystem fs = trio.to(trio.awaitLeader(), superuser)) {
      token = fs.getDelegationToken("nobody");
    }
    UserGroupInformation holder = UserGroupInformation.createRemoteUser("holder");
    SecurityUtil.setTokenService(token, leader().rpcAddress());
    holder.addToken(token);
    leaveNothing(
        trio.awaitLeader(),
        () ->
            assertThatThrownBy(() -> handOn(holder))
                .cause()
                .hasMessageContaining("nn/localhost@EXAMPLE.COM (auth:TOKEN)")
                .hasMessageContaining("Calls are handed on by NameNodes alone"));
    AUDIT.await(
        "allowed=false\tugi=nn/localhost@EXAMPLE.COM \\(auth:TOKEN\\)\t.*cmd=forwardedCall");
  }

  /** Again where another one has come to lead meanwhile, with threads for it. */
  private static void leaveNothing(String id, Leftovers.Attempt attempt) throws Exception {
    for (int tries = 1; ; tries++) {
      String leader = trio.awaitLeader();
      try {
        Leftovers.repeat(trio.nameNodes.get(id), attempt);
        return;
      } catch (AssertionError e) {
        if (tries == TRIES || trio.awaitLeader().equals(leader)) {
          throw e;
        }
      }
    }
  }

  private static NameNode leader() throws Exception {
    return trio.nameNodes.get(trio.awaitLeader());
  }

  private static void handOn(UserGroupInformation user) throws Exception {
    Configuration conf = new Configuration(trio.sites.get("nn1"));
    RPC.setProtocolEngine(conf, Forwards.class, ProtobufRpcEngine2.class);
    conf.setInt("ipc.client.connect.max.retries.on.sasl", 1);
    Forwards leader =
        RPC.getProxy(
            Forwards.class,
            1,
            leader().rpcAddress(),
            user,
            conf,
            NetUtils.getDefaultSocketFactory(conf));
    try {
      leader.refresh(null, GenericRefreshRequestProto.newBuilder().setIdentifier("mkdirs").build());
    } finally {
      RPC.stopProxy(leader);
    }
  }

  /** So that the balancer asks the next one. */
  @Test
  void aStandbyAnswersOtherNameNodesAsHdfs() throws Exception {
    String standby = trio.standby();
    NamenodeProtocol nameNode =
        NameNodeProxies.createNonHAProxy(
                trio.sites.get(standby),
                trio.nameNodes.get(standby).rpcAddress(),
                NamenodeProtocol.class,
                superuser,
                false)
            .getProxy();
    try {
      assertThat(nameNode.versionRequest().getClusterID()).isEqualTo("CID-test");
      assertThatThrownBy(nameNode::getBlockKeys)
          .isInstanceOfSatisfying(
              RemoteException.class,
              e -> assertThat(e.getClassName()).isEqualTo(StandbyException.class.getName()));
    } finally {
      RPC.stopProxy(nameNode);
    }
  }

  /** One that makes a backup asks the leader on behalf of its caller. */
  @Test
  void aBackupOfAStandbyHasOneLine() throws Exception {
    String standby = trio.standby();
    assertThatThrownBy(() -> trio.backUp(kdc.login("alice"), standby, folder.resolve("of-alice")))
        .hasMessageContaining("Access denied for user alice. Superuser privilege is required");
    AUDIT.await(
        "allowed=false\tugi=alice@EXAMPLE\\.COM \\(auth:KERBEROS\\)\t.*\tcmd=acacia\\.backup\tsrc="
            + folder.resolve("of-alice")
            + "\tdst=null");
    try (LoggedLines lines = new LoggedLines(FSNamesystem.AUDIT_LOG.getName())) {
      trio.backUp(superuser, standby, folder.resolve("backup"));
      try (DistributedFileSystem fs = trio.to(trio.awaitLeader(), superuser)) {
        fs.mkdirs(made("after-the-backup"));
      }
      lines.await("cmd=mkdirs\tsrc=/shared/after-the-backup");
      lines.await("allowed=true\tugi=nn/localhost@.*\tcmd=acacia\\.backup\t");
      assertThat(lines.lines()).filteredOn(line -> !line.contains("cmd=mkdirs")).hasSize(1);
    }
  }

  private static UserGroupInformation holder(Token<?> token) {
    UserGroupInformation holder = UserGroupInformation.createRemoteUser("whoever");
    holder.addToken(token);
    return holder;
  }

  @Test
  void aTokenIsOfAllNameNodesAndOutlivesTheOneThatIssuedIt() throws Exception {
    UserGroupInformation alice = kdc.login("alice");
    Token<?> token;
    try (DistributedFileSystem fs = trio.toAll(alice)) {
      token = fs.getDelegationToken("bob");
    }
    String issuer = trio.awaitLeader();
    Token<?> byHttp = tokenByHttp(alice, issuer);
    assertThat(token.getService()).hasToString("ha-hdfs:trio");
    try (DistributedFileSystem fs = trio.toAll(holder(token))) {
      fs.mkdirs(made("by-token"));
      assertThat(fs.getFileStatus(made("by-token")).getOwner()).isEqualTo("alice");
    }
    trio.nameNodes.remove(issuer).close();
    try {
      String next = trio.awaitLeader();
      try (DistributedFileSystem fs = trio.toAll(holder(token))) {
        assertThat(fs.getFileStatus(made("by-token")).getOwner()).isEqualTo("alice");
      }
      Configuration client = trio.sites.get("nn1");
      long renewedMs =
          kdc.login("bob").doAs((PrivilegedExceptionAction<Long>) () -> token.renew(client));
      assertThat(renewedMs).isGreaterThan(System.currentTimeMillis());
      cancel(token, alice);
      assertThat(statusOfHolder(byHttp, next)).isEqualTo(200);
      cancelByHttp(byHttp, alice, next);
      assertThat(statusOfHolder(byHttp, next)).isEqualTo(403);
    } finally {
      trio.nameNodes.put(issuer, NameNode.start(trio.sites.get(issuer)));
    }
    try (DistributedFileSystem fs = trio.toAll(holder(token))) {
      assertThatThrownBy(() -> fs.getFileStatus(made("by-token")))
          .hasMessageContaining("Token for real user: , can't be found in cache");
    }
  }

  private static Token<?> tokenByHttp(UserGroupInformation user, String id) throws Exception {
    HttpURLConnection answer =
        open(user, web(id) + "/webhdfs/v1/?op=GETDELEGATIONTOKEN&renewer=bob");
    String json = new String(answer.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    Token<TokenIdentifier> token = new Token<>();
    token.decodeFromUrlString(
        json.replaceFirst("(?s).*\"urlString\"\\s*:\\s*\"([^\"]*)\".*", "$1"));
    return token;
  }

  private static void cancelByHttp(Token<?> token, UserGroupInformation user, String id)
      throws Exception {
    HttpURLConnection request =
        open(
            user,
            web(id) + "/webhdfs/v1/?op=CANCELDELEGATIONTOKEN&token=" + token.encodeToUrlString());
    request.setRequestMethod("PUT");
    assertThat(request.getResponseCode()).isEqualTo(200);
  }

  private static int statusOfHolder(Token<?> token, String id) throws Exception {
    URI page =
        URI.create(
            web(id) + "/webhdfs/v1/shared?op=LISTSTATUS&delegation=" + token.encodeToUrlString());
    return ((HttpURLConnection) page.toURL().openConnection()).getResponseCode();
  }

  /** A token, as the holder shows it to one NameNode. */
  private static UserGroupInformation holder(Token<?> token, String id) throws Exception {
    Token<?> shown = token.copyToken();
    shown.setService(SecurityUtil.buildTokenService(trio.nameNodes.get(id).rpcAddress()));
    return holder(shown);
  }

  private static void cancel(Token<?> token, UserGroupInformation user) throws Exception {
    user.doAs(
        (PrivilegedExceptionAction<Void>)
            () -> {
              token.cancel(trio.sites.get("nn1"));
              return null;
            });
  }

  @Test
  void aTokenIsGoodOnEachStandbyAtOnceUntilItIsCancelled() throws Exception {
    UserGroupInformation alice = kdc.login("alice");
    String leader = trio.awaitLeader();
    try (DistributedFileSystem fs = trio.toAll(alice)) {
      for (int i = 0; i < TOKENS; i++) {
        Token<?> token = fs.getDelegationToken("bob");
        for (String id : KerberosTrio.IDS) {
          org.apache.hadoop.fs.Path made = made("by-token-" + i + id);
          show(
              token,
              id,
              shown -> {
                shown.mkdirs(made);
                assertThat(shown.getFileStatus(made).getOwner()).isEqualTo("alice");
              });
        }
        cancel(token, alice);
        for (String id : KerberosTrio.IDS) {
          assertThatThrownBy(() -> show(token, id, shown -> shown.getFileStatus(SHARED)))
              .as("%s of leader %s", id, leader)
              .hasMessageContaining("Token for real user: , can't be found in cache");
        }
      }
    }
  }

  /** dfs.client.failover.resolve-needed: the client finds them by the addresses of one name. */
  @Test
  void aTokenIsFoundByTheAddressesOfAName() throws Exception {
    Configuration site = new Configuration(trio.sites.get("nn1"));
    site.setBoolean("dfs.client.failover.resolve-needed.trio", true);
    UserGroupInformation alice = kdc.login("alice");
    Token<?> token;
    try (DistributedFileSystem fs = TestKdc.fileSystem(alice, site, "hdfs://trio")) {
      token = fs.getDelegationToken("bob");
    }
    assertThat(token.getService()).hasToString("ha-hdfs:trio");
    try (DistributedFileSystem fs = TestKdc.fileSystem(holder(token), site, "hdfs://trio")) {
      fs.mkdirs(made("by-a-name"));
      assertThat(fs.getFileStatus(made("by-a-name")).getOwner()).isEqualTo("alice");
    }
    cancel(token, alice);
    try (DistributedFileSystem fs = TestKdc.fileSystem(holder(token), site, "hdfs://trio")) {
      assertThatThrownBy(() -> fs.getFileStatus(SHARED))
          .hasMessageContaining("Token for real user: , can't be found in cache");
    }
  }

  /** And while another one comes to lead. */
  @Test
  void tokensAreGoodWhileKeysRollUnderLoad() throws Exception {
    Set<Integer> keys = ConcurrentHashMap.newKeySet();
    Queue<Token<?>> firsts = new ConcurrentLinkedQueue<>();
    long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(LOAD_SECONDS);
    ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
    try {
      List<Future<Void>> ends = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        int client = i;
        ends.add(
            clients.submit(
                () -> {
                  UserGroupInformation alice = kdc.login("alice");
                  for (int round = 0; keys.size() < KEYS; round++) {
                    assertThat(System.nanoTime()).as("keys %s", keys).isLessThan(endNs);
                    Token<?> token;
                    try (DistributedFileSystem fs = trio.toAll(alice)) {
                      token = fs.getDelegationToken("bob");
                    }
                    keys.add(
                        ((DelegationTokenIdentifier) token.decodeIdentifier()).getMasterKeyId());
                    String id = KerberosTrio.IDS.get((client + round) % KerberosTrio.IDS.size());
                    show(token, id, fs -> fs.getFileStatus(SHARED));
                    if (round == 0) {
                      firsts.add(token);
                    }
                  }
                  return null;
                }));
      }
      trio.lead(trio.standby());
      for (Future<Void> end : ends) {
        end.get(2 * LOAD_SECONDS, TimeUnit.SECONDS);
      }
    } finally {
      clients.shutdownNow();
    }
    assertThat(firsts).hasSize(CLIENTS);
    for (Token<?> token : firsts) {
      for (String id : KerberosTrio.IDS) {
        show(token, id, fs -> fs.getFileStatus(SHARED));
      }
    }
  }

  /** What a client does. */
  @FunctionalInterface
  private interface Use {
    void of(DistributedFileSystem fs) throws Exception;
  }

  /**
   * Has one NameNode take a token. While the leader does not tell how far it is, or steps down, or
   * none leads, a NameNode sends its clients on: this one has no other to go to, and comes again.
   */
  private static void show(Token<?> token, String id, Use use) throws Exception {
    long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (true) {
      try (DistributedFileSystem fs = trio.to(id, holder(token, id))) {
        use.of(fs);
        return;
      } catch (RemoteException e) {
        if (System.nanoTime() > endNs
            || !e.getClassName().equals(StandbyException.class.getName())) {
          throw e;
        }
      }
    }
  }

  /** As by the leader itself. */
  @Test
  void aTokenBegetsNoTokenByWayOfAStandby() throws Exception {
    String standby = trio.standby();
    Token<?> token;
    try (DistributedFileSystem fs = trio.to(standby, kdc.login("alice"))) {
      token = fs.getDelegationToken("alice");
    }
    try (DistributedFileSystem fs = trio.to(standby, holder(token, standby))) {
      assertThatThrownBy(() -> fs.getDelegationToken("alice"))
          .hasMessageContaining(
              "Delegation Token can be issued only with kerberos or web authentication");
    }
  }

  /** As a task of YARN does. */
  @Test
  void whoShowsATokenReadsFromAnObserver() throws Exception {
    Token<?> token;
    try (DistributedFileSystem fs = trio.toAll(kdc.login("alice"))) {
      fs.mkdirs(made("observed"));
      token = fs.getDelegationToken("bob");
    }
    Configuration site = new Configuration(trio.sites.get("nn1"));
    site.setClass(
        "dfs.client.failover.proxy.provider.trio",
        ObserverReadProxyProvider.class,
        FailoverProxyProvider.class);
    String leader = site.get("dfs.namenode.rpc-address.trio." + trio.awaitLeader());
    try (LoggedLines audit = new LoggedLines(FSNamesystem.AUDIT_LOG.getName());
        DistributedFileSystem fs = TestKdc.fileSystem(holder(token), site, "hdfs://trio")) {
      assertThat(fs.getFileStatus(made("observed")).getOwner()).isEqualTo("alice");
      assertThat(lastServer(fs)).isNotEqualTo(leader);
      audit.await(
          "allowed=true\tugi=alice@EXAMPLE\\.COM \\(auth:TOKEN\\)\t.*cmd=getfileinfo"
              + "\tsrc=/shared/observed");
    }
  }

  /** Which NameNode answered the last call. */
  private static String lastServer(DistributedFileSystem fs) throws Exception {
    RetryInvocationHandler<?> handler =
        (RetryInvocationHandler<?>) Proxy.getInvocationHandler(fs.getClient().getNamenode());
    Method provider = RetryInvocationHandler.class.getDeclaredMethod("getProxyProvider");
    provider.setAccessible(true);
    Method last = ObserverReadProxyProvider.class.getDeclaredMethod("getLastProxy");
    last.setAccessible(true);
    return ((FailoverProxyProvider.ProxyInfo<?>) last.invoke(provider.invoke(handler))).proxyInfo;
  }

  /** Its certificate is of another authority, or has expired. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aStrangerIsNoMember(boolean hasExpired) throws Exception {
    TestAuthority authority =
        hasExpired ? trio.authority : new TestAuthority(folder.resolve("other"));
    TlsStranger stranger =
        new TlsStranger(hasExpired ? authority.issueExpired() : authority.issue());
    try (LoggedLines security = new LoggedLines("SecurityLogger.io.acaciafs")) {
      for (String id : trio.nameNodes.keySet()) {
        int port = trio.memberPort(id);
        leaveNothing(id, () -> Leftovers.awaitClosed(port, stranger.ask(port)));
      }
      security.await(
          "Member refused client=127\\.0\\.0\\.1:[0-9]+ reason="
              + (hasExpired ? ".*validity check failed" : "PKIX path")
              + ".* subject=CN=server[0-9]+ issuer=CN=authority ");
    }
  }

  /** Each has one line, with its address. */
  @Test
  void aStrangerWithoutACertificateOrWithoutTlsIsNoMember() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    try (LoggedLines security = new LoggedLines("SecurityLogger.io.acaciafs")) {
      for (String id : trio.nameNodes.keySet()) {
        int port = trio.memberPort(id);
        leaveNothing(
            id,
            () -> {
              asked.incrementAndGet();
              assertRefusedWithLines(port, security);
            });
      }
      assertThat(security.lines()).hasSize(2 * asked.get());
    }
  }

  private static void assertRefusedWithLines(int port, LoggedLines security) throws Exception {
    int bare = new TlsStranger().ask(port);
    Leftovers.awaitClosed(port, bare);
    security.await(
        "Member refused client=127\\.0\\.0\\.1:" + bare + " reason=Empty client certificate");
    int plain = TlsStranger.askPlainly(port);
    Leftovers.awaitClosed(port, plain);
    security.await(
        "Member refused client=127\\.0\\.0\\.1:" + plain + " reason=not an SSL/TLS record");
    new Socket("127.0.0.1", port).close(); // as a port's check does
  }

  /** The site's program writes the new files in the place of the old ones. */
  @Test
  void aMemberTakesItsNewCertificateWhileItRuns() throws Exception {
    String renewed = trio.standby();
    int port = trio.memberPort(renewed);
    TlsStranger member = new TlsStranger(trio.authority.issue());
    Principal before = member.shownBy(port).getSubjectX500Principal();
    TestAuthority.Issued files = trio.authority.issue();
    replace(renewed, "key", files.key());
    replace(renewed, "certificate", files.certificate());
    long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (member.shownBy(port).getSubjectX500Principal().equals(before)) {
      assertThat(System.nanoTime()).as("shows the certificate from before").isLessThan(endNs);
      TimeUnit.MILLISECONDS.sleep(100);
    }
    try (LoggedLines security = new LoggedLines("SecurityLogger.io.acaciafs")) {
      assertRefusedWithLines(port, security);
    }
    Leftovers.awaitClosed(
        port, new TlsStranger(new TestAuthority(folder.resolve("third")).issue()).ask(port));
    trio.lead(renewed); // the others follow it, and hand calls on to it
    try (DistributedFileSystem fs = trio.to(trio.standby(), kdc.login("alice"))) {
      fs.mkdirs(made("after-the-renewal"));
    }
  }

  private static void replace(String id, String file, Path by) throws IOException {
    Path own = Path.of(trio.sites.get(id).get("acacia.store.raft.tls." + file + ".file"));
    Files.copy(by, own, StandardCopyOption.REPLACE_EXISTING);
  }

  /** What it hands on is refused by the leader, all else by itself. */
  @Test
  void aUserIsNoSuperuserAtOneThatStandsBy() throws Exception {
    String standby = trio.standby();
    NameNode nameNode = trio.nameNodes.get(standby);
    ForbiddenCalls calls =
        new ForbiddenCalls(
            kdc.login("alice"), trio.sites.get(standby), nameNode.rpcAddress().getPort());
    assertThat(calls.wronglyAnswered(true)).isEmpty();
    leaveNothing(standby, calls::beRefusedAll);
  }

  @Test
  void aNameNodeWithoutCertificatesIsRefused() {
    Configuration open = new Configuration(trio.sites.get("nn1"));
    for (String file : List.of("key", "certificate", "authority")) {
      open.unset("acacia.store.raft.tls." + file + ".file");
    }
    open.set("dfs.namenode.name.dir.trio.nn1", folder.resolve("open").toString());
    assertThatThrownBy(
            () -> {
              NameNode.format(open, "CID-open", false);
              NameNode.start(open);
            })
        .isInstanceOf(IOException.class)
        .hasMessageContaining("acacia.store.raft.tls.key.file");
  }
}
