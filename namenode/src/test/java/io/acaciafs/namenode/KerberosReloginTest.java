package io.acaciafs.namenode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authentication.client.AuthenticatedURL;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** NameNodes that outlive their tickets and their keys. */
@Timeout(300)
class KerberosReloginTest {
  private static final org.apache.hadoop.fs.Path ROOT = new org.apache.hadoop.fs.Path("/");
  private static final Duration SHORT_LIFE = Duration.ofSeconds(10);

  @TempDir Path folder;

  private static void configure(Configuration all) {
    all.set(
        "hadoop.security.auth_to_local",
        "RULE:[2:$1@$0](nn@EXAMPLE.COM)s/.*/hdfs/\nRULE:[1:$1@$0](.*@EXAMPLE.COM)s/@.*//");
    all.set("hadoop.user.group.static.mapping.overrides", "alice=;hdfs=");
    all.set("hadoop.kerberos.min.seconds.before.relogin", "1");
    all.set("ipc.client.connection.maxidletime", "1000"); // and after that one connects anew
  }

  /** The next call of a NameNode to another one takes a ticket. */
  private static void awaitNoConnectionOfNameNodes() throws Exception {
    while (Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .anyMatch(name -> name.startsWith("IPC Client ") && name.contains("from nn/localhost"))) {
      TimeUnit.MILLISECONDS.sleep(50);
    }
  }

  /** By way of a NameNode that stands by, and so with its ticket. */
  private static void assertServes(KerberosTrio trio, TestKdc kdc, String standby)
      throws Exception {
    try (DistributedFileSystem fs = trio.to(standby, kdc.login("alice"))) {
      org.apache.hadoop.fs.Path made =
          new org.apache.hadoop.fs.Path(KerberosTrio.SHARED, "at-" + System.nanoTime());
      assertThat(fs.mkdirs(made)).isTrue();
      assertThat(fs.getFileStatus(made).getOwner()).isEqualTo("alice");
    }
  }

  /** Then, where the KDC is away when it is to log in anew, clients are let in as before. */
  @Test
  void aStandbyGoesOnAfterItsTicketHasEndedAndKeepsItsLoginWithoutAKdc() throws Exception {
    try (TestKdc kdc = new TestKdc(folder, SHORT_LIFE, "nn/localhost", "alice");
        LoggedLines log = new LoggedLines("io.acaciafs.namenode.ha")) {
      long endNs = System.nanoTime() + 2 * SHORT_LIFE.toNanos();
      try (KerberosTrio trio = KerberosTrio.start(folder, kdc, KerberosReloginTest::configure)) {
        String standby = trio.standby();
        boolean isLast;
        do {
          isLast = System.nanoTime() - endNs > 0;
          assertServes(trio, kdc, standby);
          awaitNoConnectionOfNameNodes();
        } while (!isLast);
        kdc.stop();
        log.await("Login of this NameNode at the others, will try again");
        assertThat(UserGroupInformation.getLoginUser().isLoginSuccess()).isTrue();
      }
    }
  }

  /** The one that leads refuses tickets for its old key, of which the others still have one. */
  @Test
  void aStandbyGoesOnWhenTheNameNodesGetAnotherKey() throws Exception {
    try (TestKdc kdc = new TestKdc(folder, "nn/localhost", "alice");
        KerberosTrio trio = KerberosTrio.start(folder, kdc, KerberosReloginTest::configure)) {
      String standby = trio.standby();
      assertServes(trio, kdc, standby);
      kdc.changeKey("nn/localhost");
      awaitNoConnectionOfNameNodes();
      assertServes(trio, kdc, standby);
    }
  }

  private static int webStatus(NameNode nameNode, UserGroupInformation user) throws Exception {
    URI page = URI.create("http://localhost:" + nameNode.httpAddress().getPort() + "/jmx");
    PrivilegedExceptionAction<Integer> ask =
        () -> {
          HttpURLConnection connection =
              new AuthenticatedURL().openConnection(page.toURL(), new AuthenticatedURL.Token());
          return connection.getResponseCode();
        };
    return user.doAs(ask);
  }

  private static void assertLetIn(NameNode nameNode, Configuration conf, UserGroupInformation user)
      throws Exception {
    try (DistributedFileSystem fs =
        TestKdc.fileSystem(user, conf, "hdfs://localhost:" + nameNode.rpcAddress().getPort())) {
      fs.getFileStatus(ROOT);
    }
    assertThat(webStatus(nameNode, user)).isEqualTo(200);
  }

  @Test
  void aNewKeyIsTakenUpWithoutARestart() throws Exception {
    try (TestKdc kdc = new TestKdc(folder, "nn/localhost", "HTTP/localhost", "alice")) {
      Configuration conf = kdc.siteOfOne();
      configure(conf);
      conf.set("dfs.web.authentication.kerberos.principal", "HTTP/_HOST" + TestKdc.REALM);
      conf.set("dfs.web.authentication.kerberos.keytab", kdc.keytab("HTTP/localhost").toString());
      TestKdc.use(conf);
      NameNode.format(conf, "CID-test", false);
      try (NameNode nameNode = NameNode.start(conf)) {
        UserGroupInformation alice = kdc.login("alice");
        assertLetIn(nameNode, conf, alice);
        kdc.changeKey("nn/localhost");
        kdc.changeKey("HTTP/localhost");
        Configuration another = new Configuration(conf); // else the connection of before serves
        another.setInt("ipc.client.connection.maxidletime", 2_000);
        // her ticket is for the key of before
        assertThatThrownBy(() -> assertLetIn(nameNode, another, alice));
        assertLetIn(nameNode, conf, kdc.login("alice"));
      }
    }
  }
}
