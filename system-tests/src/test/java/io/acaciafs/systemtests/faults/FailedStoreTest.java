package io.acaciafs.systemtests.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.acaciafs.systemtests.harness.Await;
import io.acaciafs.systemtests.harness.Cluster;
import io.acaciafs.systemtests.harness.FullDisk;
import io.acaciafs.systemtests.harness.NameNodeProgram;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Test;

/** An embedded store that can write no more. */
class FailedStoreTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final String FAILED = "Background task failed, will run again task=";
  private static final int MOST_DIRECTORIES = 100_000;

  /** More than the process's own log and less than a segment of the commit log. */
  private static final long LARGEST_FILE_BYTES = 1 << 20;

  /** Some runs of each background task. */
  private static final long WATCHED_NS = TimeUnit.SECONDS.toNanos(10);

  @Test
  void backgroundTasksSayItOnce() throws Exception {
    assumeTrue(NameNodeProgram.underTest() == NameNodeProgram.ACACIA, "Hadoop's has no engines");
    try (Cluster cluster = Cluster.builder("failed-store").start()) {
      FullDisk.allowFilesUpTo(LARGEST_FILE_BYTES, cluster.nameNode().pid());
      FileSystem fs = cluster.fileSystem();
      assertThatThrownBy(() -> makeDirectories(fs)).isInstanceOf(IOException.class);

      Await.until("a failed task", LIMIT, () -> !failedTasks(cluster).isEmpty());
      long beganNs = System.nanoTime();
      Await.until("some runs", LIMIT, () -> System.nanoTime() - beganNs > WATCHED_NS);
      assertThat(failedTasks(cluster)).doesNotHaveDuplicates();
    }
  }

  private static void makeDirectories(FileSystem fs) throws IOException {
    for (int i = 0; i < MOST_DIRECTORIES; i++) {
      fs.mkdirs(new Path("/a-directory-with-a-name-of-some-length-" + i));
    }
  }

  private static List<String> failedTasks(Cluster cluster) throws IOException {
    return cluster.nameNode().log().stream()
        .filter(line -> line.contains(FAILED))
        .map(line -> line.substring(line.indexOf(FAILED)))
        .toList();
  }
}
