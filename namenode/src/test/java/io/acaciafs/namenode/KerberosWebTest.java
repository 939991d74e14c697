package io.acaciafs.namenode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.kv.testkit.TestAuthority;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.security.token.delegation.DelegationTokenIdentifier;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.tools.DFSAdmin;
import org.apache.hadoop.hdfs.tools.DFSck;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.WritableUtils;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authentication.client.AuthenticatedURL;
import org.apache.hadoop.security.authentication.client.AuthenticationException;
import org.apache.hadoop.security.authorize.ProxyUsers;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.security.token.TokenIdentifier;
import org.apache.hadoop.util.ToolRunner;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a NameNode with Kerberos serves by HTTP and HTTPS, and to whom; Hadoop's own clients. */
@Timeout(300)
class KerberosWebTest {
  private static final String KEYSTORE_PASSWORD = "opensesame";
  private static final String COOKIE_SECRET = "the-secret-of-cookies";
  private static final String SECRET_IN_SETTINGS = "where-it-does-not-belong";

  @TempDir static File folder;
  private static final Map<String, String> COOKIES = new ConcurrentHashMap<>();
  private static final LoggedLines REFUSED =
      new LoggedLines("SecurityLogger.org.apache.hadoop.http.HttpServer2");
  private static final LoggedLines AUDIT = new LoggedLines(FSNamesystem.AUDIT_LOG.getName());
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static ClassLoader loader;
  private static TestKdc kdc;
  private static Configuration conf;
  private static NameNode nameNode;
  private static UserGroupInformation superuser;

  @BeforeAll
  static void start() throws Exception {
    kdc =
        new TestKdc(
            folder.toPath(),
            "nn/localhost",
            "HTTP/localhost",
            "alice",
            "bob",
            "carol",
            "dave",
            "oozie/localhost",
            "hive/localhost");
    loader = Thread.currentThread().getContextClassLoader();
    Thread.currentThread()
        .setContextClassLoader(
            new URLClassLoader(new URL[] {folder.toURI().toURL()}, loader)); // ssl-*.xml
    SelfSigned.write(folder.toPath(), KEYSTORE_PASSWORD);
    conf = configuration();
    TestKdc.use(conf);
    NameNode.format(conf, "CID-test", false);
    nameNode = NameNode.start(conf);
    superuser = UserGroupInformation.getLoginUser();
    conf.set("fs.defaultFS", "hdfs://localhost:" + nameNode.rpcAddress().getPort());
    nameNode
        .webAddresses()
        .forEach((setting, at) -> conf.set(setting, "localhost:" + at.getPort()));
    asUser(
        superuser,
        () -> {
          try (FileSystem all = FileSystem.newInstance(conf)) {
            all.mkdirs(new org.apache.hadoop.fs.Path("/alice/own"));
            all.setOwner(new org.apache.hadoop.fs.Path("/alice"), "alice", "others");
            all.setPermission(
                new org.apache.hadoop.fs.Path("/alice"), FsPermission.valueOf("-rwx------"));
          }
          return null;
        });
  }

  private static Configuration configuration() throws IOException {
    Configuration made = kdc.siteOfOne();
    made.set("hadoop.security.authorization", "false"); // no protection by HTTP depends on it
    made.set(
        "hadoop.security.auth_to_local",
        "RULE:[2:$1/$2@$0]([nd]n/.*@EXAMPLE.COM)s/.*/hdfs/\n"
            + "RULE:[2:$1@$0](.*@EXAMPLE.COM)s/@.*//\n"
            + "RULE:[1:$1@$0](.*@EXAMPLE.COM)s/@.*//");
    made.set("dfs.web.authentication.kerberos.principal", "HTTP/_HOST" + TestKdc.REALM);
    made.set("dfs.web.authentication.kerberos.keytab", kdc.keytab("HTTP/localhost").toString());
    made.set("hadoop.http.authentication.kerberos.endpoint.whitelist", "/health");
    Path secret = folder.toPath().resolve("cookies.secret");
    Files.writeString(secret, COOKIE_SECRET);
    made.set("hadoop.http.authentication.signature.secret.file", secret.toString());
    made.set("hadoop.http.authentication.signature.secret", SECRET_IN_SETTINGS);
    made.set("ssl.server.keystore.password", SECRET_IN_SETTINGS);
    made.set("dfs.cluster.administrators", "carol");
    made.set(
        "hadoop.user.group.static.mapping.overrides",
        "alice=others;bob=workers;hdfs=;carol=;dave=supergroup");
    made.set("hadoop.proxyuser.oozie.hosts", "127.0.0.1");
    made.set("hadoop.proxyuser.oozie.groups", "workers");
    made.set("hadoop.proxyuser.hive.hosts", "10.1.2.3");
    made.set("hadoop.proxyuser.hive.groups", "*");
    made.set("dfs.http.policy", "HTTP_AND_HTTPS");
    made.set("dfs.namenode.https-address", "localhost:0");
    made.set("dfs.https.server.keystore.resource", SelfSigned.SERVER);
    made.set("hadoop.ssl.client.conf", SelfSigned.CLIENT);
    return made;
  }

