package io.acaciafs.namenode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.namenode.admin.ServiceAuthorization;
import io.acaciafs.namenode.token.TokenVerifier;
import io.acaciafs.rpc.sasl.Authentication;
import io.acaciafs.rpc.sasl.SaslNegotiation;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.util.EnumSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.crypto.CryptoProtocolVersion;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocolPB.DatanodeProtocolClientSideTranslatorPB;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.tools.DFSAdmin;
import org.apache.hadoop.io.EnumSetWritable;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcSaslProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcSaslProto.SaslState;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.HadoopKerberosName;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authentication.util.KerberosName;
import org.apache.hadoop.security.authorize.AuthorizationException;
import org.apache.hadoop.security.token.Token;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A NameNode with Kerberos, and Hadoop's own client. */
@Timeout(300)
class KerberosTest {
  private static final org.apache.hadoop.fs.Path ROOT = new org.apache.hadoop.fs.Path("/");

  @TempDir static Path folder;
  private static TestKdc kdc;
  private static Configuration conf;
  private static NameNode nameNode;
  private static final LoggedLines AUDIT = new LoggedLines(FSNamesystem.AUDIT_LOG.getName());
  private static final LoggedLines SECURITY = new LoggedLines("SecurityLogger.org.apache.hadoop");

  /** As the NameNode itself. */
  private static UserGroupInformation superuser;

  @BeforeAll
  static void start() throws Exception {
    kdc =
        new TestKdc(
            folder,
            "nn/localhost",
            "dn/localhost",
            "other/localhost",
            "alice",
            "bob",
            "carol",
            "oozie/localhost",
            "hive/localhost");
    conf = kdc.siteOfOne();
    conf.set(
        "hadoop.security.auth_to_local",
        "RULE:[2:$1/$2@$0]([nd]n/.*@EXAMPLE.COM)s/.*/hdfs/\n"
            + "RULE:[2:$1@$0](oozie@EXAMPLE.COM)s/@.*//\n"
            + "RULE:[2:$1@$0](hive@EXAMPLE.COM)s/@.*//\n"
            + "RULE:[1:$1@$0](carol@EXAMPLE.COM)s/.*/caroline/\n"
            + "RULE:[1:$1@$0](.*@EXAMPLE.COM)s/@.*//");
    TestKdc.allowProxies(conf);
    conf.set("security.refresh.policy.protocol.acl", "hdfs");
    TestKdc.use(conf);
    NameNode.format(conf, "CID-test", false);
    nameNode = NameNode.start(conf);
    superuser = UserGroupInformation.getLoginUser();
  }

  @AfterAll
  static void stop() throws Exception {
    AUDIT.close();
    SECURITY.close();
    if (nameNode != null) {
      nameNode.close();
    }
    kdc.close();
  }

  private static UserGroupInformation login(String name) throws IOException {
    return kdc.login(name);
  }

  private static DistributedFileSystem fileSystem(UserGroupInformation user, String protection)
      throws Exception {
    Configuration client = new Configuration(conf);
    client.set("hadoop.rpc.protection", protection);
    return TestKdc.fileSystem(user, client, uri());
  }

  private static String uri() {
    return "hdfs://localhost:" + nameNode.rpcAddress().getPort();
  }

  private static DistributedFileSystem fileSystem(UserGroupInformation user) throws Exception {
    return fileSystem(user, "authentication");
  }

  @ParameterizedTest
  @CsvSource({"authentication, alice", "integrity, bob", "privacy, carol"})
  void aTicketLetsAClientIn(String protection, String name) throws Exception {
    org.apache.hadoop.fs.Path home = new org.apache.hadoop.fs.Path("/open-" + name);
    try (DistributedFileSystem all = fileSystem(superuser)) {
      all.mkdirs(home);
      all.setPermission(home, new FsPermission((short) 0777));
      assertThat(all.getFileStatus(ROOT).getOwner()).isEqualTo("hdfs");
    }
    try (DistributedFileSystem own = fileSystem(login(name), protection)) {
      org.apache.hadoop.fs.Path made = new org.apache.hadoop.fs.Path(home, "a");
      for (int i = 0; i < 50; i++) {
        assertThat(own.mkdirs(new org.apache.hadoop.fs.Path(made, "child-" + i))).isTrue();
      }
      assertThat(own.listStatus(made)).hasSize(50);
      assertThat(own.getFileStatus(made).getOwner())
          .isEqualTo(name.equals("carol") ? "caroline" : name);
      assertThatThrownBy(() -> own.setOwner(made, "hdfs", null))
          .isInstanceOf(AccessControlException.class);
    }
    String user = name + "@EXAMPLE\\.COM \\(auth:KERBEROS\\)";
    AUDIT.await("allowed=true\tugi=" + user + "\t.*cmd=getfileinfo\tsrc=" + home);
    AUDIT.await("allowed=false\tugi=" + user + "\t.*cmd=setOwner\tsrc=" + home);
    SECURITY.await("Auth successful for " + user + " from 127\\.0\\.0\\.1:");
    SECURITY.await("Authorization successful for " + user + " for protocol=interface");
  }

