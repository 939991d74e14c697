package io.acaciafs.systemtests.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.acaciafs.systemtests.harness.Await;
import io.acaciafs.systemtests.harness.BlocksAfterFailovers;
import io.acaciafs.systemtests.harness.Content;
import io.acaciafs.systemtests.harness.HaCluster;
import io.acaciafs.systemtests.harness.HaOptions;
import io.acaciafs.systemtests.harness.MemberStores;
import io.acaciafs.systemtests.harness.NameNodeProgram;
import io.acaciafs.systemtests.harness.SharedStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.examples.terasort.TeraGen;
import org.apache.hadoop.examples.terasort.TeraSort;
import org.apache.hadoop.examples.terasort.TeraValidate;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * MapReduce's sort over two NameNodes on HBase, or three of which one leads; one is killed while
 * the sorted file is written. A failover of the three costs no replica and no full report.
 */
@Tag("long")
class TeraFailoverTest {
  private static final Logger LOG = LoggerFactory.getLogger(TeraFailoverTest.class);
  private static final int ROWS = Integer.getInteger("acacia.tera-rows", 500_000);
  private static final int ROW_BYTES = 100;
  private static final Duration LIMIT = Duration.ofMinutes(5);
  private static final Map<String, String> SETTINGS =
      Map.of("dfs.replication", "2", "dfs.blocksize", "4194304");

  /** Kills a NameNode that the job uses. */
  @FunctionalInterface
  private interface Kill {
    void strike() throws Exception;
  }

  @Test
  void sortsThoughANameNodeIsKilledHalfWay() throws Exception {
    assumeTrue(NameNodeProgram.underTest() == NameNodeProgram.ACACIA, "Hadoop's has no engines");
    try (SharedStore store = new SharedStore("tera-failover", 2, SETTINGS)) {
      store.startDataNode();
      store.startDataNode();
      store.awaitDataNodes();
      try (FileSystem other = store.clientOf(1)) {
        sortWhile(store.clientConfiguration(), other, () -> store.nameNode(0).kill());
      }
    }
  }

  @Test
  void sortsThoughTheLeaderOfThreeIsKilledHalfWay() throws Exception {
    assumeTrue(NameNodeProgram.underTest() == NameNodeProgram.ACACIA, "Hadoop's has no engines");
    try (HaCluster cluster = HaCluster.start("tera-leader", new HaOptions(2, SETTINGS, false));
        DistributedFileSystem fs = cluster.newFileSystem()) {
      BlocksAfterFailovers.awaitDataNodesKnown();
      List<String> fullReports = BlocksAfterFailovers.fullReports(cluster);
      assertThat(fullReports).as("of DataNodes that started").isNotEmpty();
      sortWhile(
          cluster.clientConfiguration(), fs, () -> cluster.nameNode(cluster.awaitLeader()).kill());
      // TeraSort wants ten replicas of it, and there are two DataNodes.
      fs.setReplication(new Path("/tera/out/_partition.lst"), (short) 2);
      BlocksAfterFailovers.assertWhole(fs, new Path("/tera"));
      assertThat(BlocksAfterFailovers.fullReports(cluster)).isEqualTo(fullReports);
      cluster.startEnded();
      assertThat(MemberStores.faults(cluster)).isEmpty();
    }
  }

  /**
   * @param site of clients of all NameNodes
   * @param fs goes on when one is killed
   */
  private static void sortWhile(Configuration site, FileSystem fs, Kill kill) throws Exception {
    Configuration conf = new Configuration(site);
    conf.set("mapreduce.framework.name", "local");
    conf.setInt("mapreduce.terasort.output.replication", 2);
    conf.setInt("mapreduce.job.reduces", 2);
    assertThat(run(conf, new TeraGen(), Integer.toString(ROWS), "/tera/in")).isZero();

    CompletableFuture<Integer> sort =
        CompletableFuture.supplyAsync(() -> run(conf, new TeraSort(), "/tera/in", "/tera/out"));
    Path writing = new Path("/tera/out/_temporary/0/_temporary/*/part-*");
    Await.until(
        "the begin of the sorted file",
        LIMIT,
        () -> sort.isDone() || fs.globStatus(writing).length > 0);
    assertThat(sort).as("killed before the end").isNotDone();
    kill.strike();
    long killedNs = System.nanoTime();
    assertThat(sort.get(LIMIT.toSeconds(), TimeUnit.SECONDS)).isZero();
    LOG.info(
        "Sorted rows={} afterKillMs={}",
        ROWS,
        TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - killedNs));
    assertThat(run(conf, new TeraValidate(), "/tera/out", "/tera/report")).isZero();

    FileStatus[] report = fs.globStatus(new Path("/tera/report/part-*"));
    assertThat(report).hasSize(1);
    assertThat(new String(Content.read(fs, report[0].getPath()), StandardCharsets.UTF_8))
        .contains("checksum")
        .doesNotContain("error");
    assertThat(
            Arrays.stream(fs.globStatus(new Path("/tera/out/part-*")))
                .mapToLong(FileStatus::getLen)
                .sum())
        .isEqualTo((long) ROWS * ROW_BYTES);
  }

  private static int run(Configuration conf, Tool tool, String... arguments) {
    try {
      return ToolRunner.run(new Configuration(conf), tool, arguments);
    } catch (Exception e) {
      throw new AssertionError(tool.getClass().getSimpleName() + " failed", e);
    }
  }
}
