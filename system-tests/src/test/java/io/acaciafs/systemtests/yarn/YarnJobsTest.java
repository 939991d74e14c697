package io.acaciafs.systemtests.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.systemtests.harness.Await;
import io.acaciafs.systemtests.harness.Cluster;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.examples.terasort.TeraGen;
import org.apache.hadoop.examples.terasort.TeraSort;
import org.apache.hadoop.examples.terasort.TeraValidate;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.JobID;
import org.apache.hadoop.mapreduce.JobStatus;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Jobs run on a real YARN that keeps all it shares on Acacia: what is submitted, the logs of all
 * containers, the history.
 */
@Tag("long")
class YarnJobsTest {
  private static final int ROWS = 20_000;
  private static final Duration AFTERWARDS_LIMIT = Duration.ofSeconds(60);
  private static final String SHARED = "/tmp";

  @Test
  void sortsAndKeepsLogsAndHistory() throws Exception {
    try (Cluster cluster =
            Cluster.builder("yarn").dataNodes(1).set("dfs.blocksize", 1 << 20).start();
        Yarn yarn = Yarn.start(cluster)) {
      // as docs/applications.md describes
      cluster.fileSystem().mkdirs(new Path(SHARED));
      Configuration conf = yarn.configuration();
      run(conf, new TeraGen(), Integer.toString(ROWS), "/tera/in");
      run(conf, new TeraSort(), "/tera/in", "/tera/out");
      run(conf, new TeraValidate(), "/tera/out", "/tera/report");

      assertThat(cluster.fileSystem().getContentSummary(new Path("/tera/out")).getLength())
          .isEqualTo(ROWS * 100L + partitions(cluster.fileSystem()));
      List<JobID> jobs = jobs(conf);
      assertThat(jobs).hasSize(3);
      assertHistory(conf, jobs);
      Await.until(
          "logs of containers",
          AFTERWARDS_LIMIT,
          () -> files(cluster.fileSystem(), SHARED + "/logs", "") > 0);
    }
  }

  private static void run(Configuration conf, Tool tool, String... args) throws Exception {
    assertThat(ToolRunner.run(new Configuration(conf), tool, args))
        .as(tool.getClass().getSimpleName())
        .isZero();
  }

  /** TeraSort leaves the file there that says where its output is divided. */
  private static long partitions(FileSystem fs) throws IOException {
    Path file = new Path("/tera/out/_partition.lst");
    return fs.exists(file) ? fs.getFileStatus(file).getLen() : 0;
  }

  private static List<JobID> jobs(Configuration conf) throws Exception {
    org.apache.hadoop.mapreduce.Cluster yarn = new org.apache.hadoop.mapreduce.Cluster(conf);
    try {
      List<JobID> jobs = new ArrayList<>();
      for (JobStatus status : yarn.getAllJobStatuses()) {
        jobs.add(status.getJobID());
      }
      return jobs;
    } finally {
      yarn.close();
    }
  }

  /** The counters of jobs that are done come from the history server, which reads its files. */
  private static void assertHistory(Configuration conf, List<JobID> jobs) throws Exception {
    org.apache.hadoop.mapreduce.Cluster yarn = new org.apache.hadoop.mapreduce.Cluster(conf);
    try {
      for (JobID id : jobs) {
        Job job = yarn.getJob(id);
        assertThat(job.isSuccessful()).as(job.getJobName()).isTrue();
        assertThat(job.getCounters().findCounter(TaskCounter.MAP_INPUT_RECORDS).getValue())
            .as(job.getJobName())
            .isEqualTo(ROWS);
      }
    } finally {
      yarn.close();
    }
    Await.until(
        "history of all jobs in its place",
        AFTERWARDS_LIMIT,
        () ->
            files(FileSystem.get(conf), SHARED + "/hadoop-yarn/staging/history/done", ".jhist")
                == jobs.size());
  }

  private static long files(FileSystem fs, String folder, String end) throws IOException {
    long count = 0;
    RemoteIterator<LocatedFileStatus> files = fs.listFiles(new Path(folder), true);
    while (files.hasNext()) {
      if (files.next().getPath().getName().endsWith(end)) {
        count++;
      }
    }
    return count;
  }
}
