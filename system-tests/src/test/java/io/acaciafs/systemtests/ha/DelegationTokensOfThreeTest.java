package io.acaciafs.systemtests.ha;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.acaciafs.systemtests.harness.HaCluster;
import io.acaciafs.systemtests.harness.HaOptions;
import io.acaciafs.systemtests.harness.Signals;
import java.net.URI;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.SecretManager.InvalidToken;
import org.apache.hadoop.security.token.Token;
import org.junit.jupiter.api.Test;

/** Delegation tokens of three NameNodes by Raft, whichever leads and whichever is left. */
class DelegationTokensOfThreeTest {
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final int REFUSALS = 3;

  private static UserGroupInformation holder(Token<?> token) {
    UserGroupInformation holder = UserGroupInformation.createRemoteUser("whoever");
    holder.addToken(token);
    return holder;
  }

  private static DistributedFileSystem fileSystem(Token<?> token, URI uri, Configuration conf)
      throws Exception {
    return holder(token)
        .doAs(
            (PrivilegedExceptionAction<DistributedFileSystem>)
                () -> (DistributedFileSystem) FileSystem.newInstance(uri, conf));
  }

  /** What one NameNode says to a client with the token that asks once; null: it lets it in. */
  private static Throwable answer(HaCluster cluster, int nameNode, Token<?> token)
      throws Exception {
    Configuration conf = cluster.clientConfiguration();
    conf.setInt("ipc.client.connect.max.retries", 0);
    conf.setInt("ipc.client.connect.max.retries.on.sasl", 1);
    Token<?> shown = token.copyToken();
    String address = cluster.rpcAddress(nameNode);
    SecurityUtil.setTokenService(shown, NetUtils.createSocketAddr(address));
    try (DistributedFileSystem fs = fileSystem(shown, URI.create("hdfs://" + address), conf)) {
      return catchThrowable(() -> fs.exists(new Path("/")));
    }
  }

  private static void assertGood(HaCluster cluster, Token<?> token, String owner, String name)
      throws Exception {
    Configuration conf = cluster.clientConfiguration();
    try (DistributedFileSystem fs = fileSystem(token, FileSystem.getDefaultUri(conf), conf)) {
      fs.mkdirs(new Path("/shared", name));
      assertThat(fs.getFileStatus(new Path("/shared", name)).getOwner()).isEqualTo(owner);
    }
  }

  @Test
  void aTokenOutlivesItsMakerAndIsNeverCalledInvalidWithoutAMajority() throws Exception {
    HaOptions options =
        new HaOptions(0, Map.of("dfs.namenode.delegation.token.always-use", "true"), false);
    try (HaCluster cluster = HaCluster.start("delegation-of-three", options);
        DistributedFileSystem fs = cluster.newFileSystem()) {
      fs.mkdirs(new Path("/shared"));
      String owner = UserGroupInformation.getCurrentUser().getShortUserName();
      int maker = cluster.awaitLeader();
      Token<?> token = fs.getDelegationToken("nobody");
      assertGood(cluster, token, owner, "before");

      cluster.nameNode(maker).kill(); // as kill -9
      int leader = cluster.awaitOtherLeader(maker);
      assertThat(answer(cluster, leader, token)).isNull();
      assertGood(cluster, token, owner, "after");
      cluster.startEnded();
      cluster.awaitFollowers();
      assertThat(cluster.nameNode(maker).isAlive()).isTrue();
      assertGood(cluster, token, owner, "again");

      leader = cluster.awaitLeader();
      for (int i = 0; i < cluster.size(); i++) {
        if (i != leader) {
          Signals.stop(cluster.nameNode(i).pid());
        }
      }
      try {
        refusedByOneAlone(cluster, leader, token);
      } finally {
        for (int i = 0; i < cluster.size(); i++) {
          if (i != leader) {
            Signals.resume(cluster.nameNode(i).pid());
          }
        }
      }
      cluster.awaitLeader();
      assertGood(cluster, token, owner, "with a majority");

      token.cancel(cluster.clientConfiguration());
      for (int i = 0; i < cluster.size(); i++) {
        int nameNode = i;
        assertThat(answer(cluster, nameNode, token))
            .as("NameNode %s", nameNode)
            .hasStackTraceContaining(InvalidToken.class.getName());
      }
    }
  }

  /** Its lease may last for a moment yet, in which what it says is true. */
  private static void refusedByOneAlone(HaCluster cluster, int leader, Token<?> token)
      throws Exception {
    long endNs = System.nanoTime() + LIMIT.toNanos();
    int refused = 0;
    while (refused < REFUSALS) {
      assertThat(System.nanoTime()).as("refused %s times", refused).isLessThan(endNs);
      Throwable answer = answer(cluster, leader, token);
      if (answer != null) {
        refused++;
        assertThat(answer)
            .satisfiesAnyOf(
                told ->
                    assertThat(told).hasStackTraceContaining(RetriableException.class.getName()),
                told -> assertThat(told).hasStackTraceContaining(StandbyException.class.getName()));
        assertThat(answer.toString()).doesNotContain("InvalidToken");
      }
    }
  }
}
