package io.acaciafs.systemtests.ha;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.acaciafs.systemtests.harness.Await;
import io.acaciafs.systemtests.harness.HaCluster;
import io.acaciafs.systemtests.harness.HaadminCommand;
import io.acaciafs.systemtests.harness.NameNodeProcess;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.apache.hadoop.ha.HAServiceStatus;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.tools.NNHAServiceTarget;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two of three NameNodes are gone: nobody may lead. */
class MajorityLostTest {
  private static final int BEFORE = 50;
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** For a first call to a NameNode, a step-down, and a busy machine. */
  private static final Duration MORE = Duration.ofSeconds(20);

  private static HaCluster cluster;

  @BeforeAll
  static void start() throws Exception {
    cluster = HaCluster.start("majority", 0);
  }

  @AfterAll
  static void stop() throws IOException {
    cluster.close();
  }

  /** A client that asks one NameNode alone, and once. */
  private static FileSystem clientOf(int nameNode) throws Exception {
    Configuration conf = cluster.clientConfiguration();
    conf.setInt("ipc.client.connect.max.retries", 0);
    return FileSystem.newInstance(URI.create("hdfs://" + cluster.rpcAddress(nameNode)), conf);
  }

  /** As {@code hdfs haadmin} sees it. */
  private static void assertUnfit(int nameNode) throws Exception {
    String id = "nn" + (nameNode + 1);
    Configuration conf = cluster.clientConfiguration();
    HaadminCommand health = HaadminCommand.run(conf, "-checkHealth", id);
    assertThat(health.code()).isEqualTo(-1);
    assertThat(health.text())
        .startsWith("Health check failed: No NameNode leads as far as this one knows");
    HAServiceStatus status =
        new NNHAServiceTarget(conf, conf.get("dfs.nameservices"), id)
            .getProxy(conf, (int) MORE.toMillis())
            .getServiceStatus();
    assertThat(status.getState()).isEqualTo(HAServiceState.STANDBY);
    assertThat(status.isReadyToBecomeActive()).isFalse();
    assertThat(status.getNotReadyReason()).startsWith("No NameNode leads as far as this one knows");
  }

  /** What a call fails with that goes on while others do. */
  private static CompletableFuture<Throwable> failureOf(ThrowingCallable call) {
    return CompletableFuture.supplyAsync(
        () -> catchThrowable(call), task -> new Thread(task, "call").start());
  }

  private static Throwable ended(CompletableFuture<Throwable> call) throws Exception {
    return call.get(PATIENCE.plus(MORE).toSeconds(), TimeUnit.SECONDS);
  }

  /**
   * @param leaderStays whether it is the leader that is left
   */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void writesWaitAndFailAndGoThroughWhenAMajorityIsBack(boolean leaderStays) throws Exception {
    int leader = cluster.awaitLeader();
    int left = leaderStays ? leader : (leader + 1) % cluster.size();
    Path waits = new Path("/waits-" + leaderStays);
    DirectoryMaker maker = new DirectoryMaker(cluster, waits.toString());
    try (maker;
        FileSystem one = clientOf(left)) {
      maker.awaitMore(BEFORE);
      one.exists(waits); // connects
      for (int i = 0; i < cluster.size(); i++) {
        if (i != left) {
          cluster.nameNode(i).kill();
        }
      }
      // what it had begun while it led fails when it learns that it does not
      CompletableFuture<Throwable> begun = failureOf(() -> one.mkdirs(new Path("/begun")));
      Await.until("standing by", MORE, () -> cluster.state(left) != HAServiceState.ACTIVE);
      CompletableFuture<Throwable> read = failureOf(() -> one.exists(waits));
      long beginNs = System.nanoTime();
      CompletableFuture<Throwable> written = failureOf(() -> one.mkdirs(new Path("/refused")));
      int during = maker.acknowledged();
      NameNodeProcess.Exit status = cluster.nameNode(left).run("raft", "status");
      assertThat(status.output()).contains("None leads.").contains("no answer");
      assertThat(status.code()).isOne();
      assertUnfit(left);
      assertThat(ended(written)).hasMessageContaining("No NameNode leads at the moment");
      assertThat(Duration.ofNanos(System.nanoTime() - beginNs))
          .isBetween(PATIENCE.minusSeconds(1), PATIENCE.plus(MORE));
      assertThat(ended(read)).hasMessageContaining("No NameNode leads at the moment");
      assertThat(ended(begun))
          .hasMessageMatching(
              "(?s)(Another NameNode has taken over|No NameNode leads at the moment).*");
      assertThat(maker.acknowledged()).as("acknowledged without a majority").isEqualTo(during);

      cluster.startEnded();
      maker.awaitMore(BEFORE); // the call that waited is the first of them
      assertThat(one.mkdirs(new Path("/again"))).isTrue();
    }
    try (DistributedFileSystem client = cluster.newFileSystem()) {
      List<Path> missing = maker.missing(client, maker.acknowledged());
      assertThat(missing).isEmpty();
    }
    cluster.awaitFollowers();
    NameNodeProcess.Exit check = cluster.nameNode(cluster.awaitLeader()).run("check");
    assertThat(check.output())
        .contains("The store is HEALTHY")
        .doesNotContain("NOT-CHECKED", "DAMAGE");
  }
}
