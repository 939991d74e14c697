package io.acaciafs.namenode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.PrivilegedExceptionAction;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.security.token.delegation.DelegationTokenIdentifier;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authorize.ProxyUsers;
import org.apache.hadoop.security.token.SecretManager.InvalidToken;
import org.apache.hadoop.security.token.Token;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Delegation tokens of a NameNode with Kerberos, and Hadoop's own client. */
@Timeout(300)
class DelegationTokenTest {
  private static final Path OPEN = new Path("/open");
  private static final long RENEW_MS = 20_000;

  @TempDir static java.nio.file.Path folder;
  private static TestKdc kdc;
  private static Configuration conf;
  private static NameNode nameNode;
  private static final LoggedLines AUDIT = new LoggedLines(FSNamesystem.AUDIT_LOG.getName());

  @BeforeAll
  static void start() throws Exception {
    kdc = new TestKdc(folder, "nn/localhost", "alice", "bob", "oozie/localhost");
    conf = kdc.siteOfOne();
    conf.unset("hadoop.security.authorization");
    conf.set(
        "hadoop.security.auth_to_local",
        "RULE:[2:$1/$2@$0](nn/.*@EXAMPLE.COM)s/.*/hdfs/\n"
            + "RULE:[2:$1@$0](oozie@EXAMPLE.COM)s/@.*//\n"
            + "RULE:[1:$1@$0](.*@EXAMPLE.COM)s/@.*//");
    conf.set("hadoop.proxyuser.oozie.hosts", "127.0.0.1");
    conf.set("hadoop.proxyuser.oozie.users", "bob");
    conf.setLong("dfs.namenode.delegation.token.renew-interval", RENEW_MS);
    conf.setLong("dfs.namenode.delegation.token.max-lifetime", TimeUnit.HOURS.toMillis(1));
    conf.setLong("dfs.namenode.delegation.key.update-interval", 1_000);
    conf.setBoolean("dfs.namenode.audit.log.token.tracking.id", true);
    TestKdc.use(conf);
    NameNode.format(conf, "CID-test", false);
    nameNode = NameNode.start(conf);
    try (DistributedFileSystem all = fileSystem(UserGroupInformation.getLoginUser())) {
      all.mkdirs(OPEN);
      all.setPermission(OPEN, new FsPermission((short) 0777));
    }
  }

  @AfterAll
  static void stop() throws Exception {
    AUDIT.close();
    if (nameNode != null) {
      nameNode.close();
    }
    kdc.close();
  }

  private static UserGroupInformation login(String name) throws IOException {
    return kdc.login(name);
  }

  private static Configuration client(String protection) {
    Configuration client = new Configuration(conf);
    client.set("hadoop.rpc.protection", protection);
    client.setInt("ipc.client.connect.max.retries.on.sasl", 1);
    client.set("fs.defaultFS", "hdfs://localhost:" + nameNode.rpcAddress().getPort());
    return client;
  }

  private static DistributedFileSystem fileSystem(UserGroupInformation user, String protection)
      throws Exception {
    Configuration client = client(protection);
    return user.doAs(
        (PrivilegedExceptionAction<DistributedFileSystem>)
            () ->
                (DistributedFileSystem)
                    FileSystem.newInstance(URI.create(client.get("fs.defaultFS")), client));
  }

  private static DistributedFileSystem fileSystem(UserGroupInformation user) throws Exception {
    return fileSystem(user, "authentication");
  }

  private static Token<?> token(UserGroupInformation owner, String renewer) throws Exception {
    try (DistributedFileSystem fileSystem = fileSystem(owner)) {
      return fileSystem.getDelegationToken(renewer);
    }
  }

  /** Somebody without a ticket who holds a token. */
  private static UserGroupInformation holder(Token<?> token) {
    UserGroupInformation holder = UserGroupInformation.createRemoteUser("whoever");
    holder.addToken(token);
    return holder;
  }

  private static DelegationTokenIdentifier identifier(Token<?> token) throws IOException {
    DelegationTokenIdentifier id = new DelegationTokenIdentifier();
    id.readFields(new DataInputStream(new ByteArrayInputStream(token.getIdentifier())));
    return id;
  }

  private static long renew(UserGroupInformation user, Token<?> token) throws Exception {
    return user.doAs((PrivilegedExceptionAction<Long>) () -> token.renew(client("authentication")));
  }

  private static void cancel(UserGroupInformation user, Token<?> token) throws Exception {
    user.doAs(
        (PrivilegedExceptionAction<Void>)
            () -> {
              token.cancel(client("authentication"));
              return null;
            });
  }

