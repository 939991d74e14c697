package io.acaciafs.systemtests.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.systemtests.harness.Cluster;
import io.acaciafs.systemtests.harness.HadoopTool;
import io.acaciafs.systemtests.harness.NameNodeProcess;
import java.time.Duration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.server.namenode.NNThroughputBenchmark;
import org.junit.jupiter.api.Test;

/** All operations of NNThroughputBenchmark that it can ask of a NameNode in another process. */
class NameNodeThroughputTest {
  /** An operation that fails is logged, and then waited for without end. */
  private static final Duration LIMIT = Duration.ofSeconds(60);

  @Test
  void allOperations() throws Exception {
    // its own DataNodes are to be the only ones: it reports for them
    try (Cluster cluster =
        Cluster.builder("throughput")
            .dataNodes(0)
            .set("dfs.namenode.fs-limits.min-block-size", 16)
            .start()) {
      NameNodeProcess.Exit exit =
          HadoopTool.run(
              cluster,
              LIMIT,
              NNThroughputBenchmark.class,
              "-fs",
              cluster.uri().toString(),
              "-op",
              "all",
              "-blockSize",
              "16",
              "-UGCacheRefreshCount",
              "2");
      assertThat(exit.code()).as(exit.output()).isZero();
      assertThat(exit.output())
          .contains(
              "create stats",
              "mkdirs stats",
              "open stats",
              "delete stats",
              "append stats",
              "fileStatus stats",
              "rename stats",
              "blockReport stats",
              "clean stats")
          .doesNotContain(" ERROR ", "failed");
      assertThat(cluster.fileSystem().exists(new Path("/nnThroughputBenchmark"))).isFalse();
    }
  }
}
