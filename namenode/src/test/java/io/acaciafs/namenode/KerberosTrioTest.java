package io.acaciafs.namenode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.kv.testkit.TestAuthority;
import io.acaciafs.kv.testkit.TestAuthority.Issued;
import io.acaciafs.namenode.ha.ForwardProtocol;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URL;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.apache.hadoop.ha.protocolPB.HAServiceProtocolClientSideTranslatorPB;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.NameNodeProxies;
import org.apache.hadoop.hdfs.security.token.delegation.DelegationTokenSelector;
import org.apache.hadoop.hdfs.server.protocol.NamenodeProtocol;
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
import org.apache.hadoop.security.token.TokenInfo;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Three NameNodes by Raft with Kerberos, and Hadoop's own client. */
@Timeout(300)
class KerberosTrioTest {
  private static final List<String> IDS = List.of("nn1", "nn2", "nn3");
  private static final org.apache.hadoop.fs.Path SHARED = new org.apache.hadoop.fs.Path("/shared");

  /** What NameNodes say to each other. */
  @KerberosInfo(serverPrincipal = "dfs.namenode.kerberos.principal")
  @TokenInfo(DelegationTokenSelector.class)
  @ProtocolInfo(protocolName = ForwardProtocol.NAME, protocolVersion = 1)
  private interface Forwards extends GenericRefreshProtocolService.BlockingInterface {}

  @TempDir static Path folder;
  private static TestKdc kdc;
  private static final Map<String, Configuration> SITES = new LinkedHashMap<>();
  private static final Map<String, NameNode> NAME_NODES = new LinkedHashMap<>();
  private static UserGroupInformation superuser;

  @BeforeAll
  static void start() throws Exception {
    kdc = new TestKdc(folder, "nn/localhost", "HTTP/localhost", "alice", "bob", "oozie/localhost");
    Configuration all = kdc.site();
    all.set(
        "hadoop.security.auth_to_local",
        "RULE:[2:$1@$0](nn@EXAMPLE.COM)s/.*/hdfs/\n"
            + "RULE:[2:$1@$0](oozie@EXAMPLE.COM)s/@.*//\n"
            + "RULE:[1:$1@$0](.*@EXAMPLE.COM)s/@.*//");
    all.set("hadoop.user.group.static.mapping.overrides", "alice=workers;bob=others;hdfs=");
    all.set("hadoop.proxyuser.oozie.hosts", "127.0.0.1");
    all.set("hadoop.proxyuser.oozie.groups", "workers");
    all.set("dfs.web.authentication.kerberos.principal", "HTTP/_HOST" + TestKdc.REALM);
    all.set("dfs.web.authentication.kerberos.keytab", kdc.keytab("HTTP/localhost").toString());
    configure(all);
    TestKdc.use(all);
    Configuration first = SITES.get("nn1");
    NameNode.format(first, "CID-test", false);
    NAME_NODES.put("nn1", NameNode.start(first));
    for (String id : IDS.subList(1, IDS.size())) {
      NameNode.bootstrap(SITES.get(id));
      NAME_NODES.put(id, NameNode.start(SITES.get(id)));
    }
    superuser = UserGroupInformation.getLoginUser();
    awaitLeader();
    try (DistributedFileSystem fs = to("nn1", superuser)) {
      fs.mkdirs(SHARED);
      fs.setPermission(SHARED, new FsPermission((short) 0777));
    }
  }

