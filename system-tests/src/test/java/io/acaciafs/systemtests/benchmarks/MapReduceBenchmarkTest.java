package io.acaciafs.systemtests.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.systemtests.harness.Cluster;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.TestDFSIO;
import org.apache.hadoop.fs.slive.SliveTest;
import org.apache.hadoop.hdfs.NNBench;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** NNBench, TestDFSIO and SLive: mappers that work on files of the cluster. */
@Tag("long")
class MapReduceBenchmarkTest {
  private static final int MEGABYTE = 1 << 20;

  /** Where NNBench writes its report, and cannot be told otherwise. */
  private static final java.nio.file.Path NNBENCH_REPORT =
      java.nio.file.Path.of("NNBench_results.log");

  private static final int NNBENCH_FILES = 100;

  /** A mapper that is not ready at the time of the start does nothing. */
  private static final Duration NNBENCH_HEAD_START = Duration.ofSeconds(4);

  private static Cluster cluster;

  @BeforeAll
  static void start() throws Exception {
    cluster =
        Cluster.builder("benchmarks")
            .dataNodes(2)
            .set("dfs.replication", 2)
            .set("dfs.blocksize", MEGABYTE)
            .set("dfs.namenode.fs-limits.min-block-size", 0)
            .start();
  }

  @AfterAll
  static void stop() throws Exception {
    cluster.close();
  }

  private static void run(Tool tool, String... arguments) throws Exception {
    Configuration conf = cluster.clientConfiguration();
    conf.set("mapreduce.framework.name", "local");
    assertThat(ToolRunner.run(conf, tool, arguments)).as(List.of(arguments).toString()).isZero();
  }

  @Test
  void nnBench() throws Exception {
    Path data = new Path("/benchmarks/NNBench/data");
    nnBench("create_write");
    assertThat(cluster.fileSystem().listStatus(data))
        .hasSize(NNBENCH_FILES)
        .allMatch(status -> status.getLen() == 1_000);
    nnBench("open_read");
    nnBench("delete");
    assertThat(cluster.fileSystem().listStatus(data)).isEmpty();
    nnBench("create_write");
    nnBench("rename");
    assertThat(cluster.fileSystem().listStatus(data))
        .hasSize(NNBENCH_FILES)
        .allMatch(status -> status.getPath().getName().contains("_r_"));
  }

  private static void nnBench(String operation) throws Exception {
    Files.deleteIfExists(NNBENCH_REPORT);
    long startSeconds = Instant.now().plus(NNBENCH_HEAD_START).getEpochSecond();
    run(
        new NNBench(),
        ("-operation " + operation + " -startTime " + startSeconds + " -maps 1")
            .concat(" -numberOfFiles " + NNBENCH_FILES + " -bytesToWrite 1000")
            .concat(" -blockSize 1048576 -bytesPerChecksum 512 -replicationFactorPerFile 2")
            .concat(" -readFileAfterOpen true")
            .split(" "));
    assertThat(Files.readString(NNBENCH_REPORT))
        .contains("Successful file operations: " + NNBENCH_FILES + "\n", "# exceptions: 0\n");
  }

  @Test
  void testDfsIo() throws Exception {
    testDfsIo("-write -nrFiles 4 -size 2MB");
    assertTestDfsIoFiles(2 * MEGABYTE);
    testDfsIo("-read -nrFiles 4 -size 2MB");
    testDfsIo("-read -random -nrFiles 4 -size 2MB");
    testDfsIo("-append -nrFiles 4 -size 1MB");
    assertTestDfsIoFiles(3 * MEGABYTE);
    testDfsIo("-truncate -nrFiles 4 -size 1MB");
    assertTestDfsIoFiles(MEGABYTE);
    testDfsIo("-clean");
    assertThat(cluster.fileSystem().exists(new Path("/benchmarks/TestDFSIO"))).isFalse();
  }

  private static void testDfsIo(String arguments) throws Exception {
    run(new TestDFSIO(), arguments.split(" "));
  }

  private static void assertTestDfsIoFiles(int lengthBytes) throws Exception {
    assertThat(cluster.fileSystem().listStatus(new Path("/benchmarks/TestDFSIO/io_data")))
        .hasSize(4)
        .allMatch(status -> status.getLen() == lengthBytes);
  }

  /** A reader verifies what was written and appended. */
  @Test
  void sliveWithoutTruncate() throws Exception {
    String report = slive("-truncate 0");
    assertThat(report).contains("chunks_verified").doesNotContain("bad_files");
    for (String operation : "Append Create Delete List Mkdir Read Rename".split(" ")) {
      assertSucceeds(report, operation);
    }
  }

  /** Apart, as a reader cannot verify what was cut. */
  @Test
  void sliveWithTruncate() throws Exception {
    String report = slive("-read 0 -ls 0 -mkdir 0 -rename 0 -delete 0");
    for (String operation : "Append Create Truncate".split(" ")) {
      assertSucceeds(report, operation);
    }
  }

  private static String slive(String shares) throws Exception {
    java.nio.file.Path report = Files.createTempFile("slive", ".log");
    run(
        new SliveTest(cluster.clientConfiguration()),
        ("-maps 2 -ops 800 -files 20 -dirSize 8 -seed 1 -baseDir /benchmarks/slive -cleanup true")
            .concat(" -blockSize 1048576,1048576 -replication 2,2 -writeSize 1,2000000")
            .concat(" -appendSize 1,100000 -truncateSize 1,1000000 -resFile " + report)
            .concat(" " + shares)
            .split(" "));
    String text = Files.readString(report);
    Files.delete(report);
    return text;
  }

  /**
   * Now and then: a name is drawn by lot, and may be taken or absent. The lot is another in each
   * process in spite of the seed: of 28 renames none may succeed, of 100 a fifth does.
   */
  private static void assertSucceeds(String report, String operation) {
    String title = "operation type " + operation + "Op\n";
    assertThat(report).contains(title);
    String rest = report.substring(report.indexOf(title) + title.length());
    assertThat(rest.split("operation type", 2)[0]).as(title).contains("\"successes\"");
  }
}
