package io.acaciafs.systemtests.ha;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.acaciafs.systemtests.harness.Await;
import io.acaciafs.systemtests.harness.HaCluster;
import io.acaciafs.systemtests.harness.HaOptions;
import io.acaciafs.systemtests.harness.Signals;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
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
import org.apache.hadoop.util.StringUtils;
import org.junit.jupiter.api.Test;

/** Delegation tokens of three NameNodes by Raft, whichever leads and whichever is left. */
class DelegationTokensOfThreeTest {
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final int REFUSALS = 3;
  private static final String EXCEPTION = "/RemoteException/exception";

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
      assertThat(lastAnswer(cluster, leader, token)).isNull();
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
        assertThat(lastAnswer(cluster, nameNode, token))
            .as("NameNode %s", nameNode)
            .hasStackTraceContaining(InvalidToken.class.getName());
      }
    }
  }

  /** It has neither seen the token made nor heard of it from the one that made it. */
  @Test
  void aTokenIsGoodOnOneThatStartedAfterItsMakerWasKilled() throws Exception {
    HaOptions options =
        new HaOptions(0, Map.of("dfs.namenode.delegation.token.always-use", "true"), false);
    try (HaCluster cluster = HaCluster.start("delegation-later", options);
        DistributedFileSystem fs = cluster.newFileSystem()) {
      fs.mkdirs(new Path("/shared"));
      String owner = UserGroupInformation.getCurrentUser().getShortUserName();
      int maker = cluster.awaitLeader();
      int later = (maker + 1) % cluster.size();
      int other = (maker + 2) % cluster.size();
      cluster.nameNode(later).terminate();
      Token<?> token = fs.getDelegationToken("nobody");
      String byHttp = tokenByHttp(cluster, maker, owner);

      cluster.nameNode(maker).kill(); // as kill -9
      cluster.nameNode(later).start();
      Await.until("the later one's answer", LIMIT, () -> isTaken(cluster, later, token));
      assertGood(cluster, token, owner, "later");
      if (cluster.awaitLeader() != later) {
        assertThat(cluster.haadmin("-failover", "nn" + (other + 1), "nn" + (later + 1))).isZero();
      }
      assertThat(cluster.awaitLeader()).isEqualTo(later);
      assertThat(lastAnswer(cluster, later, token)).isNull();
      HttpResponse<String> listing = lastPage(() -> listing(cluster, later, byHttp));
      assertThat(listing.statusCode()).as(listing.body()).isEqualTo(200);
    }
  }

  /** It takes the place of another one, and was in nobody's settings when the token was made. */
  @Test
  void aTokenIsGoodOnANameNodeThatIsAddedLater() throws Exception {
    HaOptions options =
        new HaOptions(0, Map.of("dfs.namenode.delegation.token.always-use", "true"), false);
    try (HaCluster cluster = HaCluster.start("delegation-added", options);
        DistributedFileSystem fs = cluster.newFileSystem()) {
      Token<?> token = fs.getDelegationToken("nobody");
      int added = cluster.replace((cluster.awaitLeader() + 1) % cluster.size());
      Await.until("the added one's answer", LIMIT, () -> isTaken(cluster, added, token));
      token.cancel(cluster.clientConfiguration());
      assertThat(lastAnswer(cluster, added, token))
          .hasStackTraceContaining(InvalidToken.class.getName());
    }
  }

  /** Until it has what the others have it may send the client elsewhere, or not listen yet. */
  private static boolean isTaken(HaCluster cluster, int nameNode, Token<?> token) throws Exception {
    Throwable answer = answer(cluster, nameNode, token);
    if (answer != null) {
      assertThat(answer.toString()).doesNotContain("InvalidToken");
    }
    return answer == null;
  }

  /** What it says once it neither sends the client elsewhere nor asks it to come again. */
  private static Throwable lastAnswer(HaCluster cluster, int nameNode, Token<?> token)
      throws Exception {
    Throwable[] last = new Throwable[1];
    Await.until(
        "an answer of NameNode " + nameNode,
        LIMIT,
        () -> {
          last[0] = answer(cluster, nameNode, token);
          return last[0] == null
              || StringUtils.stringifyException(last[0]).contains(InvalidToken.class.getName());
        });
    return last[0];
  }

  /** What its pages say once they are those of its role. */
  private static HttpResponse<String> lastPage(Callable<HttpResponse<String>> asked)
      throws Exception {
    AtomicReference<HttpResponse<String>> last = new AtomicReference<>();
    Await.until(
        "an answer by HTTP",
        LIMIT,
        () -> {
          last.set(unlessItsRoleChanges(asked));
          return last.get() != null;
        });
    return last.get();
  }

  private static String tokenByHttp(HaCluster cluster, int nameNode, String owner)
      throws Exception {
    String query = "op=GETDELEGATIONTOKEN&renewer=nobody&user.name=" + owner;
    HttpResponse<String> answer = lastPage(() -> web(cluster, nameNode, query));
    return new ObjectMapper().readTree(answer.body()).path("Token").path("urlString").asText();
  }

  private static HttpResponse<String> listing(HaCluster cluster, int nameNode, String token)
      throws Exception {
    return web(cluster, nameNode, "op=LISTSTATUS&delegation=" + token);
  }

  private static HttpResponse<String> web(HaCluster cluster, int nameNode, String query)
      throws Exception {
    URI page = URI.create("http://" + cluster.httpAddress(nameNode) + "/webhdfs/v1/?" + query);
    return HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(page).timeout(LIMIT).build(), BodyHandlers.ofString());
  }

  /** Null where it answers nobody by HTTP for the moment, or says that its role changes. */
  private static HttpResponse<String> unlessItsRoleChanges(Callable<HttpResponse<String>> asked)
      throws Exception {
    try {
      HttpResponse<String> answer = asked.call();
      return answer.statusCode() == 503 ? null : answer;
    } catch (HttpTimeoutException e) {
      throw e;
    } catch (IOException e) {
      return null; // closed, as the standby's server takes the place of the leader's
    }
  }

  private static void assertRefusedForNow(HttpResponse<String> answer) throws IOException {
    if (answer != null && answer.statusCode() != 200) {
      assertThat(new ObjectMapper().readTree(answer.body()).at(EXCEPTION).asText())
          .as("%s %s", answer.statusCode(), answer.body())
          .isIn("RetriableException", "StandbyException");
    }
  }

  /** Its lease may last for a moment yet, in which what it says is true. */
  private static void refusedByOneAlone(HaCluster cluster, int leader, Token<?> token)
      throws Exception {
    long endNs = System.nanoTime() + LIMIT.toNanos();
    int refused = 0;
    while (refused < REFUSALS) {
      assertThat(System.nanoTime()).as("refused %s times", refused).isLessThan(endNs);
      assertRefusedForNow(
          unlessItsRoleChanges(() -> listing(cluster, leader, token.encodeToUrlString())));
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