  @AfterAll
  static void stop() throws Exception {
    Thread.currentThread().setContextClassLoader(loader);
    REFUSED.close();
    AUDIT.close();
    if (nameNode != null) {
      nameNode.close();
    }
    kdc.close();
  }

  private static UserGroupInformation login(String name) throws IOException {
    return name.equals("hdfs") ? superuser : kdc.login(name);
  }

  private static <T> T asUser(UserGroupInformation user, PrivilegedExceptionAction<T> action)
      throws Exception {
    return user.doAs(action);
  }

  private static URI http(String pathAndQuery) {
    return URI.create("http://" + conf.get("dfs.namenode.http-address") + pathAndQuery);
  }

  /** What SPNEGO gives the user, once. */
  private static String cookie(String name) throws Exception {
    String known = COOKIES.get(name);
    if (known == null) {
      AuthenticatedURL.Token token = new AuthenticatedURL.Token();
      asUser(
          login(name),
          () -> new AuthenticatedURL().openConnection(http("/isActive").toURL(), token));
      known = token.toString();
      COOKIES.put(name, known);
    }
    return known;
  }

  private static HttpResponse<String> get(String cookie, String pathAndQuery) throws Exception {
    HttpRequest.Builder request = HttpRequest.newBuilder(http(pathAndQuery));
    if (cookie != null) {
      request.header("Cookie", AuthenticatedURL.AUTH_COOKIE + "=\"" + cookie + "\"");
    }
    return HTTP.send(request.build(), BodyHandlers.ofString());
  }

  private static HttpResponse<String> getAs(String name, String pathAndQuery) throws Exception {
    return get(cookie(name), pathAndQuery);
  }

