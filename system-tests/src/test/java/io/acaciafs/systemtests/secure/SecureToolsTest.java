package io.acaciafs.systemtests.secure;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.systemtests.harness.Content;
import io.acaciafs.systemtests.harness.Kdc;
import io.acaciafs.systemtests.harness.NameNodeProcess.Exit;
import io.acaciafs.systemtests.harness.SecureCluster;
import io.acaciafs.systemtests.harness.SecureCluster.Answer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hdfs.server.balancer.Balancer;
import org.apache.hadoop.hdfs.server.datanode.SimulatedFSDataset;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * More of Hadoop's programs, of users with tickets, with plain and with encrypted calls and data.
 */
@Tag("long")
class SecureToolsTest {
  private static final int FILE_BYTES = 102_400;
  private static final int FILES = 10;
  private static final Duration LIMIT = Duration.ofMinutes(3);

  @ParameterizedTest
  @ValueSource(strings = {"authentication", "integrity", "privacy"})
  void shellAdministratorAndDistCp(String protection) throws Exception {
    try (SecureCluster cluster = SecureCluster.start("secure-tools", protection, 2, Map.of())) {
      SecureProgramsTest.prepare(cluster);
      SecureProgramsTest.shell(cluster);
      SecureProgramsTest.administrator(cluster);
      SecureProgramsTest.web(cluster);
      distCp(cluster);
    }
  }

  /** After the shell's programs. */
  static void distCp(SecureCluster cluster) throws Exception {
    Path local = cluster.folder().resolve("local");
    List<Answer> alice =
        cluster.as(
            "alice",
            "fs -mkdir -p from/d",
            "fs -put " + local + " from/d/a",
            "fs -put " + local + " from/b",
            "distcp from to",
            "distcp -update from to",
            "fs -rm -r -skipTrash to/b",
            "distcp -update -delete to from",
            "fs -count from",
            "fs -count to");
    SecureProgramsTest.assertDone(alice);
    assertThat(alice.subList(7, 9))
        .allSatisfy(each -> assertThat(each.text()).containsPattern("\\b2 +1 +300000 (from|to)$"));
    assertThat(cluster.audit())
        .anyMatch(
            line ->
                line.contains("ugi=alice@EXAMPLE.COM (auth:KERBEROS)")
                    && line.contains("cmd=getDelegationToken")
                    && line.contains("for alice with renewer rm"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"authentication", "privacy"})
  void theBalancerFillsAnEmptyDataNode(String protection) throws Exception {
    balance(Kdc.HADOOPS, protection);
  }

  /** The superuser alone may ask for blocks and keys. */
  static void balance(Kdc.Starter kdc, String protection) throws Exception {
    Map<String, String> settings =
        Map.of(
            "dfs.datanode.fsdataset.factory",
            SimulatedFSDataset.class.getName() + "$Factory",
            SimulatedFSDataset.CONFIG_PROPERTY_CAPACITY,
            "2000000",
            "dfs.replication",
            "1",
            "dfs.blocksize",
            Integer.toString(FILE_BYTES),
            "dfs.namenode.fs-limits.min-block-size",
            "0",
            "dfs.balancer.getBlocks.min-block-size",
            "1");
    try (SecureCluster cluster =
        SecureCluster.start(kdc, "secure-balancer", protection, 1, settings)) {
      Path local = cluster.folder().resolve("local");
      Files.write(local, new Content(1, FILE_BYTES).bytes());
      String[] puts = new String[FILES];
      for (int i = 0; i < FILES; i++) {
        puts[i] = "fs -put " + local + " /f" + i;
      }
      SecureProgramsTest.assertDone(cluster.as("hdfs", puts));
      cluster.addDataNodes(1);

      Exit refused = cluster.run("alice", LIMIT, Balancer.class, "-threshold", "10");
      assertThat(refused.code()).isNotZero();
      assertThat(refused.output())
          .contains(
              "Access denied for user alice. Superuser privilege is required for operation"
                  + " getBlockKeys");
      Exit balancer = cluster.run("hdfs", LIMIT, Balancer.class, "-threshold", "10");

      assertThat(balancer.code()).as(balancer.output()).isZero();
      assertThat(balancer.output()).contains("Successfully moved").doesNotContain("Failed to move");
    }
  }
}
