package io.acaciafs.systemtests.harness;

import io.acaciafs.kv.hbase.local.FreePorts;
import io.acaciafs.kv.testkit.TestAuthority;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;

/** The settings of a cluster with Kerberos. Not thread-safe. */
final class SecureSite {
  private static final String SERVICE = "many";

  /** Short names of users; alice is in the group workers, bob in others. */
  private static final List<String> PRINCIPALS =
      List.of("nn/localhost", "dn/localhost", "HTTP/localhost", "hdfs", "alice", "bob");

  private final Configuration conf = new Configuration(false);
  private final List<Integer> ports = new ArrayList<>(List.of(FreePorts.next()));
  private final int httpsPort = FreePorts.next();

  /**
   * Of one NameNode, nn/localhost, and DataNodes dn/localhost.
   *
   * @param folder of the cluster
   * @param protection of calls and of data: authentication, integrity or privacy
   */
  SecureSite(Path folder, Kdc kdc, String protection) throws Exception {
    for (String principal : PRINCIPALS) {
      kdc.create(principal);
    }
    conf.set("fs.defaultFS", "hdfs://localhost:" + port(0));
    conf.set("dfs.namenode.rpc-address", "localhost:" + port(0));
    conf.set("dfs.http.policy", "HTTPS_ONLY");
    conf.set("dfs.namenode.https-address", "localhost:" + httpsPort);
    conf.set("dfs.web.authentication.kerberos.principal", "HTTP/_HOST" + Kdc.REALM);
    conf.set("dfs.web.authentication.kerberos.keytab", kdc.keytab("HTTP/localhost").toString());
    conf.set("hadoop.tmp.dir", folder.resolve("tmp").toString());
    conf.set("dfs.namenode.name.dir", folder.resolve("name").toUri().toString());
    conf.set("dfs.namenode.safemode.extension", "0");
    conf.set("dfs.heartbeat.interval", "1");
    conf.set("dfs.namenode.redundancy.interval.seconds", "1");
    conf.set("dfs.namenode.redundancy.considerLoad", "false");
    conf.set("dfs.replication", "2");
    conf.set("hadoop.security.authentication", "kerberos");
    conf.set("hadoop.security.authorization", "true");
    conf.set("hadoop.rpc.protection", protection);
    conf.set("dfs.data.transfer.protection", protection);
    conf.set("dfs.block.access.token.enable", "true");
    conf.set(
        "hadoop.security.auth_to_local",
        "RULE:[2:$1/$2@$0]([nd]n[1-3]?/.*@EXAMPLE.COM)s/.*/hdfs/\nDEFAULT");
    conf.set("hadoop.user.group.static.mapping.overrides", "alice=workers;bob=others;hdfs=");
    conf.set("dfs.namenode.kerberos.principal", "nn/_HOST" + Kdc.REALM);
    conf.set("dfs.namenode.keytab.file", kdc.keytab("nn/localhost").toString());
    conf.set("dfs.datanode.kerberos.principal", "dn/_HOST" + Kdc.REALM);
    conf.set("dfs.datanode.keytab.file", kdc.keytab("dn/localhost").toString());
    // The renewer of tokens of jobs in one process, which end before a token does.
    conf.set("yarn.resourcemanager.principal", "rm/_HOST" + Kdc.REALM);
  }

  /**
   * Several NameNodes in the place of one. Clients and DataNodes know all, and ask nn1 first.
   *
   * @param count at least two
   */
  void describeService(int count) throws IOException {
    while (ports.size() < count) {
      ports.add(FreePorts.next());
    }
    conf.unset("dfs.namenode.rpc-address");
    conf.unset("dfs.namenode.https-address");
    conf.set("fs.defaultFS", "hdfs://" + SERVICE);
    conf.set("dfs.nameservices", SERVICE);
    conf.set(
        "dfs.ha.namenodes." + SERVICE,
        IntStream.range(0, count).mapToObj(SecureSite::id).collect(Collectors.joining(",")));
    conf.set(
        "dfs.client.failover.proxy.provider." + SERVICE,
        "org.apache.hadoop.hdfs.server.namenode.ha.ConfiguredFailoverProxyProvider");
    conf.set("dfs.client.failover.random.order", "false");
    for (int i = 0; i < ports.size(); i++) {
      String suffix = "." + SERVICE + "." + id(i);
      conf.set("dfs.namenode.rpc-address" + suffix, "localhost:" + ports.get(i));
      int https = i == 0 ? httpsPort : FreePorts.next();
      conf.set("dfs.namenode.https-address" + suffix, "localhost:" + https);
    }
  }

  /**
   * Of the NameNodes of a service, which are members of a Raft group, each with a principal of its
   * own.
   */
  void describeMembers(Kdc kdc) throws Exception {
    List<String> members = new ArrayList<>();
    for (int i = 0; i < ports.size(); i++) {
      members.add(id(i) + "=127.0.0.1:" + FreePorts.next());
      String principal = id(i) + "/localhost";
      kdc.create(principal);
      describeLogin(conf, kdc, i, principal);
    }
    // haadmin believes dfs.namenode.kerberos.principal alone otherwise
    conf.set("hadoop.security.service.user.name.key.pattern", "nn[123]/localhost" + Kdc.REALM);
    conf.set("acacia.store.engine", "raft");
    conf.set("acacia.store.raft.members", String.join(",", members));
  }

  /** Whom a NameNode of a service logs in as. */
  static void describeLogin(Configuration conf, Kdc kdc, int index, String principal) {
    String suffix = "." + SERVICE + "." + id(index);
    conf.set("dfs.namenode.kerberos.principal" + suffix, principal + Kdc.REALM);
    conf.set("dfs.namenode.keytab.file" + suffix, kdc.keytab(principal).toString());
  }

  /** What a member says to the others that it is. */
  static Map<String, String> certificate(TestAuthority authority) throws Exception {
    TestAuthority.Issued files = authority.issue();
    return Map.of(
        "acacia.store.raft.tls.key.file", files.key().toString(),
        "acacia.store.raft.tls.certificate.file", files.certificate().toString(),
        "acacia.store.raft.tls.authority.file", files.authorities().toString());
  }

  /** The NameNode's name in the service. */
  static String id(int index) {
    return "nn" + (index + 1);
  }

  /** What all have in common. */
  Configuration conf() {
    return conf;
  }

  /** Where a NameNode listens for calls, on localhost. */
  int port(int index) {
    return ports.get(index);
  }

  /** The port of HTTPS, of the first NameNode. */
  int httpsPort() {
    return httpsPort;
  }

  /** All users may do what HDFS lets all do, and refresh nothing. */
  static void writePolicy(Path folder) throws IOException {
    Configuration policy = new Configuration(false);
    for (String refresh : List.of("policy", "user.mappings", "callqueue")) {
      policy.set("security.refresh." + refresh + ".protocol.acl", "hdfs");
    }
    try (OutputStream out = Files.newOutputStream(folder.resolve("conf/hadoop-policy.xml"))) {
      policy.writeXml(out);
    }
  }
}