  @ParameterizedTest
  @ValueSource(strings = {"authentication", "integrity", "privacy"})
  void whoHoldsATokenActsForItsOwner(String protection) throws Exception {
    Token<?> token = token(login("alice"), "bob");
    Path made = new Path(OPEN, protection);
    try (DistributedFileSystem fileSystem = fileSystem(holder(token), protection)) {
      assertThat(fileSystem.mkdirs(made)).isTrue();
      assertThat(fileSystem.getFileStatus(made).getOwner()).isEqualTo("alice");
      assertThatThrownBy(() -> fileSystem.getDelegationToken("bob"))
          .isInstanceOfSatisfying(
              RemoteException.class,
              e -> assertThat(e.getClassName()).isEqualTo(IOException.class.getName()))
          .hasMessageContaining(
              "Delegation Token can be issued only with kerberos or web authentication");
    }
    DelegationTokenIdentifier id = identifier(token);
    AUDIT.await(
        "allowed=true\tugi=alice@EXAMPLE\\.COM \\(auth:KERBEROS\\)\t.*cmd=getDelegationToken"
            + "\tsrc=HDFS_DELEGATION_TOKEN token "
            + id.getSequenceNumber()
            + " for alice with renewer bob\tdst=null\tperm=null\ttrackingId=null\tproto=rpc");
    AUDIT.await(
        "allowed=true\tugi=alice@EXAMPLE\\.COM \\(auth:TOKEN\\)\t.*cmd=mkdirs\tsrc="
            + made
            + "\t.*trackingId="
            + id.getTrackingId()
            + "\tproto=rpc");
  }

  /** hadoop.security.token.service.use_ip. */
  @Test
  void aTokenIsFoundByTheNameOfTheHostWhereTheSiteWantsThat() throws Exception {
    SecurityUtil.setTokenServiceUseIp(false);
    try {
      Token<?> token = token(login("alice"), "bob");
      assertThat(token.getService()).hasToString("localhost:" + nameNode.rpcAddress().getPort());
      try (DistributedFileSystem fileSystem = fileSystem(holder(token))) {
        fileSystem.getFileStatus(OPEN);
      }
    } finally {
      SecurityUtil.setTokenServiceUseIp(true);
    }
    assertThat(token(login("alice"), "bob").getService())
        .hasToString("127.0.0.1:" + nameNode.rpcAddress().getPort());
  }

  @Test
  void aTokenOfAProxyUserActsForWhomItWasMadeFor() throws Exception {
    UserGroupInformation bob =
        UserGroupInformation.createProxyUser("bob", login("oozie/localhost"));
    Token<?> token = token(bob, "oozie");
    Path made = new Path(OPEN, "proxy");
    try (DistributedFileSystem fileSystem = fileSystem(holder(token))) {
      assertThat(fileSystem.mkdirs(made)).isTrue();
      assertThat(fileSystem.getFileStatus(made).getOwner()).isEqualTo("bob");
    }
    AUDIT.await(
        "ugi=bob \\(auth:TOKEN\\) via oozie/localhost@EXAMPLE\\.COM \\(auth:TOKEN\\)\t"
            + ".*cmd=mkdirs\tsrc=/open/proxy");
    UserGroupInformation alice =
        UserGroupInformation.createProxyUser("alice", login("oozie/localhost"));
    assertThatThrownBy(() -> token(alice, "oozie"))
        .hasMessageContaining("is not allowed to impersonate alice");
  }

  /** Its rule counted when the token was made. */
  @Test
  void aTokenOfAProxyUserNeedsNoRuleAnyMore() throws Exception {
    UserGroupInformation bob =
        UserGroupInformation.createProxyUser("bob", login("oozie/localhost"));
    Token<?> token = token(bob, "oozie");
    ProxyUsers.refreshSuperUserGroupsConfiguration(new Configuration(false));
    try {
      try (DistributedFileSystem fileSystem = fileSystem(holder(token))) {
        assertThat(fileSystem.getFileStatus(OPEN).isDirectory()).isTrue();
      }
      UserGroupInformation later = // the connection of before may be open still
          UserGroupInformation.createProxyUser("bob", login("oozie/localhost"));
      assertThatThrownBy(() -> token(later, "oozie"))
          .hasMessageContaining("is not allowed to impersonate bob");
    } finally {
      ProxyUsers.refreshSuperUserGroupsConfiguration(conf);
    }
  }