  @ParameterizedTest
  @ValueSource(strings = {"webhdfs", "swebhdfs"})
  void hadoopsClientListsAsWhoHasTheTicket(String scheme) throws Exception {
    String setting = scheme.equals("webhdfs") ? "http" : "https";
    URI uri = URI.create(scheme + "://" + conf.get("dfs.namenode." + setting + "-address"));
    org.apache.hadoop.fs.Path closed = new org.apache.hadoop.fs.Path("/alice");
    asUser(
        login("alice"),
        () -> {
          try (FileSystem own = FileSystem.newInstance(uri, conf)) {
            assertThat(own.listStatus(closed)).hasSize(1);
            assertThat(own.getDelegationToken("bob").decodeIdentifier())
                .isInstanceOfSatisfying(
                    DelegationTokenIdentifier.class,
                    token -> assertThat(token.getOwner()).as("short").hasToString("alice"));
            assertThat(own.mkdirs(new org.apache.hadoop.fs.Path(closed, scheme))).isTrue();
            assertThat(own.getFileStatus(new org.apache.hadoop.fs.Path(closed, scheme)).getOwner())
                .isEqualTo("alice");
            assertThat(own.delete(new org.apache.hadoop.fs.Path(closed, scheme), true)).isTrue();
          }
          return null;
        });
    asUser(
        login("bob"),
        () -> {
          try (FileSystem strange = FileSystem.newInstance(uri, conf)) {
            assertThatThrownBy(() -> strange.listStatus(closed))
                .isInstanceOf(AccessControlException.class)
                .hasMessageContaining("user=bob");
          }
          return null;
        });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/webhdfs/v1/?op=LISTSTATUS&user.name=hdfs",
        "/webhdfs/v1/?op=LISTSTATUS&user.name=oozie&doas=bob",
        "/fsck?ugi=hdfs&path=/",
        "/check?ugi=hdfs&user.name=hdfs",
        "/imagetransfer?getimage=1&txid=latest",
        "/conf?user.name=hdfs",
        "/stacks",
        "/api/openfiles",
        "/api/history",
        "/logLevel?log=a",
        "/jmx",
        "/metrics",
        "/index.html",
        "/startupProgress",
        "/isActive",
        "/jmx?delegation=AAAA",
      })
  void withoutATicketNothingIsAnswered(String pathAndQuery) throws Exception {
    HttpResponse<String> response = get(null, pathAndQuery);
    assertThat(response.statusCode()).isEqualTo(401);
    assertThat(response.headers().firstValue("WWW-Authenticate")).contains("Negotiate");
  }

  @Test
  void whatTheSiteListsNeedsNoTicket() throws Exception {
    assertThat(get(null, "/health").statusCode()).isEqualTo(200);
  }

  @Test
  void aCookieThatWasMadeOrChangedByTheClientIsRefused() throws Exception {
    String genuine = cookie("alice");
    assertThat(get(genuine, "/webhdfs/v1/?op=GETHOMEDIRECTORY").body()).contains("/user/alice");
    String forged = "u=hdfs&p=nn/localhost" + TestKdc.REALM + "&t=kerberos&e=99999999999999&s=AAAA";
    for (String cookie :
        List.of(forged, genuine.replace("u=alice", "u=hdfs"), genuine.replace("&e=1", "&e=2"))) {
      assertThat(get(cookie, "/webhdfs/v1/?op=GETHOMEDIRECTORY").statusCode())
          .as(cookie)
          .isEqualTo(401);
    }
    REFUSED.await("Request refused for 127\\.0\\.0\\.1:[0-9]+:null GET /webhdfs/v1/ \\(401 ");
  }

  /** A client that is no proxy of hadoop.proxyservers says nothing about addresses. */
  @Test
  void aHostThatTheClientNamesCountsForNothing() throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(http("/webhdfs/v1/?op=GETHOMEDIRECTORY&doas=bob"))
            .header("X-Forwarded-For", "10.1.2.3")
            .header(
                "Cookie", AuthenticatedURL.AUTH_COOKIE + "=\"" + cookie("hive/localhost") + "\"")
            .build();
    assertThat(HTTP.send(request, BodyHandlers.ofString()).statusCode()).isEqualTo(403);
  }

  @Test
  void aProxyOfTheSiteSaysForWhomItAsks() throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(http("/webhdfs/v1/by-a-proxy?op=GETFILESTATUS"))
            .header("X-Forwarded-For", "10.1.2.3")
            .header("Cookie", AuthenticatedURL.AUTH_COOKIE + "=\"" + cookie("alice") + "\"")
            .build();
    HTTP.send(request, BodyHandlers.ofString());
    AUDIT.await("ugi=alice \\(auth:KERBEROS\\)\tip=/127\\.0\\.0\\.1\t.*src=/by-a-proxy\t");
    Configuration trusting = new Configuration(conf);
    trusting.set("hadoop.proxyservers", "127.0.0.1");
    ProxyUsers.refreshSuperUserGroupsConfiguration(trusting);
    try {
      HTTP.send(request, BodyHandlers.ofString());
      AUDIT.await("ugi=alice \\(auth:KERBEROS\\)\tip=/10\\.1\\.2\\.3\t.*src=/by-a-proxy\t");
    } finally {
      ProxyUsers.refreshSuperUserGroupsConfiguration(conf);
    }
  }

  /** HDFS's too are for WebHDFS alone. */
  @ParameterizedTest
  @ValueSource(strings = {"/jmx?", "/conf?", "/fsck?path=/&", "/isActive?"})
  void aTokenIsGoodForWebHdfsAlone(String page) throws Exception {
    String shown = "delegation=" + tokenOf("hdfs");
    assertThat(get(null, "/webhdfs/v1/alice?op=LISTSTATUS&" + shown).statusCode()).isEqualTo(200);
    HttpResponse<String> response = get(null, page + shown);
    assertThat(response.statusCode()).isEqualTo(401);
    assertThat(response.headers().firstValue("WWW-Authenticate")).contains("Negotiate");
  }

  @Test
  void aCookieEndsAsTheSiteSays() throws Exception {
    Configuration brief = configuration();
    brief.set("hadoop.http.authentication.token.validity", "3");
    brief.set(
        "dfs.namenode.name.dir", Files.createTempDirectory(folder.toPath(), "brief").toString());
    NameNode.format(brief, "CID-brief", false);
    try (NameNode other = NameNode.start(brief)) {
      URI page = URI.create("http://localhost:" + other.httpAddress().getPort() + "/isActive");
      AuthenticatedURL.Token own = new AuthenticatedURL.Token();
      asUser(login("alice"), () -> new AuthenticatedURL().openConnection(page.toURL(), own));
      assertThat(own.toString()).contains("u=alice");
      HttpRequest request =
          HttpRequest.newBuilder(page)
              .header("Cookie", AuthenticatedURL.AUTH_COOKIE + "=\"" + own + "\"")
              .build();
      assertThat(status(request)).isEqualTo(200);
      long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
      while (status(request) == 200) {
        assertThat(System.nanoTime()).as("it has ended").isLessThan(endNs);
      }
      assertThat(status(request)).isEqualTo(401);
    }
  }

  private static int status(HttpRequest request) throws Exception {
    return HTTP.send(request, BodyHandlers.discarding()).statusCode();
  }

  private static Token<?> askForToken(String name, String parameters) throws Exception {
    String json = getAs(name, "/webhdfs/v1/?op=GETDELEGATIONTOKEN" + parameters).body();
    Token<TokenIdentifier> token = new Token<>();
    token.decodeFromUrlString(
        json.replaceFirst("(?s).*\"urlString\"\\s*:\\s*\"([^\"]*)\".*", "$1"));
    return token;
  }

  @Test
  void aTokenHasTheServiceAndTheKindThatTheClientNames() throws Exception {
    Token<?> plain = askForToken("alice", "");
    assertThat(plain.getKind()).hasToString("WEBHDFS delegation");
    assertThat(plain.getService()).hasToString("127.0.0.1:" + nameNode.rpcAddress().getPort());
    assertThat(((DelegationTokenIdentifier) plain.decodeIdentifier()).getRenewer())
        .hasToString("alice");
    Token<?> named = askForToken("alice", "&renewer=bob&service=of-knox&kind=KNOX");
    assertThat(named.getKind()).hasToString("KNOX");
    assertThat(named.getService()).hasToString("of-knox");
    assertThat(
            get(null, "/webhdfs/v1/alice?op=LISTSTATUS&delegation=" + named.encodeToUrlString())
                .statusCode())
        .isEqualTo(200);
  }

  @Test
  void theQueryDoesNotSayWhoAsks() throws Exception {
    assertThat(getAs("alice", "/webhdfs/v1/?op=GETHOMEDIRECTORY&user.name=hdfs").body())
        .contains("/user/alice");
    assertThat(getAs("bob", "/webhdfs/v1/alice?op=LISTSTATUS&user.name=alice").body())
        .contains("Permission denied: user=bob");
  }

  @ParameterizedTest
  @CsvSource({
    "oozie/localhost, bob, 200, /user/bob",
    "oozie/localhost, alice, 403, User: oozie/localhost is not allowed to impersonate alice",
    "hive/localhost, bob, 403, Unauthorized connection for super-user: hive",
    "bob, alice, 403, is not allowed to impersonate alice",
    "alice, hdfs, 403, is not allowed to impersonate hdfs",
  })
  void doasIsForWhomARuleNames(String real, String effective, int status, String text)
      throws Exception {
    HttpResponse<String> response =
        getAs(real, "/webhdfs/v1/?op=GETHOMEDIRECTORY&DoAs=" + effective);
    assertThat(response.statusCode()).isEqualTo(status);
    assertThat(response.body()).contains(text.replace("oozie/localhost", "oozie"));
    int fsck = getAs(real, "/fsck?path=/&doas=" + effective).statusCode();
    assertThat(fsck).isEqualTo(status);
  }

  @ParameterizedTest
  @CsvSource({
    "/conf, 403, 200, 200",
    "/stacks, 403, 200, 200",
    "/logLevel, 403, 200, 200",
    "/logLevel;a=b, 403, 200, 200",
    "/prof-output-hadoop/x.svg, 403, 404, 404",
    "/api/block?id=1, 403, 404, 404",
    "/jmx?qry=java.lang:type=Memory, 200, 200, 200",
    "/metrics, 200, 200, 200",
    "/index.html, 200, 200, 200",
    "/health, 200, 200, 200",
    "/startupProgress, 200, 200, 200",
    "/fsck?path=/alice/own, 200, 200, 200",
    "/imagetransfer?getimage=1&txid=latest, 403, 200, 200",
    "/check, 403, 403, 200",
  })
  void whoMayReadWhat(String path, int alice, int administrator, int hdfs) throws Exception {
    assertThat(getAs("alice", path).statusCode()).as("alice").isEqualTo(alice);
    assertThat(getAs("carol", path).statusCode()).as("administrator").isEqualTo(administrator);
    assertThat(getAs("hdfs", path).statusCode()).as("superuser").isEqualTo(hdfs);
    assertThat(getAs("dave", path).statusCode()).as("of the supergroup").isEqualTo(hdfs);
  }

  /** Each may be the first one of a client that proves itself next. */
  @Test
  void aStrangerThatProvesNothingHasALineNowAndThen() throws Exception {
    String line = "Request without a proof from 127\\.0\\.0\\.1:[0-9]+:GET /webhdfs/v1/ \\(401 ";
    try (LoggedLines lines = new LoggedLines("SecurityLogger.org.apache.hadoop.http")) {
      long beginNs = System.nanoTime();
      int requests = 0;
      while (!lines.has(line, 0)) {
        assertThat(get(null, "/webhdfs/v1/?op=LISTSTATUS").statusCode()).isEqualTo(401);
        requests++;
      }
      for (int i = 0; i < 100; i++) {
        assertThat(get(null, "/webhdfs/v1/?op=LISTSTATUS").statusCode()).isEqualTo(401);
        requests++;
      }
      long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - beginNs);
      assertThat(lines.lines()).as("%s requests", requests).hasSizeBetween(1, (int) seconds + 2);
    }
  }

  /** Who reaches the port of HTTPS of a NameNode that wants certificates of an authority. */
  @FunctionalInterface
  private interface Strangers {
    void ask(int port, LoggedLines lines) throws Exception;
  }

  private static final String STRANGER = "Connection refused for [a-z0-9.]+:";

  private static void refusesAndForgets(TestAuthority authority, Strangers strangers)
      throws Exception {
    Configuration closed = configuration();
    closed.set("dfs.client.https.need-auth", "true");
    closed.set(
        "dfs.https.server.keystore.resource",
        SelfSigned.writeServerOf(
            folder.toPath(), authority.issue().authorities(), KEYSTORE_PASSWORD));
    closed.set(
        "dfs.namenode.name.dir", Files.createTempDirectory(folder.toPath(), "need").toString());
    NameNode.format(closed, "CID-need", false);
    try (NameNode other = NameNode.start(closed);
        LoggedLines lines = new LoggedLines("SecurityLogger.org.apache.hadoop.http")) {
      int port = other.webAddresses().get("dfs.namenode.https-address").getPort();
      assertThatThrownBy(() -> new TlsStranger(authority.issue()).ask(port))
          .as("one with a certificate")
          .hasMessageContaining("it was let in");
      Leftovers leftovers = Leftovers.since(other);
      strangers.ask(port, lines);
      leftovers.assertNone();
    }
  }

  private static TestAuthority newAuthority() throws Exception {
    return new TestAuthority(Files.createTempDirectory(folder.toPath(), "authority"));
  }

  @Test
  void aStrangerWithoutACertificateOrWithoutTlsHasALine() throws Exception {
    refusesAndForgets(
        newAuthority(),
        (port, lines) -> {
          int bare = new TlsStranger().ask(port);
          Leftovers.awaitClosed(port, bare);
          lines.await(STRANGER + bare + " \\(Empty client certificate chain\\)");
          int plain = TlsStranger.askPlainly(port);
          Leftovers.awaitClosed(port, plain);
          lines.await(STRANGER + plain + " \\(Un.*recognized SSL message");
          assertThat(lines.lines()).hasSize(2);
        });
  }

  @ParameterizedTest
  @CsvSource({"true, validity check failed", "false, PKIX path validation failed"})
  void aCertificateThatHasExpiredOrIsOfAnotherAuthorityHasALine(boolean hasExpired, String reason)
      throws Exception {
    TestAuthority authority = newAuthority();
    TlsStranger stranger =
        new TlsStranger(hasExpired ? authority.issueExpired() : newAuthority().issue());
    refusesAndForgets(
        authority,
        (port, lines) -> {
          int own = stranger.ask(port);
          Leftovers.awaitClosed(port, own);
          lines.await(STRANGER + own + " \\(.*" + reason);
          assertThat(lines.lines()).hasSize(1);
        });
  }

  @Test
  void theSecurityLogNamesTheUserThatIsRefused() throws Exception {
    String alice = "Request refused for 127\\.0\\.0\\.1:[0-9]+:alice \\(auth:KERBEROS\\) ";
    assertThat(getAs("alice", "/conf").statusCode()).isEqualTo(403);
    REFUSED.await(alice + "GET /conf \\(403 ");
    PrivilegedExceptionAction<?> byTicket =
        () ->
            new AuthenticatedURL()
                .openConnection(http("/stacks").toURL(), new AuthenticatedURL.Token());
    assertThatThrownBy(() -> asUser(login("alice"), byTicket))
        .hasRootCauseInstanceOf(AuthenticationException.class);
    REFUSED.await(alice + "OPTIONS /stacks \\(403 ");
    assertThat(getAs("bob", "/check?delegation=" + tokenOf("alice")).statusCode()).isEqualTo(403);
    REFUSED.await("[0-9]:alice@EXAMPLE\\.COM \\(auth:TOKEN\\) GET /check \\(403 ");
    assertThat(getAs("oozie/localhost", "/conf?doas=bob").statusCode()).isEqualTo(403);
    REFUSED.await("[0-9]:bob \\(auth:PROXY\\) via oozie \\(auth:KERBEROS\\) GET /conf \\(403 ");
  }

  private static String tokenOf(String owner) throws Exception {
    return asUser(
        login(owner),
        () -> {
          try (FileSystem own = FileSystem.newInstance(conf)) {
            return own.getDelegationToken(owner).encodeToUrlString();
          }
        });
  }

  /** What alice asks for meanwhile shows that the line is not about to come. */
  @Test
  void whatAFileForbidsAKnownUserStandsInTheAuditLogAlone() throws Exception {
    String bob = "(auth:KERBEROS) GET /webhdfs/v1/alice/not-bobs ";
    assertThat(getAs("bob", "/webhdfs/v1/alice/not-bobs?op=LISTSTATUS").statusCode())
        .isEqualTo(403);
    AUDIT.await("allowed=false\tugi=bob \\(auth:KERBEROS\\)\t.*src=/alice/not-bobs\t");
    assertThat(getAs("alice", "/stacks/after").statusCode()).isEqualTo(403);
    REFUSED.await("GET /stacks/after \\(403 ");
    assertThat(REFUSED.lines()).noneMatch(line -> line.contains(bob));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"//logLevel", "/./logLevel", "/x/../logLevel", "/%6CogLevel", "/logLevel/"})
  void noOtherSpellingOpensAPage(String path) throws Exception {
    assertThat(getAs("alice", path).body()).doesNotContain("Get / Set");
  }

  /** A browser would show the superuser's ticket to it. */
  @Test
  void aPageOfAnotherSiteChangesNothing() throws Exception {
    String path = "/logLevel?log=io.acaciafs.no.such&level=DEBUG";
    HttpRequest.Builder request =
        HttpRequest.newBuilder(http(path))
            .header("Cookie", AuthenticatedURL.AUTH_COOKIE + "=\"" + cookie("hdfs") + "\"");
    assertThat(
            HTTP.send(
                    request.copy().header("Sec-Fetch-Site", "cross-site").build(),
                    BodyHandlers.ofString())
                .statusCode())
        .isEqualTo(403);
    request.header("Sec-Fetch-Site", "same-origin");
    HttpResponse<String> own = HTTP.send(request.build(), BodyHandlers.ofString());
    assertThat(own.statusCode()).isEqualTo(200);
    assertThat(own.body()).contains("Submitted Level: <b>DEBUG</b>");
  }

  private static int run(String name, PrivilegedExceptionAction<Integer> tool) throws Exception {
    return asUser(login(name), tool);
  }

  private static String fsck(String name, String... arguments) throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    run(
        name,
        () ->
            ToolRunner.run(
                new DFSck(conf, new PrintStream(out, true, StandardCharsets.UTF_8)), arguments));
    return out.toString(StandardCharsets.UTF_8);
  }

  @Test
  void fsckSeesWhatItsCallerSees() throws Exception {
    assertThat(fsck("alice", "/alice")).contains("FSCK started by alice", "is HEALTHY");
    assertThat(fsck("bob", "/alice")).contains("Permission denied: user=bob").contains("FAILED");
    assertThat(fsck("bob", "-blockId", "blk_1"))
        .contains("Access denied for user bob. Superuser privilege is required for operation fsck");
    AUDIT.await("allowed=false\tugi=bob \\(auth:KERBEROS_SSL\\)\t.*cmd=fsck\tsrc=/\t");
    assertThat(fsck("hdfs", "/")).contains("is HEALTHY");
  }

  @Test
  void theImageIsForAdministrators() throws Exception {
    File target = Files.createDirectory(folder.toPath().resolve("images")).toFile();
    PrivilegedExceptionAction<Integer> fetch =
        () -> ToolRunner.run(new DFSAdmin(conf), new String[] {"-fetchImage", target.toString()});
    assertThat(run("alice", fetch)).isNotZero();
    assertThat(target.list()).isEmpty();
    assertThat(getAs("alice", "/imagetransfer?getimage=1&txid=latest").body())
        .contains("Only Namenode, Secondary Namenode, and administrators may access this servlet");
    assertThat(run("hdfs", fetch)).isZero();
    assertThat(target.list()).anyMatch(name -> name.startsWith("fsimage_"));
  }

  /** Also where its user is no superuser here. */
  @Test
  void aNameNodeFetchesTheImageByItsPrincipal() throws Exception {
    Configuration two = configuration();
    ServiceOfTwo.describe(two);
    two.set("dfs.namenode.rpc-address.many.nn1", "localhost:0");
    two.set("dfs.namenode.kerberos.principal.many.nn2", "hive/localhost" + TestKdc.REALM);
    two.set("dfs.namenode.name.dir", Files.createTempDirectory(folder.toPath(), "two").toString());
    NameNode.format(two, "CID-two", false);
    try (NameNode other = NameNode.start(two)) {
      assertThat(statusOfImage(other, "hive/localhost")).isEqualTo(200);
      assertThat(statusOfImage(other, "oozie/localhost")).isEqualTo(403);
    }
    assertThat(statusOfImage(nameNode, "hive/localhost")).isEqualTo(403);
  }

  private static int statusOfImage(NameNode of, String name) throws Exception {
    String page =
        "http://localhost:" + of.httpAddress().getPort() + "/imagetransfer?getimage=1&txid=latest";
    return status(
        HttpRequest.newBuilder(URI.create(page))
            .header("Cookie", AuthenticatedURL.AUTH_COOKIE + "=\"" + cookie(name) + "\"")
            .build());
  }

  @Test
  void aTokenOfNobodyIsRefused() throws Exception {
    DelegationTokenIdentifier identifier =
        new DelegationTokenIdentifier(new Text("hdfs"), new Text("hdfs"), null);
    Token<DelegationTokenIdentifier> token =
        new Token<>(
            identifier.getBytes(),
            new byte[20],
            DelegationTokenIdentifier.HDFS_DELEGATION_KIND,
            new Text());
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    WritableUtils.writeVInt(new DataOutputStream(bytes), Integer.MAX_VALUE);
    String huge = Base64.getUrlEncoder().encodeToString(bytes.toByteArray());
    for (String delegation : List.of(token.encodeToUrlString(), huge, "AAAA", "%00")) {
      HttpResponse<String> response =
          get(null, "/webhdfs/v1/?op=LISTSTATUS&delegation=" + delegation);
      assertThat(response.statusCode()).as(delegation).isEqualTo(403);
      assertThat(response.body()).contains("SecretManager$InvalidToken");
      assertThat(getAs("alice", "/fsck?path=/&delegation=" + delegation).statusCode())
          .as(delegation)
          .isEqualTo(403);
    }
  }

  /** HDFS makes one for each. */
  @Test
  void redirectsOfAUserShareAToken() throws Exception {
    RoomyDatanode dataNode =
        asUser(
            superuser,
            () -> new RoomyDatanode(nameNode.rpcAddress(), conf, RoomyDatanode.LOCALHOST, "DS-1"));
    dataNode.close(); // known from now on
    Set<String> tokens = new HashSet<>();
    for (int i = 0; i < 5; i++) {
      HttpResponse<String> told =
          sendAs("alice", "PUT", "/webhdfs/v1/alice/own/" + i + "?op=CREATE&noredirect=true");
      assertThat(told.statusCode()).as(told.body()).isEqualTo(200);
      Matcher token = Pattern.compile("[?&]delegation=([^&\"]+)").matcher(told.body());
      assertThat(token.find()).as(told.body()).isTrue();
      tokens.add(token.group(1));
    }
    assertThat(tokens).hasSize(1);
    String token = tokens.iterator().next();
    assertThat(get(null, "/webhdfs/v1/?op=GETHOMEDIRECTORY&delegation=" + token).body())
        .contains("/user/alice");
    Token<DelegationTokenIdentifier> shown = new Token<>();
    shown.decodeFromUrlString(token);
    shown.setKind(DelegationTokenIdentifier.HDFS_DELEGATION_KIND);
    asUser(
        login("alice"),
        () -> {
          try (DistributedFileSystem fs = (DistributedFileSystem) FileSystem.newInstance(conf)) {
            fs.getClient().getNamenode().cancelDelegationToken(shown);
          }
          return null;
        });
    HttpResponse<String> next =
        sendAs("alice", "PUT", "/webhdfs/v1/alice/own/x?op=CREATE&noredirect=true");
    assertThat(next.body()).contains("delegation=").doesNotContain(token);
  }

  private static HttpResponse<String> sendAs(String name, String method, String pathAndQuery)
      throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(http(pathAndQuery))
            .method(method, HttpRequest.BodyPublishers.noBody())
            .header("Cookie", AuthenticatedURL.AUTH_COOKIE + "=\"" + cookie(name) + "\"")
            .build();
    return HTTP.send(request, BodyHandlers.ofString());
  }

  @Test
  void theStatusSaysThatSecurityIsOn() throws Exception {
    assertThat(getAs("hdfs", "/jmx?qry=Hadoop:service=NameNode,name=NameNodeStatus").body())
        .contains("\"SecurityEnabled\" : true");
  }

  @Test
  void secretsAreNowhere() throws Exception {
    for (String page :
        List.of("/conf", "/jmx", "/stacks", "/metrics", "/api/configuration?all=true&limit=1000")) {
      assertThat(getAs("hdfs", page).body())
          .as(page)
          .isNotEmpty()
          .doesNotContain(KEYSTORE_PASSWORD)
          .doesNotContain(COOKIE_SECRET)
          .doesNotContain(SECRET_IN_SETTINGS);
    }
  }

  /** By Hadoop's own settings of HTTP; with the secret of the other, and so with its cookies. */
  @Test
  void figuresAreForAdministratorsWhereTheSiteSaysSo() throws Exception {
    Configuration closed = configuration();
    closed.unset("dfs.web.authentication.kerberos.principal");
    closed.unset("dfs.web.authentication.kerberos.keytab");
    closed.set("hadoop.http.authentication.type", "kerberos");
    closed.set("hadoop.http.authentication.kerberos.principal", "HTTP/_HOST" + TestKdc.REALM);
    closed.set(
        "hadoop.http.authentication.kerberos.keytab", kdc.keytab("HTTP/localhost").toString());
    closed.set("hadoop.security.instrumentation.requires.admin", "true");
    closed.set(
        "dfs.namenode.name.dir", Files.createTempDirectory(folder.toPath(), "closed").toString());
    NameNode.format(closed, "CID-closed", false);
    try (NameNode other = NameNode.start(closed)) {
      String before = conf.get("dfs.namenode.http-address");
      conf.set("dfs.namenode.http-address", "localhost:" + other.httpAddress().getPort());
      try {
        for (String page : List.of("/jmx", "/metrics")) {
          assertThat(get(null, page).statusCode()).as(page).isEqualTo(401);
          assertThat(getAs("alice", page).statusCode()).as(page).isEqualTo(403);
          assertThat(getAs("carol", page).statusCode()).as(page).isEqualTo(200);
          assertThat(getAs("hdfs", page).statusCode()).as(page).isEqualTo(200);
        }
        assertThat(getAs("alice", "/index.html").statusCode()).isEqualTo(200);
      } finally {
        conf.set("dfs.namenode.http-address", before);
      }
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "dfs.web.authentication.kerberos.principal | HTTP/other@EXAMPLE.COM | has no key of HTTP/other",
        "dfs.web.authentication.kerberos.keytab | /absent | The keytab of HTTP cannot be read: /absent",
        "dfs.https.server.keystore.resource | absent.xml | sets no ssl.server.keystore.location",
        "hadoop.http.authentication.kerberos.principal | HTTP/x@EXAMPLE.COM | has no key of HTTP/x",
      })
  void whatCouldNotProveAnythingDoesNotStart(String setting, String value, String text)
      throws Exception {
    Configuration wrong = configuration();
    wrong.set(setting, value);
    wrong.set(
        "dfs.namenode.name.dir", Files.createTempDirectory(folder.toPath(), "wrong").toString());
    NameNode.format(wrong, "CID-wrong", false);
    assertThatThrownBy(() -> NameNode.start(wrong))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(text);
  }
}
