package io.acaciafs.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.namenode.ForbiddenCalls.Attempt;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.authorize.AuthorizationException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A user with a ticket asks for all that only the superuser, administrators or DataNodes may ask
 * for, past the checks of Hadoop's clients.
 */
@Timeout(300)
class KerberosSuperuserTest {
  @TempDir static Path folder;
  private static TestKdc kdc;
  private static Configuration conf;
  private static NameNode nameNode;
  private static ForbiddenCalls calls;
  private static LoggedLines audit;
  private static LoggedLines security;

  @BeforeAll
  static void start() throws Exception {
    audit = new LoggedLines(FSNamesystem.AUDIT_LOG.getName());
    security = new LoggedLines("SecurityLogger.org.apache.hadoop");
    kdc = new TestKdc(folder, "nn/localhost", "alice", "carol");
    conf = kdc.siteOfOne();
    conf.set(
        "hadoop.security.auth_to_local",
        "RULE:[2:$1@$0](nn@EXAMPLE.COM)s/.*/hdfs/\nRULE:[1:$1@$0](.*@EXAMPLE.COM)s/@.*//");
    conf.set("hadoop.user.group.static.mapping.overrides", "alice=others;carol=supergroup;hdfs=");
    ForbiddenCalls.recommendedPolicy().forEach(conf::set);
    conf.set("dfs.namenode.servicerpc-address", "localhost:0");
    conf.set("acacia.long.operation.threads", "1"); // which begin one by one
    TestKdc.use(conf);
    NameNode.format(conf, "CID-test", false);
    nameNode = NameNode.start(conf);
    calls = new ForbiddenCalls(kdc.login("alice"), conf, nameNode.rpcAddress().getPort());
  }

  @AfterAll
  static void stop() throws Exception {
    audit.close();
    security.close();
    if (nameNode != null) {
      nameNode.close();
    }
    kdc.close();
  }

  @Test
  void aUserIsNoSuperuser() throws Exception {
    assertThat(calls.wronglyAnswered(false)).isEmpty();
  }

  @Test
  void aUserIsNoSuperuserAtTheServiceAddress() throws Exception {
    int port = nameNode.moreRpcAddresses().get(0).getPort();
    ForbiddenCalls there = new ForbiddenCalls(kdc.login("alice"), conf, port);
    assertThat(there.wronglyAnswered(false)).isEmpty();
    there.beRefusedAll();
  }

  /** By dfs.permissions.superusergroup. */
  @Test
  void aMemberOfTheSupergroupIsASuperuser() throws Exception {
    assertThat(calls.call(kdc.login("carol"), Attempt.of("getDatanodeStorageReport"))).isNotNull();
    audit.await(
        "allowed=true\tugi=carol@EXAMPLE\\.COM \\(auth:KERBEROS\\)\t.*\tcmd=getDatanodeStorageReport\t");
  }

  /** HDFS names no operation here, and has no line in its audit log, where here is one. */
  @Test
  void aUserAsksForNoFileOfTheNameNode() throws Exception {
    assertThat(calls.failure(ForbiddenCalls.FILE_OF_THE_NAME_NODE))
        .hasMessageContaining("Access denied for user alice. Superuser privilege is required");
    audit.await(
        "allowed=false\tugi=alice@EXAMPLE\\.COM \\(auth:KERBEROS\\)\t.*"
            + "\tcmd=getMostRecentNameNodeFileTxId\tsrc=null\tdst=null\tperm=null");
  }

  /** The connection is refused. */
  @Test
  void aUserIsNoDataNodeAndRefreshesNothing() throws Exception {
    List<String> wrong = new ArrayList<>();
    for (Class<?> stub : ForbiddenCalls.OF_OTHERS) {
      for (String method : ForbiddenCalls.methods(stub)) {
        Throwable failure = calls.failure(new Attempt(stub, method, "", ""));
        if (!(failure instanceof RemoteException remote)
            || !remote.getClassName().equals(AuthorizationException.class.getName())
            || !remote.getMessage().contains("is not authorized for protocol interface")) {
          wrong.add(stub.getSimpleName() + " " + method + ": " + failure);
        }
      }
      security.await(
          "Authorization failed for alice@EXAMPLE\\.COM \\(auth:KERBEROS\\) for protocol=interface "
              + Pattern.quote(RPC.getProtocolName(stub)));
    }
    assertThat(wrong).isEmpty();
  }

  /** Backups, exports and members of the group, of a name that would be a line of its own. */
  @Test
  void aUserAsksForNoneOfTheNameNodesOwnCalls() throws Exception {
    List<Attempt> all = calls.ownCalls();
    assertThat(all).hasSizeGreaterThan(2);
    for (Attempt attempt : all) {
      assertThat(calls.failure(attempt))
          .as("%s", attempt)
          .hasMessageContaining("Access denied for user alice. Superuser privilege is required");
      audit.await(
          "allowed=false\tugi=alice@EXAMPLE\\.COM \\(auth:KERBEROS\\)\t.*\tcmd="
              + Pattern.quote(attempt.operation())
              + "\tsrc=/x\\\\nallowed=true\\\\tugi=hdfs\tdst=y\\\\n\tperm=null");
    }
  }

  @Test
  void whoWasRefusedLeavesNothingBehind() throws Exception {
    calls.beRefusedAll(); // whatever the first ones make
    Leftovers leftovers = Leftovers.since(nameNode);
    calls.beRefusedAll();
    leftovers.assertNone();
  }
}