  @Test
  void aTokenIsRenewedAgainAndAgainWhileKeysRoll() throws Exception {
    Token<?> token = token(login("alice"), "bob");
    UserGroupInformation bob = login("bob");
    int firstKey = identifier(token).getMasterKeyId();
    long endMs = identifier(token).getIssueDate() + RENEW_MS + 1_000;
    int renewals = 0;
    try (DistributedFileSystem connected = fileSystem(holder(token))) {
      while (System.currentTimeMillis() < endMs) { // as it would have expired otherwise
        long beforeMs = System.currentTimeMillis();
        assertThat(renew(bob, token)).isBetween(beforeMs + RENEW_MS, beforeMs + 2 * RENEW_MS);
        renewals++;
        connected.getFileStatus(OPEN);
        TimeUnit.SECONDS.sleep(1);
      }
    }
    assertThat(renewals).isGreaterThan(3);
    try (DistributedFileSystem fileSystem = fileSystem(holder(token))) {
      fileSystem.getFileStatus(OPEN);
    }
    assertThat(identifier(token(login("alice"), "bob")).getMasterKeyId())
        .isGreaterThan(firstKey + 2);
    AUDIT.await(
        "allowed=true\tugi=bob@EXAMPLE\\.COM \\(auth:KERBEROS\\)\t.*cmd=renewDelegationToken"
            + "\tsrc=HDFS_DELEGATION_TOKEN token ");
  }

  @Test
  void onlyItsRenewerRenewsIt() throws Exception {
    Token<?> token = token(login("alice"), "bob");
    assertThatThrownBy(() -> renew(login("alice"), token))
        .isInstanceOf(AccessControlException.class)
        .hasMessageContaining("alice tries to renew a token (token for alice: ")
        .hasMessageContaining("with non-matching renewer bob");
    AUDIT.await(
        "allowed=false\tugi=alice@EXAMPLE\\.COM \\(auth:KERBEROS\\)\t"
            + ".*cmd=renewDelegationToken\tsrc=HDFS_DELEGATION_TOKEN token ");
  }

  @Test
  void aCancelledTokenLetsNobodyInAnyMore() throws Exception {
    Token<?> token = token(login("alice"), "bob");
    try (DistributedFileSystem connected = fileSystem(holder(token))) {
      connected.getFileStatus(OPEN);
      assertThatThrownBy(() -> cancel(login("oozie/localhost"), token))
          .isInstanceOf(AccessControlException.class)
          .hasMessageContaining(
              "oozie/localhost@EXAMPLE.COM is not authorized to cancel the token (token for alice");
      cancel(login("alice"), token);
      connected.getFileStatus(OPEN); // as in HDFS, a client that is connected stays
    }
    assertRefused(token, "Token for real user: , can't be found in cache");
    assertThatThrownBy(() -> cancel(login("bob"), token))
        .isExactlyInstanceOf(InvalidToken.class)
        .hasMessageContaining("Token not found (token for alice: ");
    assertThatThrownBy(() -> renew(login("bob"), token))
        .isExactlyInstanceOf(InvalidToken.class)
        .hasMessageContaining("Renewal request for unknown token (token for alice: ");
    AUDIT.await(
        "allowed=true\tugi=alice@EXAMPLE\\.COM .*cmd=cancelDelegationToken"
            + "\tsrc=HDFS_DELEGATION_TOKEN token "
            + identifier(token).getSequenceNumber()
            + " for alice with renewer bob");
    AUDIT.await(
        "allowed=false\tugi=oozie/localhost@EXAMPLE\\.COM .*cmd=cancelDelegationToken\tsrc=HDFS");
  }

  private static void assertRefused(Token<?> token, String text) throws Exception {
    try (DistributedFileSystem fileSystem = fileSystem(holder(token))) {
      assertThatThrownBy(() -> fileSystem.getFileStatus(OPEN)).hasMessageContaining(text);
    }
  }

  @Test
  void aForgedTokenLetsNobodyIn() throws Exception {
    Token<?> token = token(login("alice"), "bob");
    byte[] password = token.getPassword().clone();
    password[0] ^= 1;
    assertRefused(
        new Token<>(token.getIdentifier(), password, token.getKind(), token.getService()),
        "Mismatched response");
    DelegationTokenIdentifier other = identifier(token);
    other.setOwner(new Text("hdfs"));
    assertRefused(
        new Token<>(other.getBytes(), token.getPassword(), token.getKind(), token.getService()),
        "can't be found in cache");
    assertRefused(
        new Token<>(new byte[3], token.getPassword(), token.getKind(), token.getService()),
        "Can't de-serialize tokenIdentifier");
  }

  @Test
  void aTokenOutlivesTheNameNodeThatIssuedIt() throws Exception {
    Token<?> token = token(login("alice"), "bob");
    Token<?> cancelled = token(login("alice"), "bob");
    cancel(login("alice"), cancelled);
    nameNode.close();
    nameNode = NameNode.start(conf);
    for (Token<?> each : new Token<?>[] {token, cancelled}) {
      each.setService(
          SecurityUtil.buildTokenService(URI.create(client("privacy").get("fs.defaultFS"))));
    }
    renew(login("bob"), token);
    try (DistributedFileSystem fileSystem = fileSystem(holder(token))) {
      fileSystem.getFileStatus(OPEN);
    }
    assertRefused(cancelled, "can't be found in cache");
    assertThat(identifier(token(login("alice"), "bob")).getSequenceNumber())
        .isGreaterThan(identifier(cancelled).getSequenceNumber());
  }

