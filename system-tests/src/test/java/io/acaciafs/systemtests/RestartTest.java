package io.acaciafs.systemtests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.acaciafs.systemtests.harness.Cluster;
import io.acaciafs.systemtests.harness.Content;
import io.acaciafs.systemtests.harness.NameNodeProgram;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Test;

/**
 * A NameNode that starts again knows without reports where the data lies. How soon it answers is
 * measured by {@code bench/growth}.
 */
class RestartTest {
  private static final int FILES = 50;
  private static final Duration HEARTBEAT = Duration.ofSeconds(1);

  @Test
  void servesAllFilesWithoutBlockReports() throws Exception {
    assumeTrue(
        NameNodeProgram.underTest() == NameNodeProgram.ACACIA,
        "Hadoop's NameNode waits for block reports");
    try (Cluster cluster =
        Cluster.builder("restart")
            .dataNodes(2)
            .set("dfs.replication", 2)
            .set("dfs.heartbeat.interval", HEARTBEAT.toSeconds())
            // A DataNode waits a random part of the delay before its full report: none will come.
            .set("dfs.blockreport.initialDelay", Duration.ofDays(20).toSeconds())
            .set("dfs.blockreport.intervalMsec", Duration.ofDays(40).toMillis())
            .start()) {
      Map<Path, Content> files = write(cluster);

      cluster.restartNameNode();
      cluster.awaitDataNodes();

      for (Map.Entry<Path, Content> file : files.entrySet()) {
        assertThat(Content.read(cluster.fileSystem(), file.getKey()))
            .as("content of %s", file.getKey())
            .isEqualTo(file.getValue().bytes());
      }
    }
  }

  @Test
  void keepsTheNamespaceOverRestarts() throws Exception {
    try (Cluster cluster = Cluster.builder("restarts").start()) {
      Map<Path, Content> files = write(cluster);
      for (int i = 0; i < 2; i++) {
        cluster.restartNameNode();
        cluster.awaitDataNodes();
        Path late = new Path("/after-restart-" + i);
        files.put(late, new Content(i, 1000));
        files.get(late).write(cluster.fileSystem(), late);
      }
      for (Map.Entry<Path, Content> file : files.entrySet()) {
        assertThat(Content.read(cluster.fileSystem(), file.getKey()))
            .as("content of %s", file.getKey())
            .isEqualTo(file.getValue().bytes());
      }
    }
  }

  private static Map<Path, Content> write(Cluster cluster) throws Exception {
    Map<Path, Content> files = new LinkedHashMap<>();
    for (int i = 0; i < FILES; i++) {
      Path file = new Path("/dir-" + i % 10 + "/file-" + i);
      files.put(file, new Content(i, 200 * i));
      files.get(file).write(cluster.fileSystem(), file);
    }
    return files;
  }
}