  @Test
  void aClientWithoutATicketIsRefused() throws Exception {
    UserGroupInformation mallory = UserGroupInformation.createRemoteUser("alice");
    try (DistributedFileSystem stranger = fileSystem(mallory)) {
      assertThatThrownBy(() -> stranger.getFileStatus(ROOT))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("Client cannot authenticate via:[TOKEN, KERBEROS]");
    }
  }

  @Test
  void aClientThatOnlyNamesItselfIsRefused() throws Exception {
    try (Socket socket = new Socket("localhost", nameNode.rpcAddress().getPort())) {
      socket.setSoTimeout(60_000);
      socket.getOutputStream().write(new byte[] {'h', 'r', 'p', 'c', 9, 0, 0});
      assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1))
          .contains(
              "SIMPLE authentication is not enabled.  Available:[TOKEN, KERBEROS]",
              AccessControlException.class.getName());
    }
  }

  @Test
  void aPrincipalWithoutARuleIsRefused() throws Exception {
    String rules = KerberosName.getRules();
    UserGroupInformation other;
    try {
      KerberosName.setRules("RULE:[2:$1]"); // the client has another one
      other = login("other/localhost");
    } finally {
      KerberosName.setRules(rules);
    }
    try (DistributedFileSystem unnamed = fileSystem(other)) {
      assertThatThrownBy(() -> unnamed.getFileStatus(ROOT))
          .hasMessageContaining("No rules applied to other/localhost@EXAMPLE.COM");
    }
    SECURITY.await("Auth failed for 127\\.0\\.0\\.1:[0-9]+:null \\(.*No rules applied to other");
  }

  /** As when its keytab is not there for a moment, at the wrong one. */
  @Test
  void aLoginThatWasLostIsMadeAnewForTheNextClient() throws Exception {
    Path keytab = kdc.keytab("nn/localhost").toPath();
    Path away = folder.resolve("away.keytab");
    Files.move(keytab, away);
    SaslNegotiation next =
        Authentication.of(conf, superuser, new TokenVerifier())
            .begin(new InetSocketAddress("127.0.0.1", 1234), 8020);
    RpcSaslProto question = RpcSaslProto.newBuilder().setState(SaslState.NEGOTIATE).build();
    assertThat(next.mayWait(question)).isFalse();
    try (LoggedLines log = new LoggedLines("io.acaciafs.rpc.sasl")) {
      assertThatThrownBy(superuser::forceReloginFromKeytab).isInstanceOf(IOException.class);
      assertThat(superuser.isLoginSuccess()).isFalse();
      assertThat(next.mayWait(question)).as("for the KDC").isTrue();
      Files.move(away, keytab);
      try (DistributedFileSystem own = fileSystem(login("alice"))) {
        assertThat(own.getFileStatus(ROOT).getOwner()).isEqualTo("hdfs");
      }
      log.await("Logs in anew user=nn/localhost@EXAMPLE\\.COM");
      assertThat(superuser.isLoginSuccess()).isTrue();
    } finally {
      if (Files.exists(away)) {
        Files.move(away, keytab);
      }
    }
  }

  /** hadoop.security.auth_to_local.mechanism. */
  @Test
  void byMitsMechanismAPrincipalWithoutARuleKeepsItsName() throws Exception {
    org.apache.hadoop.fs.Path open = new org.apache.hadoop.fs.Path("/open-mit");
    try (DistributedFileSystem all = fileSystem(superuser)) {
      all.mkdirs(open);
      all.setPermission(open, new FsPermission((short) 0777));
    }
    Configuration mit = new Configuration(conf);
    mit.set("hadoop.security.auth_to_local.mechanism", "MIT");
    HadoopKerberosName.setConfiguration(mit);
    try {
      for (String name : new String[] {"other/localhost", "carol"}) {
        try (DistributedFileSystem own = fileSystem(login(name), "integrity")) {
          org.apache.hadoop.fs.Path made =
              new org.apache.hadoop.fs.Path(open, name.substring(0, 5));
          assertThat(own.mkdirs(made)).isTrue();
          assertThat(own.getFileStatus(made).getOwner())
              .isEqualTo(name.equals("carol") ? "caroline" : "other/localhost@EXAMPLE.COM");
        }
      }
    } finally {
      HadoopKerberosName.setConfiguration(conf);
    }
  }

  /** dfs.namenode.kerberos.principal.pattern, by default all. */
  @Test
  void aClientBelievesTheNameNodesOfAPattern() throws Exception {
    UserGroupInformation alice = login("alice");
    Configuration client = new Configuration(conf);
    client.set("hadoop.rpc.protection", "authentication");
    client.set("dfs.namenode.kerberos.principal", "nn/elsewhere@EXAMPLE.COM");
    client.set("dfs.namenode.kerberos.principal.pattern", "");
    assertRefuses(
        alice,
        client,
        "Server has invalid Kerberos principal: nn/localhost@EXAMPLE.COM,"
            + " expecting: nn/elsewhere@EXAMPLE.COM");
    client.set("dfs.namenode.kerberos.principal.pattern", "hdfs/*@EXAMPLE.COM");
    assertRefuses(
        alice,
        client,
        "Server has invalid Kerberos principal: nn/localhost@EXAMPLE.COM,"
            + " doesn't match the pattern: hdfs/*@EXAMPLE.COM");
    for (String pattern : new String[] {"nn/*@EXAMPLE.COM", "*"}) {
      client.set("dfs.namenode.kerberos.principal.pattern", pattern);
      try (DistributedFileSystem trusting = TestKdc.fileSystem(login("alice"), client, uri())) {
        assertThat(trusting.getFileStatus(ROOT).getOwner()).isEqualTo("hdfs");
      }
    }
    assertThat(conf.get("dfs.namenode.kerberos.principal.pattern")).isEqualTo("*");
  }

  private static void assertRefuses(UserGroupInformation user, Configuration client, String text)
      throws Exception {
    try (DistributedFileSystem wary = TestKdc.fileSystem(user, client, uri())) {
      assertThatThrownBy(() -> wary.getFileStatus(ROOT)).hasStackTraceContaining(text);
    }
  }

  @Test
  void aProxyUserWorksForWhomARuleNames() throws Exception {
    UserGroupInformation bob =
        UserGroupInformation.createProxyUser("bob", login("oozie/localhost"));
    org.apache.hadoop.fs.Path open = new org.apache.hadoop.fs.Path("/open-proxy");
    try (DistributedFileSystem all = fileSystem(superuser);
        DistributedFileSystem bobs = fileSystem(bob, "privacy")) {
      all.mkdirs(open);
      all.setPermission(open, new FsPermission((short) 0777));
      org.apache.hadoop.fs.Path made = new org.apache.hadoop.fs.Path(open, "a");
      assertThat(bobs.mkdirs(made)).isTrue();
      assertThat(bobs.getFileStatus(made).getOwner()).isEqualTo("bob");
    }
    AUDIT.await(
        "allowed=true\tugi=bob \\(auth:PROXY\\) via oozie/localhost@EXAMPLE\\.COM"
            + " \\(auth:KERBEROS\\)\t.*cmd=mkdirs\tsrc=/open-proxy/a\t.*proto=rpc");
  }

  @ParameterizedTest
  @CsvSource({
    "oozie/localhost, alice, is not allowed to impersonate alice", // not in the group
    "hive/localhost, bob, Unauthorized connection for super-user: hive/localhost@EXAMPLE.COM",
    "bob, alice, is not allowed to impersonate alice", // no rule
    "alice, hdfs, is not allowed to impersonate hdfs",
  })
  void nobodyElseWorksForAnother(String real, String effective, String text) throws Exception {
    UserGroupInformation user = UserGroupInformation.createProxyUser(effective, login(real));
    try (DistributedFileSystem fileSystem = fileSystem(user)) {
      assertThatThrownBy(() -> fileSystem.getFileStatus(ROOT))
          .isInstanceOfSatisfying(
              RemoteException.class,
              e -> assertThat(e.getClassName()).isEqualTo(AuthorizationException.class.getName()))
          .hasMessageContaining(text);
    }
  }

  @Test
  void onlyADataNodesPrincipalSpeaksAsADataNode() throws Exception {
    Configuration client = new Configuration(conf);
    InetSocketAddress address =
        new InetSocketAddress(InetAddress.getByName("localhost"), nameNode.rpcAddress().getPort());
    assertThatThrownBy(() -> askAsDataNode(login("alice"), address, client))
        .hasMessageContaining(
            "is not authorized for protocol interface"
                + " org.apache.hadoop.hdfs.server.protocol.DatanodeProtocol: this service is only"
                + " accessible by dn/localhost@EXAMPLE.COM");
    assertThatThrownBy(() -> askAsDataNode(superuser, address, client))
        .hasMessageContaining("only accessible by dn/localhost@EXAMPLE.COM");
    SECURITY.await(
        "Authorization failed for alice@EXAMPLE\\.COM .*DatanodeProtocol: this service is only");
    assertThatCode(() -> askAsDataNode(login("dn/localhost"), address, client))
        .doesNotThrowAnyException();
  }

  /** The principals that HDFS's protocols name for their clients; NamenodeProtocol names none. */
  @ParameterizedTest
  @CsvSource({
    "DatanodeProtocol, dn/localhost",
    "DatanodeLifelineProtocol, dn/localhost",
  })
  void aProtocolBetweenServersIsForItsPrincipalAlone(String protocol, String principal)
      throws Exception {
    String name = "org.apache.hadoop.hdfs.server.protocol." + protocol;
    ServiceAuthorization authorization = ServiceAuthorization.of(conf, () -> conf);
    InetAddress client = InetAddress.getByName("127.0.0.1"); // by its name, as _HOST stands for it
    assertThatCode(() -> authorization.authorize(login(principal), name, client))
        .doesNotThrowAnyException();
    String text = "this service is only accessible by " + principal + TestKdc.REALM;
    for (String other : new String[] {"alice", "oozie/localhost"}) {
      assertThatThrownBy(() -> authorization.authorize(login(other), name, client))
          .isInstanceOf(AuthorizationException.class)
          .hasMessageEndingWith(text);
    }
  }

  /** hadoop.security.authorization, as in HDFS. */
  @Test
  void withoutAuthorizationAnyUserSpeaksAsADataNode() throws Exception {
    Configuration open = new Configuration(conf);
    open.setBoolean("hadoop.security.authorization", false);
    open.set("dfs.namenode.name.dir", folder.resolve("open").toString());
    NameNode.format(open, "CID-open", false);
    try (NameNode other = NameNode.start(open)) {
      InetSocketAddress address =
          new InetSocketAddress(InetAddress.getByName("localhost"), other.rpcAddress().getPort());
      assertThatCode(() -> askAsDataNode(login("alice"), address, new Configuration(open)))
          .doesNotThrowAnyException();
    }
  }

  /** A DataNode knows users by no other; and nobody gets the kept reply of another user. */
  @Test
  void aBlockTokenIsForTheShortNameOfWhoAsks() throws Exception {
    String file = "/with-a-block";
    try (RoomyDatanode dataNode =
            login("dn/localhost")
                .doAs(
                    (PrivilegedExceptionAction<RoomyDatanode>)
                        () ->
                            new RoomyDatanode(
                                nameNode.rpcAddress(), conf, RoomyDatanode.LOCALHOST, "DS-1"));
        DistributedFileSystem all = fileSystem(superuser)) {
      write(all.getClient().getNamenode(), dataNode, file);
    }
    Token<?> token;
    try (DistributedFileSystem own = fileSystem(login("alice"))) {
      token = own.getDelegationToken("nobody");
    }
    UserGroupInformation holder = UserGroupInformation.createRemoteUser("holder");
    holder.addToken(token);
    try (DistributedFileSystem principals = fileSystem(login("carol"));
        DistributedFileSystem proxys =
            fileSystem(UserGroupInformation.createProxyUser("bob", login("oozie/localhost")));
        DistributedFileSystem holders = fileSystem(holder)) {
      for (int i = 0; i < 3; i++) {
        assertThat(userOf(blockOf(principals, file))).isEqualTo("caroline");
        assertThat(userOf(blockOf(proxys, file))).isEqualTo("bob");
        assertThat(userOf(blockOf(holders, file))).isEqualTo("alice");
      }
    }
  }

  private static void write(ClientProtocol nameNode, RoomyDatanode dataNode, String file)
      throws Exception {
    long id =
        nameNode
            .create(
                file,
                new FsPermission((short) 0644),
                "writer",
                new EnumSetWritable<>(EnumSet.of(CreateFlag.CREATE)),
                true,
                (short) 1,
                1 << 20,
                CryptoProtocolVersion.supported(),
                null,
                null)
            .getFileId();
    LocatedBlock block = nameNode.addBlock(file, "writer", null, null, id, null, null);
    assertThat(userOf(block)).isEqualTo("hdfs");
    block.getBlock().setNumBytes(1);
    dataNode.received(block.getBlock());
    assertThat(nameNode.complete(file, "writer", block.getBlock(), id)).isTrue();
  }

  private static LocatedBlock blockOf(DistributedFileSystem fs, String file) throws IOException {
    return fs.getClient().getLocatedBlocks(file, 0).get(0);
  }

  private static String userOf(LocatedBlock block) throws IOException {
    return block.getBlockToken().decodeIdentifier().getUserId();
  }

  private static void askAsDataNode(
      UserGroupInformation user, InetSocketAddress address, Configuration client) throws Exception {
    user.doAs(
        (PrivilegedExceptionAction<Void>)
            () -> {
              try (DatanodeProtocolClientSideTranslatorPB dataNode =
                  new DatanodeProtocolClientSideTranslatorPB(address, client)) {
                dataNode.versionRequest();
              }
              return null;
            });
  }

  @Test
  void thePolicyIsReadAnewForWhomItNames() throws Exception {
    Configuration client = new Configuration(conf);
    client.set("fs.defaultFS", uri());
    assertThat(refreshServiceAcl(login("alice"), client)).isNotZero();
    assertThat(refreshServiceAcl(superuser, client)).isZero();
  }

  private static int refreshServiceAcl(UserGroupInformation user, Configuration client)
      throws Exception {
    return user.doAs(
        (PrivilegedExceptionAction<Integer>)
            () -> {
              try {
                return new DFSAdmin(client).refreshServiceAcl();
              } catch (IOException e) {
                return -1;
              }
            });
  }

  @ParameterizedTest
  @CsvSource({
    "/webhdfs/v1/?op=LISTSTATUS&user.name=hdfs, user not authenticated by filter",
    "/webhdfs/v1/?op=LISTSTATUS, user not authenticated by filter",
    "/webhdfs/v1/?op=GETDELEGATIONTOKEN&user.name=hdfs, user not authenticated by filter",
    "/webhdfs/v1/f?op=OPEN&user.name=hdfs, user not authenticated by filter",
    "/webhdfs/v1/?op=LISTSTATUS&delegation=AAAA, SecretManager$InvalidToken",
    "/fsck?ugi=hdfs&path=/, user not authenticated by filter",
    "/check?user.name=hdfs, user not authenticated by filter",
    "/imagetransfer?getimage=1&txid=latest, user not authenticated by filter",
    "/conf?user.name=hdfs, Unauthenticated users are not authorized to access this page",
    "/logLevel?log=a&user.name=hdfs, Unauthenticated users are not authorized",
  })
  void withoutAPrincipalOfHttpNobodyIsBelieved(String pathAndQuery, String text) throws Exception {
    URI uri = URI.create("http://localhost:" + nameNode.httpAddress().getPort() + pathAndQuery);
    HttpResponse<String> response =
        HttpClient.newHttpClient()
            .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
    assertThat(response.statusCode()).isEqualTo(403);
    assertThat(response.body()).contains(text);
  }

  @Test
  void withoutAKeytabThereIsNoStart() throws IOException {
    Configuration none = new Configuration(conf);
    none.unset("dfs.namenode.keytab.file");
    none.set("dfs.namenode.name.dir", Files.createDirectory(folder.resolve("none")).toString());
    assertThatThrownBy(() -> NameNode.format(none, "CID-none", false))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("keytab");
  }
}