  @Test
  void safeModeHoldsThemAsTheyAre() throws Exception {
    Token<?> token = token(login("alice"), "bob");
    try (DistributedFileSystem all = fileSystem(UserGroupInformation.getLoginUser())) {
      all.setSafeMode(SafeModeAction.ENTER);
      try (DistributedFileSystem fileSystem = fileSystem(holder(token))) {
        fileSystem.getFileStatus(OPEN);
        assertThatThrownBy(() -> token(login("alice"), "bob"))
            .hasMessageContaining("Cannot issue delegation token. Name node is in safe mode.");
        assertThatThrownBy(() -> renew(login("bob"), token))
            .hasMessageContaining("Cannot renew delegation token. Name node is in safe mode.");
        assertThatThrownBy(() -> cancel(login("bob"), token))
            .hasMessageContaining("Cannot cancel delegation token. Name node is in safe mode.");
      } finally {
        all.setSafeMode(SafeModeAction.LEAVE);
      }
    }
  }

  // ---- By HTTP ----

  private static HttpResponse<String> web(String method, String pathAndQuery) throws Exception {
    URI uri =
        URI.create(
            "http://localhost:" + nameNode.httpAddress().getPort() + "/webhdfs/v1" + pathAndQuery);
    HttpRequest request =
        HttpRequest.newBuilder(uri).method(method, HttpRequest.BodyPublishers.noBody()).build();
    return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void aTokenLetsItsHolderInByHttpWhateverNamesHeAdds() throws Exception {
    Token<?> token = token(login("alice"), "bob");
    String shown = "&delegation=" + token.encodeToUrlString();
    assertThat(web("GET", "/open?op=LISTSTATUS").body())
        .contains("user not authenticated by filter");
    assertThat(web("GET", "/open?op=LISTSTATUS" + shown).statusCode()).isEqualTo(200);
    HttpResponse<String> made = web("PUT", "/open/web?op=MKDIRS&user.name=hdfs&doas=bob" + shown);
    assertThat(made.statusCode()).as(made.body()).isEqualTo(200);
    assertThat(web("GET", "/open/web?op=GETFILESTATUS" + shown).body())
        .contains("\"owner\":\"alice\"");
    AUDIT.await(
        "allowed=true\tugi=alice@EXAMPLE\\.COM \\(auth:TOKEN\\)\t.*cmd=mkdirs\tsrc=/open/web\t"
            + ".*proto=webhdfs");
  }

  @Test
  void aTokenBegetsNoTokenByHttpEither() throws Exception {
    Token<?> token = token(login("alice"), "alice");
    String shown = "&delegation=" + token.encodeToUrlString();
    HttpResponse<String> another = web("GET", "/?op=GETDELEGATIONTOKEN" + shown);
    assertThat(another.statusCode()).isEqualTo(400);
    assertThat(another.body()).contains("delegation parameter is not null.");
    HttpResponse<String> renewed =
        web("PUT", "/?op=RENEWDELEGATIONTOKEN&token=" + token.encodeToUrlString() + shown);
    assertThat(renewed.statusCode()).isEqualTo(403);
    assertThat(renewed.body())
        .contains("Delegation Token can be renewed only with kerberos or web authentication");
  }

  @Test
  void aTokenIsCancelledByHttpAndLetsNobodyInAfterwards() throws Exception {
    Token<?> token = token(login("alice"), "bob");
    Token<?> forged =
        new Token<>(token.getIdentifier(), new byte[20], token.getKind(), token.getService());
    HttpResponse<String> refused =
        web("GET", "/?op=LISTSTATUS&delegation=" + forged.encodeToUrlString());
    assertThat(refused.statusCode()).isEqualTo(403);
    assertThat(refused.body()).contains("is invalid, password doesn't match");
    String text = token.encodeToUrlString();
    assertThat(web("GET", "/?op=LISTSTATUS&delegation=" + text).statusCode()).isEqualTo(200);
    HttpResponse<String> cancelled =
        web("PUT", "/?op=CANCELDELEGATIONTOKEN&token=" + text + "&delegation=" + text);
    assertThat(cancelled.statusCode()).as(cancelled.body()).isEqualTo(200);
    HttpResponse<String> gone = web("GET", "/?op=LISTSTATUS&delegation=" + text);
    assertThat(gone.statusCode()).isEqualTo(403);
    assertThat(gone.body())
        .contains("SecretManager$InvalidToken: Token for real user: , can't be found in cache");
    assertRefused(token, "can't be found in cache");
    assertThat(web("GET", "/?op=LISTSTATUS&delegation=AAAA").statusCode()).isEqualTo(403);
  }
}
