package io.acaciafs.namenode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.namespace.token.TokenIdentifiers;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.util.Arrays;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authentication.client.AuthenticatedURL;
import org.apache.hadoop.security.token.Token;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Clients that claim to be another user: each attempt is refused, a log tells of it, and neither a
 * thread nor a connection is left. What a user with a ticket may not call is tried by
 * KerberosSuperuserTest.
 */
@Timeout(300)
class KerberosAttacksTest {
  private static final org.apache.hadoop.fs.Path ROOT = new org.apache.hadoop.fs.Path("/");
  private static final String HOME = "/webhdfs/v1/?op=GETHOMEDIRECTORY";
  private static final String REFUSED = "Request refused for 127\\.0\\.0\\.1:[0-9]+:";

  @TempDir static Path folder;
  private static TestKdc kdc;
  private static Configuration conf;
  private static NameNode nameNode;
  private static final LoggedLines SECURITY = new LoggedLines("SecurityLogger.org.apache.hadoop");

  @BeforeAll
  static void start() throws Exception {
    kdc =
        new TestKdc(
            folder,
            "nn/localhost",
            "HTTP/localhost",
            "alice",
            "bob",
            "oozie/localhost",
            "hive/localhost");
    conf = kdc.siteOfOne();
    conf.set(
        "hadoop.security.auth_to_local",
        "RULE:[2:$1@$0](nn@EXAMPLE.COM)s/.*/hdfs/\n"
            + "RULE:[2:$1@$0](.*@EXAMPLE.COM)s/@.*//\n"
            + "RULE:[1:$1@$0](.*@EXAMPLE.COM)s/@.*//");
    TestKdc.allowProxies(conf);
    conf.set("dfs.web.authentication.kerberos.principal", "HTTP/_HOST" + TestKdc.REALM);
    conf.set("dfs.web.authentication.kerberos.keytab", kdc.keytab("HTTP/localhost").toString());
    TestKdc.use(conf);
    NameNode.format(conf, "CID-test", false);
    nameNode = NameNode.start(conf);
  }

  @AfterAll
  static void stop() throws Exception {
    SECURITY.close();
    if (nameNode != null) {
      nameNode.close();
    }
    kdc.close();
  }

  private static DistributedFileSystem fileSystem(UserGroupInformation user) throws Exception {
    Configuration client = new Configuration(conf);
    client.set("hadoop.rpc.protection", "authentication");
    return TestKdc.fileSystem(user, client, "hdfs://localhost:" + nameNode.rpcAddress().getPort());
  }

  private static void assertRefused(UserGroupInformation user, String text) throws Exception {
    try (DistributedFileSystem fileSystem = fileSystem(user)) {
      assertThatThrownBy(() -> fileSystem.getFileStatus(ROOT)).hasMessageContaining(text);
    }
  }

  private static void repeat(Leftovers.Attempt attempt) throws Exception {
    Leftovers.repeat(nameNode, attempt);
  }

