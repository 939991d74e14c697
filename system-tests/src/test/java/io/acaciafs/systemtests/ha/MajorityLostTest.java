package io.acaciafs.systemtests.ha;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.systemtests.harness.Await;
import io.acaciafs.systemtests.harness.HaCluster;
import io.acaciafs.systemtests.harness.NameNodeProcess;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two of three NameNodes are gone: nobody may lead. */
class MajorityLostTest {
  private static final int BEFORE = 50;
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** For a first call to a NameNode, a step-down, and a busy machine. */
  private static final Duration MORE = Duration.ofSeconds(20);

  /** A client that asks one NameNode alone, and once. */
  private static FileSystem clientOf(HaCluster cluster, int nameNode) throws Exception {
    Configuration conf = cluster.clientConfiguration();
    conf.setInt("ipc.client.connect.max.retries", 0);
    return FileSystem.newInstance(URI.create("hdfs://" + cluster.rpcAddress(nameNode)), conf);
  }

  /**
   * @param leaderStays whether it is the leader that is left
   */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void writesWaitAndFailAndGoThroughWhenAMajorityIsBack(boolean leaderStays) throws Exception {
    try (HaCluster cluster = HaCluster.start("majority", 0);
        DistributedFileSystem client = cluster.newFileSystem()) {
      int leader = cluster.awaitLeader();
      int left = leaderStays ? leader : (leader + 1) % cluster.size();
      DirectoryMaker maker = new DirectoryMaker(cluster, "/waits");
      try (maker;
          FileSystem one = clientOf(cluster, left)) {
        maker.awaitMore(BEFORE);
        one.exists(new Path("/waits")); // connects
        for (int i = 0; i < cluster.size(); i++) {
          if (i != left) {
            cluster.nameNode(i).kill();
          }
        }
        if (leaderStays) { // what it had begun while it led fails when it learns that it does not
          assertThatThrownBy(() -> one.mkdirs(new Path("/begun")))
              .hasMessageMatching(
                  "(?s)(Another NameNode has taken over|No NameNode leads at the moment).*");
          Await.until("standing by", MORE, () -> cluster.state(left) != HAServiceState.ACTIVE);
        }
        long beginNs = System.nanoTime();
        assertThatThrownBy(() -> one.mkdirs(new Path("/refused")))
            .hasMessageContaining("No NameNode leads at the moment");
        assertThat(Duration.ofNanos(System.nanoTime() - beginNs))
            .isBetween(PATIENCE.minusSeconds(1), PATIENCE.plus(MORE));
        int during = maker.acknowledged();
        assertThatThrownBy(() -> one.exists(new Path("/waits")))
            .hasMessageContaining("No NameNode leads at the moment");
        assertThat(maker.acknowledged()).as("acknowledged without a majority").isEqualTo(during);
        NameNodeProcess.Exit status = cluster.nameNode(left).run("raft", "status");
        assertThat(status.output()).contains("None leads.").contains("no answer");
        assertThat(status.code()).isOne();

        cluster.startEnded();
        maker.awaitMore(BEFORE); // the call that waited is the first of them
        assertThat(one.mkdirs(new Path("/again"))).isTrue();
      }
      List<Path> missing = maker.missing(client, maker.acknowledged());
      assertThat(missing).isEmpty();
      cluster.awaitFollowers();
      NameNodeProcess.Exit check = cluster.nameNode(cluster.awaitLeader()).run("check");
      assertThat(check.output())
          .contains("The store is HEALTHY")
          .doesNotContain("NOT-CHECKED", "DAMAGE");
    }
  }
}
