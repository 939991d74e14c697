package io.acaciafs.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.kv.testkit.TestAuthority;
import io.acaciafs.kv.testkit.TestAuthority.Issued;
import io.acaciafs.namenode.backup.Backup;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.apache.hadoop.ha.HAServiceProtocol.RequestSource;
import org.apache.hadoop.ha.HAServiceProtocol.StateChangeRequestInfo;
import org.apache.hadoop.ha.protocolPB.HAServiceProtocolClientSideTranslatorPB;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.UserGroupInformation;

/** Three NameNodes by Raft in this JVM, with Kerberos and certificates. */
final class KerberosTrio implements AutoCloseable {
  static final List<String> IDS = List.of("nn1", "nn2", "nn3");

  /** Everybody may write here. */
  static final org.apache.hadoop.fs.Path SHARED = new org.apache.hadoop.fs.Path("/shared");

  final Map<String, Configuration> sites = new LinkedHashMap<>();

  /** Those that run. */
  final Map<String, NameNode> nameNodes = new LinkedHashMap<>();

  /** Of the members' certificates. */
  final TestAuthority authority;

  private final Path folder;
  private final TestKdc kdc;

  private KerberosTrio(Path folder, TestKdc kdc) throws Exception {
    this.folder = folder;
    this.kdc = kdc;
    this.authority = new TestAuthority(folder.resolve("authority"));
  }

  /**
   * Starts them.
   *
   * @param kdc has nn/localhost
   * @param settings changes what the three and their clients have in common
   */
  static KerberosTrio start(Path folder, TestKdc kdc, Consumer<Configuration> settings)
      throws Exception {
    KerberosTrio trio = new KerberosTrio(folder, kdc);
    Configuration all = kdc.site();
    settings.accept(all);
    trio.configure(all);
    TestKdc.use(all);
    Configuration first = trio.sites.get("nn1");
    NameNode.format(first, "CID-test", false);
    trio.nameNodes.put("nn1", NameNode.start(first));
    for (String id : IDS.subList(1, IDS.size())) {
      NameNode.bootstrap(trio.sites.get(id));
      trio.nameNodes.put(id, NameNode.start(trio.sites.get(id)));
    }
    trio.awaitLeader();
    try (DistributedFileSystem fs = trio.to("nn1", trio.superuser())) {
      fs.mkdirs(SHARED);
      fs.setPermission(SHARED, new FsPermission((short) 0777));
    }
    return trio;
  }

  private void configure(Configuration all) throws Exception {
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
      sites.put(id, own);
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  /** Where a NameNode listens for the other members. */
  int memberPort(String id) {
    for (String member : sites.get(id).get("acacia.store.raft.members").split(",")) {
      if (member.startsWith(id + "=")) {
        return Integer.parseInt(member.substring(member.indexOf(':') + 1));
      }
    }
    throw new IllegalArgumentException(id);
  }

  /** With a ticket of its own: the NameNodes' is theirs. */
  UserGroupInformation superuser() throws IOException {
    return kdc.login("nn/localhost");
  }

  String awaitLeader() throws Exception {
    UserGroupInformation superuser = superuser();
    long endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (true) {
      for (String id : nameNodes.keySet()) {
        if (state(id, superuser) == HAServiceState.ACTIVE) {
          return id;
        }
      }
      assertThat(System.nanoTime()).isLessThan(endNanos);
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }

  private HAServiceState state(String id, UserGroupInformation superuser) throws Exception {
    return ask(id, superuser, nameNode -> nameNode.getServiceStatus().getState());
  }

  /** Has one lead, and the one that has led stand by. */
  void lead(String id) throws Exception {
    UserGroupInformation superuser = superuser();
    String before = awaitLeader();
    StateChangeRequestInfo byUser = new StateChangeRequestInfo(RequestSource.REQUEST_BY_USER);
    ask(
        id,
        superuser,
        nameNode -> {
          nameNode.transitionToActive(byUser);
          return id;
        });
    long endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (state(before, superuser) != HAServiceState.STANDBY) {
      assertThat(System.nanoTime()).isLessThan(endNanos);
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }

  private interface Question<T> {
    T ask(HAServiceProtocolClientSideTranslatorPB nameNode) throws IOException;
  }

  /** Has one make a backup, not there yet. */
  void backUp(UserGroupInformation user, String id, Path backup) throws Exception {
    user.doAs(
        (PrivilegedExceptionAction<String>) () -> Backup.make(forAdministrator(id), backup, id));
  }

  Configuration forAdministrator(String id) {
    Configuration admin = new Configuration(sites.get(id));
    admin.set("hadoop.security.service.user.name.key", "nn/localhost" + TestKdc.REALM);
    return admin;
  }

  private <T> T ask(String id, UserGroupInformation superuser, Question<T> question)
      throws Exception {
    Configuration admin = forAdministrator(id);
    return superuser.doAs(
        (PrivilegedExceptionAction<T>)
            () -> {
              HAServiceProtocolClientSideTranslatorPB nameNode =
                  new HAServiceProtocolClientSideTranslatorPB(
                      nameNodes.get(id).rpcAddress(), admin);
              try {
                return question.ask(nameNode);
              } finally {
                nameNode.close();
              }
            });
  }

  /** One that stands by. */
  String standby() throws Exception {
    String leader = awaitLeader();
    return nameNodes.keySet().stream().filter(id -> !id.equals(leader)).findFirst().orElseThrow();
  }

  /** A client of one NameNode. */
  DistributedFileSystem to(String id, UserGroupInformation user) throws Exception {
    return TestKdc.fileSystem(
        user, sites.get(id), "hdfs://" + sites.get(id).get("dfs.namenode.rpc-address.trio." + id));
  }

  /** A client of all. */
  DistributedFileSystem toAll(UserGroupInformation user) throws Exception {
    return TestKdc.fileSystem(user, sites.get("nn1"), "hdfs://trio");
  }

  @Override
  public void close() throws IOException {
    for (NameNode each : nameNodes.values()) {
      each.close();
    }
  }
}