  @Test
  void aUserWithoutATicket() throws Exception {
    repeat(
        () -> {
          try (Socket socket = new Socket("localhost", nameNode.rpcAddress().getPort())) {
            socket.setSoTimeout(60_000);
            socket.getOutputStream().write(new byte[] {'h', 'r', 'p', 'c', 9, 0, 0});
            assertThat(
                    new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1))
                .contains("SIMPLE authentication is not enabled.");
          }
        });
    SECURITY.await(
        "Connection refused for 127\\.0\\.0\\.1:[0-9]+:null \\(SIMPLE authentication is not");
    UserGroupInformation mallory = UserGroupInformation.createRemoteUser("alice");
    repeat(() -> assertRefused(mallory, "Client cannot authenticate via:[TOKEN, KERBEROS]"));
  }

  @ParameterizedTest
  @CsvSource({
    "oozie/localhost, alice, is not allowed to impersonate alice", // not in the group
    "hive/localhost, bob, Unauthorized connection for super-user: hive/localhost@EXAMPLE.COM",
    "bob, alice, is not allowed to impersonate alice", // no rule
  })
  void aUserWhoActsForAnother(String real, String effective, String text) throws Exception {
    UserGroupInformation user = UserGroupInformation.createProxyUser(effective, kdc.login(real));
    repeat(() -> assertRefused(user, text));
    SECURITY.await(
        "Connection refused for 127\\.0\\.0\\.1:[0-9]+:"
            + real
            + "@EXAMPLE\\.COM \\(auth:KERBEROS\\) \\(.*"
            + Pattern.quote(text));
  }

  private static Token<?> token(String owner) throws Exception {
    try (DistributedFileSystem fileSystem = fileSystem(kdc.login(owner))) {
      return fileSystem.getDelegationToken(owner);
    }
  }

  private static byte[] changed(byte[] bytes, int at) {
    byte[] changed = bytes.clone();
    changed[at] ^= 1;
    return changed;
  }

  /** Each byte of its identifier and of its password. */
  @Test
  void aTokenWithAChangedByte() throws Exception {
    Token<?> token = token("alice");
    byte[] identifier = token.getIdentifier();
    byte[] password = token.getPassword();
    try (DistributedFileSystem fileSystem = fileSystem(holder(token))) {
      fileSystem.getFileStatus(ROOT); // it is good
    }
    Leftovers leftovers = Leftovers.since(nameNode);
    for (int i = 0; i < identifier.length + password.length; i++) {
      boolean ofPassword = i >= identifier.length;
      Token<?> forged =
          new Token<>(
              ofPassword ? identifier : changed(identifier, i),
              ofPassword ? changed(password, i - identifier.length) : password,
              token.getKind(),
              token.getService());
      try (DistributedFileSystem fileSystem = fileSystem(holder(forged))) {
        assertThatThrownBy(() -> fileSystem.getFileStatus(ROOT))
            .as("byte %s", i)
            .isInstanceOf(IOException.class)
            .hasMessageMatching(
                "(?s).*(Mismatched response|can't be found in cache|tokenIdentifier|"
                    + "Unknown version|Authentication failed|IllegalArgument).*");
      }
      assertThat(webStatus(null, HOME + "&delegation=" + forged.encodeToUrlString()))
          .as("byte %s", i)
          .isEqualTo(403);
    }
    leftovers.assertNone();
    SECURITY.await(
        "Auth failed for 127\\.0\\.0\\.1:[0-9]+:alice@EXAMPLE\\.COM \\(auth:TOKEN\\) \\(");
    SECURITY.await(REFUSED + "null GET /webhdfs/v1/ \\(403 ");
  }

  private static UserGroupInformation holder(Token<?> token) {
    UserGroupInformation holder = UserGroupInformation.createRemoteUser("whoever");
    holder.addToken(token);
    return holder;
  }

  // ---- By HTTP ----

  /**
   * Asks by a connection of its own.
   *
   * @param cookie null: none
   */
  private static int webStatus(String cookie, String pathAndQuery) throws Exception {
    HttpURLConnection connection =
        (HttpURLConnection)
            URI.create("http://localhost:" + nameNode.httpAddress().getPort() + pathAndQuery)
                .toURL()
                .openConnection();
    connection.setRequestProperty("Connection", "close");
    if (cookie != null) {
      connection.setRequestProperty("Cookie", AuthenticatedURL.AUTH_COOKIE + "=\"" + cookie + '"');
    }
    try {
      return connection.getResponseCode();
    } finally {
      connection.disconnect();
    }
  }

  /** What SPNEGO gives a user. */
  private static String cookie(String name) throws Exception {
    AuthenticatedURL.Token token = new AuthenticatedURL.Token();
    URI page = URI.create("http://localhost:" + nameNode.httpAddress().getPort() + "/isActive");
    PrivilegedExceptionAction<Integer> ask =
        () -> {
          HttpURLConnection connection = new AuthenticatedURL().openConnection(page.toURL(), token);
          connection.disconnect();
          return 0;
        };
    kdc.login(name).doAs(ask);
    return token.toString();
  }

  @Test
  void aForgedCookie() throws Exception {
    String genuine = cookie("alice");
    assertThat(webStatus(genuine, HOME)).isEqualTo(200);
    for (String forged :
        Arrays.asList(
            "u=hdfs&p=nn/localhost" + TestKdc.REALM + "&t=kerberos&e=99999999999999&s=AAAA",
            genuine.replace("u=alice", "u=hdfs"),
            genuine.replace("&e=1", "&e=2"),
            genuine.substring(0, genuine.length() - 2))) {
      repeat(() -> assertThat(webStatus(forged, HOME)).as(forged).isEqualTo(401));
    }
    SECURITY.await(REFUSED + "null GET /webhdfs/v1/ \\(401 ");
  }

  /** Of bob, with the password of her own one; and her own with his name in it. */
  @Test
  void aTokenOfAnother() throws Exception {
    Token<?> own = token("alice");
    Token<?> bobs = token("bob");
    var identifier = TokenIdentifiers.read(own.getIdentifier());
    identifier.setOwner(new Text("bob@EXAMPLE.COM"));
    String cookie = cookie("alice");
    for (byte[] bytes : new byte[][] {bobs.getIdentifier(), identifier.getBytes()}) {
      Token<?> forged = new Token<>(bytes, own.getPassword(), own.getKind(), own.getService());
      String query = HOME + "&delegation=" + forged.encodeToUrlString();
      repeat(
          () -> {
            assertThat(webStatus(null, query)).isEqualTo(403);
            assertThat(webStatus(cookie, query)).isEqualTo(403);
          });
    }
    SECURITY.await(REFUSED + "null GET /webhdfs/v1/ \\(403 ");
  }

  @ParameterizedTest
  @CsvSource({"oozie/localhost, alice", "hive/localhost, bob", "bob, alice"})
  void doas(String real, String effective) throws Exception {
    String cookie = cookie(real);
    repeat(() -> assertThat(webStatus(cookie, HOME + "&doas=" + effective)).isEqualTo(403));
    SECURITY.await(
        REFUSED
            + Pattern.quote(effective + " (auth:PROXY) via " + real.replace("/localhost", ""))
            + " \\(auth:KERBEROS\\) GET /webhdfs/v1/ \\(403 ");
  }

  /** The user for whom she asks is hers to choose. */
  @Test
  void aNameBeginsNoLine() throws Exception {
    String cookie = cookie("bob");
    String name = "alice%0aAuth%20successful%20for%20hdfs%e2%80%a8";
    repeat(() -> assertThat(webStatus(cookie, HOME + "&doas=" + name)).isEqualTo(403));
    SECURITY.await(
        REFUSED
            + Pattern.quote("alice\\nAuth successful for hdfs\\u2028 (auth:PROXY) via bob")
            + " \\(auth:KERBEROS\\) GET /webhdfs/v1/ \\(403 ");
  }
}
