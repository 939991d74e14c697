package io.acaciafs.systemtests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.kv.hbase.local.FreePorts;
import io.acaciafs.systemtests.harness.Await;
import io.acaciafs.systemtests.harness.Cluster;
import io.acaciafs.systemtests.harness.Content;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FsShell;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocolPB.DatanodeLifelineProtocolClientSideTranslatorPB;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.protocol.DatanodeRegistration;
import org.apache.hadoop.hdfs.server.protocol.StorageReport;
import org.apache.hadoop.hdfs.tools.DFSAdmin;
import org.apache.hadoop.ipc.CallerContext;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authorize.AuthorizationException;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Settings by which a site protects its files and directs its DataNodes. */
@Timeout(120)
class SiteSettingsTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Map<String, String> SETTINGS = new HashMap<>();
  private static int servicePort;
  private static int lifelinePort;
  private static Cluster cluster;

  private record Printed(int code, String text) {}

  @BeforeAll
  static void start() throws Exception {
    servicePort = FreePorts.next();
    lifelinePort = FreePorts.next();
    SETTINGS.put("fs.protected.directories", "/user");
    SETTINGS.put("hadoop.security.authorization", "true");
    SETTINGS.put("dfs.namenode.servicerpc-address", "127.0.0.1:" + servicePort);
    SETTINGS.put("dfs.namenode.lifeline.rpc-address", "127.0.0.1:" + lifelinePort);
    Cluster.Builder builder =
        Cluster.builder("site-settings").jvmOptions("-Dhdfs.audit.logger=INFO,RFAAUDIT");
    SETTINGS.forEach(builder::set);
    cluster = builder.start();
  }

  @AfterAll
  static void stop() throws Exception {
    if (cluster != null) {
      cluster.close();
    }
  }

  private static Printed run(Configured tool, String... arguments) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream out = System.out;
    PrintStream err = System.err;
    try (PrintStream both = new PrintStream(bytes, true, StandardCharsets.UTF_8)) {
      System.setOut(both);
      System.setErr(both);
      return new Printed(
          ToolRunner.run(cluster.clientConfiguration(), (Tool) tool, arguments),
          bytes.toString(StandardCharsets.UTF_8));
    } finally {
      System.setOut(out);
      System.setErr(err);
    }
  }

  private static String whatTheShellSays(String... arguments) throws Exception {
    Printed printed = run(new FsShell(), arguments);
    return printed.code() + " " + printed.text().strip();
  }

  @Test
  void aProtectedDirectoryStaysUntilTheSiteSaysOtherwise() throws Exception {
    cluster.fileSystem().mkdirs(new Path("/user/alice"));
    assertThat(whatTheShellSays("-rm", "-r", "-skipTrash", "/user"))
        .isEqualTo("1 rm: Cannot delete/rename non-empty protected directory /user");
    assertThat(whatTheShellSays("-mv", "/user", "/elsewhere"))
        .contains("Cannot delete/rename non-empty protected directory /user");

    reread("fs.protected.directories", "/other");
    assertThat(whatTheShellSays("-rm", "-r", "-skipTrash", "/user")).startsWith("0 Deleted /user");
    cluster.configure(SETTINGS);
  }

  @Test
  void aDirectoryHoldsAsManyEntriesAsTheSiteSaysNow() throws Exception {
    cluster.fileSystem().mkdirs(new Path("/limited/a"));
    cluster.fileSystem().mkdirs(new Path("/limited/b"));
    reread("dfs.namenode.fs-limits.max-directory-items", "2");
    assertThatThrownBy(() -> cluster.fileSystem().mkdirs(new Path("/limited/c")))
        .hasMessageContaining("The directory item limit of /limited is exceeded: limit=2 items=2");
    reread("dfs.namenode.fs-limits.max-directory-items", "3");
    assertThat(cluster.fileSystem().mkdirs(new Path("/limited/c"))).isTrue();
    cluster.configure(SETTINGS);
  }

  @Test
  void auditLinesTellCallerContextsOnceTheSiteWantsThem() throws Exception {
    CallerContext.setCurrent(new CallerContext.Builder("the-job").build());
    try {
      cluster.fileSystem().mkdirs(new Path("/without-context"));
      reread("hadoop.caller.context.enabled", "true");
      cluster.fileSystem().mkdirs(new Path("/with-context"));
      assertThat(auditLine("/without-context")).doesNotContain("the-job");
      assertThat(auditLine("/with-context")).endsWith("\tcallerContext=the-job");
    } finally {
      CallerContext.setCurrent(null);
      cluster.configure(SETTINGS);
    }
  }

  private static String auditLine(String directory) throws Exception {
    java.nio.file.Path log = cluster.folder().resolve("hdfs-audit.log");
    String source = "cmd=mkdirs\tsrc=" + directory + "\t";
    Await.until("the audit line", LIMIT, () -> Files.readString(log).contains(source));
    return Files.readAllLines(log).stream()
        .filter(line -> line.contains(source))
        .findFirst()
        .orElseThrow();
  }

  /** Changes a setting in the site's file and has the NameNode read it. */
  private static void reread(String property, String value) throws Exception {
    Map<String, String> settings = new HashMap<>(SETTINGS);
    settings.put(property, value);
    cluster.configure(settings);
    String address = "127.0.0.1:" + cluster.port();
    assertThat(run(new DFSAdmin(), "-reconfig", "namenode", address, "start").code()).isZero();
    String done = "SUCCESS: Changed property " + property + "\n";
    String changed = "To: \"" + value + "\"\n";
    Await.until(
        "the end of the reconfiguration",
        LIMIT,
        () -> {
          String status = run(new DFSAdmin(), "-reconfig", "namenode", address, "status").text();
          return status.contains(done) && status.contains(changed);
        });
  }

  /** The DataNode has registered there: the cluster would not have started otherwise. */
  @Test
  void dataNodesComeToTheServiceAddress() throws Exception {
    assertThat(cluster.fileSystem().getDataNodeStats()).hasSize(1);
    try (FileSystem there =
        FileSystem.newInstance(
            new Path("hdfs://127.0.0.1:" + servicePort).toUri(), cluster.clientConfiguration())) {
      assertThat(there.exists(new Path("/"))).isTrue();
    }
  }

  @Test
  void lifelinesAreTakenAtTheirAddress() throws Exception {
    DataNode dataNode = cluster.dataNodes().get(0);
    DatanodeRegistration registration =
        dataNode.getDNRegistrationForBP(blockPool(new Path("/lifeline")));
    try (DatanodeLifelineProtocolClientSideTranslatorPB lifeline =
        new DatanodeLifelineProtocolClientSideTranslatorPB(
            new InetSocketAddress("127.0.0.1", lifelinePort), new Configuration())) {
      lifeline.sendLifeline(registration, StorageReport.EMPTY_ARRAY, 0, 0, 0, 0, 0, null);
    }
  }

  private static String blockPool(Path file) throws Exception {
    new Content(1, 10).write(cluster.fileSystem(), file);
    return cluster
        .fileSystem()
        .getClient()
        .getLocatedBlocks(file.toString(), 0)
        .get(0)
        .getBlock()
        .getBlockPoolId();
  }

  @Test
  void whomThePolicyExcludesIsRefusedOnceItIsReread() throws Exception {
    exists("bob");
    policy(UserGroupInformation.getCurrentUser().getShortUserName());
    assertThatThrownBy(() -> exists("bob"))
        .isInstanceOfSatisfying(
            RemoteException.class,
            e -> assertThat(e.getClassName()).isEqualTo(AuthorizationException.class.getName()))
        .hasMessage(
            "User bob (auth:SIMPLE) is not authorized for protocol interface"
                + " org.apache.hadoop.hdfs.protocol.ClientProtocol: denied by configured ACL");
    policy("*");
    exists("bob");
  }

  private static void policy(String whoMaySpeakTheClientProtocol) throws Exception {
    Configuration policy = new Configuration(false);
    policy.set("security.client.protocol.acl", whoMaySpeakTheClientProtocol);
    try (var out = Files.newOutputStream(cluster.folder().resolve("conf/hadoop-policy.xml"))) {
      policy.writeXml(out);
    }
    assertThat(run(new DFSAdmin(), "-refreshServiceAcl").text())
        .contains("Refresh service acl successful");
  }

  /** Over a connection of its own. */
  private static void exists(String user) throws IOException, InterruptedException {
    UserGroupInformation.createRemoteUser(user)
        .doAs(
            (PrivilegedExceptionAction<Void>)
                () -> {
                  try (FileSystem own = cluster.newFileSystem()) {
                    own.getFileStatus(new Path("/"));
                  }
                  return null;
                });
  }
}