  private static void configure(Configuration all) throws Exception {
    TestAuthority authority = new TestAuthority(folder.resolve("authority"));
    List<String> members = new ArrayList<>();
    all.set("fs.defaultFS", "hdfs://trio");
    all.set("dfs.nameservices", "trio");
    all.set("dfs.ha.namenodes.trio", String.join(",", IDS));
    all.set(
        "dfs.client.failover.proxy.provider.trio",
        "org.apache.hadoop.hdfs.server.namenode.ha.ConfiguredFailoverProxyProvider");
    for (String id : IDS) {
      members.add(id + "=127.0.0.1:" + freePort());
      all.set("dfs.namenode.rpc-address.trio." + id, "localhost:" + freePort());
      all.set("dfs.namenode.http-address.trio." + id, "localhost:0");
      all.set("dfs.namenode.name.dir.trio." + id, folder.resolve(id).toString());
    }
    all.set("acacia.store.engine", "raft");
    all.set("acacia.store.raft.members", String.join(",", members));
    for (String id : IDS) {
      Configuration own = new Configuration(all);
      own.set("dfs.ha.namenode.id", id);
      Issued files = authority.issue();
      own.set("acacia.store.raft.tls.key.file", files.key().toString());
      own.set("acacia.store.raft.tls.certificate.file", files.certificate().toString());
      own.set("acacia.store.raft.tls.authority.file", files.authorities().toString());
      SITES.put(id, own);
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private static String awaitLeader() throws Exception {
    long endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (true) {
      for (String id : NAME_NODES.keySet()) {
        if (state(id) == HAServiceState.ACTIVE) {
          return id;
        }
      }
      assertThat(System.nanoTime()).isLessThan(endNanos);
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }

  private static HAServiceState state(String id) throws Exception {
    Configuration admin = new Configuration(SITES.get(id));
    admin.set("hadoop.security.service.user.name.key", "nn/localhost" + TestKdc.REALM);
    return superuser.doAs(
        (PrivilegedExceptionAction<HAServiceState>)
            () -> {
              HAServiceProtocolClientSideTranslatorPB nameNode =
                  new HAServiceProtocolClientSideTranslatorPB(
                      NAME_NODES.get(id).rpcAddress(), admin);
              try {
                return nameNode.getServiceStatus().getState();
              } finally {
                nameNode.close();
              }
            });
  }

  private static String standby() throws Exception {
    String leader = awaitLeader();
    return NAME_NODES.keySet().stream().filter(id -> !id.equals(leader)).findFirst().orElseThrow();
  }

  private static DistributedFileSystem to(String id, UserGroupInformation user) throws Exception {
    return TestKdc.fileSystem(
        user, SITES.get(id), "hdfs://" + SITES.get(id).get("dfs.namenode.rpc-address.trio." + id));
  }

  @AfterAll
  static void stop() throws Exception {
    for (NameNode each : NAME_NODES.values()) {
      each.close();
    }
    kdc.close();
  }

  private static org.apache.hadoop.fs.Path made(String name) {
    return new org.apache.hadoop.fs.Path(SHARED, name);
  }

  /** Whether it leads or stands by. */
  @Test
  void eachWantsATicketByHttpAndKeepsPagesForAdministrators() throws Exception {
    for (NameNode nameNode : NAME_NODES.values()) {
      String web = "http://localhost:" + nameNode.httpAddress().getPort();
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

  private static int status(UserGroupInformation user, String page) throws Exception {
    return user.doAs(
        (PrivilegedExceptionAction<Integer>)
            () -> {
              AuthenticatedURL.Token token = new AuthenticatedURL.Token();
              URL base = URI.create(page).resolve("/index.html").toURL();
              AuthenticatedURL client = new AuthenticatedURL();
              client.openConnection(base, token);
              return client.openConnection(URI.create(page).toURL(), token).getResponseCode();
            });
  }

  @Test
  void aCallThatComesByAStandbyIsItsUsers() throws Exception {
    try (DistributedFileSystem fs = to(standby(), kdc.login("alice"))) {
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
        to(standby(), UserGroupInformation.createProxyUser("alice", oozie))) {
      fs.mkdirs(made("by-oozie"));
      assertThat(fs.getFileStatus(made("by-oozie")).getOwner()).isEqualTo("alice");
    }
    try (DistributedFileSystem fs =
        to(standby(), UserGroupInformation.createProxyUser("bob", oozie))) {
      assertThatThrownBy(() -> fs.mkdirs(made("by-oozie-for-bob")))
          .hasMessageContaining("oozie/localhost@EXAMPLE.COM is not allowed to impersonate bob");
    }
  }

  /** As a NameNode would, to have the leader run a call of somebody else. */
  @Test
  void aUserHandsOnNoCalls() throws Exception {
    assertThatThrownBy(() -> handOn(kdc.login("alice")))
        .cause()
        .hasMessageContaining("alice@EXAMPLE.COM (auth:KERBEROS) is not authorized for protocol")
        .hasMessageContaining("this service is only accessible by nn/localhost@EXAMPLE.COM");
  }

  /** Else its holder could have tokens issued as long as it likes. */
  @Test
  void aTokenOfANameNodeHandsOnNoCalls() throws Exception {
    Token<?> token;
    try (DistributedFileSystem fs = to(awaitLeader(), superuser)) {
      token = fs.getDelegationToken("nobody");
    }
    UserGroupInformation holder = UserGroupInformation.createRemoteUser("holder");
    SecurityUtil.setTokenService(token, NAME_NODES.get(awaitLeader()).rpcAddress());
    holder.addToken(token);
    assertThatThrownBy(() -> handOn(holder))
        .cause()
        .hasMessageContaining("nn/localhost@EXAMPLE.COM (auth:TOKEN)")
        .hasMessageContaining("Calls are handed on by NameNodes alone");
  }

  private static void handOn(UserGroupInformation user) throws Exception {
    Configuration conf = new Configuration(SITES.get("nn1"));
    RPC.setProtocolEngine(conf, Forwards.class, ProtobufRpcEngine2.class);
    conf.setInt("ipc.client.connect.max.retries.on.sasl", 1);
    Forwards leader =
        RPC.getProxy(
            Forwards.class,
            1,
            NAME_NODES.get(awaitLeader()).rpcAddress(),
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
    String standby = standby();
    NamenodeProtocol nameNode =
        NameNodeProxies.createNonHAProxy(
                SITES.get(standby),
                NAME_NODES.get(standby).rpcAddress(),
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

  private static DistributedFileSystem toAll(UserGroupInformation user) throws Exception {
    return TestKdc.fileSystem(user, SITES.get("nn1"), "hdfs://trio");
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
    try (DistributedFileSystem fs = toAll(alice)) {
      token = fs.getDelegationToken("bob");
    }
    assertThat(token.getService()).hasToString("ha-hdfs:trio");
    try (DistributedFileSystem fs = toAll(holder(token))) {
      fs.mkdirs(made("by-token"));
      assertThat(fs.getFileStatus(made("by-token")).getOwner()).isEqualTo("alice");
    }
    String issuer = awaitLeader();
    NAME_NODES.remove(issuer).close();
    try {
      awaitLeader();
      try (DistributedFileSystem fs = toAll(holder(token))) {
        assertThat(fs.getFileStatus(made("by-token")).getOwner()).isEqualTo("alice");
      }
      Configuration client = SITES.get("nn1");
      long renewedMs =
          kdc.login("bob").doAs((PrivilegedExceptionAction<Long>) () -> token.renew(client));
      assertThat(renewedMs).isGreaterThan(System.currentTimeMillis());
      alice.doAs(
          (PrivilegedExceptionAction<Void>)
              () -> {
                token.cancel(client);
                return null;
              });
    } finally {
      NAME_NODES.put(issuer, NameNode.start(SITES.get(issuer)));
    }
    try (DistributedFileSystem fs = toAll(holder(token))) {
      assertThatThrownBy(() -> fs.getFileStatus(made("by-token")))
          .hasMessageContaining("Token for real user: , can't be found in cache");
    }
  }

  /** Where its replica may lag behind: the client asks the next one. */
  @Test
  void aStandbySendsWhoShowsATokenOn() throws Exception {
    String standby = standby();
    Token<?> token;
    try (DistributedFileSystem fs = to(standby, kdc.login("alice"))) { // by the leader
      token = fs.getDelegationToken("bob");
    }
    token.setService(SecurityUtil.buildTokenService(NAME_NODES.get(standby).rpcAddress()));
    try (DistributedFileSystem fs = to(standby, holder(token))) {
      assertThatThrownBy(() -> fs.getFileStatus(SHARED))
          .isInstanceOfSatisfying(
              RemoteException.class,
              e -> assertThat(e.getClassName()).isEqualTo(StandbyException.class.getName()));
    }
  }

  @Test
  void aNameNodeWithoutCertificatesIsRefused() {
    Configuration open = new Configuration(SITES.get("nn1"));
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
