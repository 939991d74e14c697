package io.acaciafs.tools.local;

import io.acaciafs.namenode.process.ResourceStack;
import io.acaciafs.tools.common.CommandFailure;
import io.acaciafs.tools.common.LocalPorts;
import io.acaciafs.tools.common.Progress;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.examples.terasort.TeraGen;
import org.apache.hadoop.examples.terasort.TeraSort;
import org.apache.hadoop.examples.terasort.TeraValidate;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.StorageStatistics;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;

/**
 * The steps of the demo on a fresh local file system: a file written and read back, then Hadoop's
 * TeraGen, TeraSort and TeraValidate, run by MapReduce's runner inside this process.
 *
 * <p>Runs on the caller's thread. {@link #close} stops the file system.
 */
final class Demo implements AutoCloseable {
  private static final int ROW_BYTES = 100;
  private static final int FILE_BYTES = 16 << 20;

  private final Path folder;
  private final long rows;
  private final PrintStream out;
  private final boolean terminal;
  private final DemoReport report = new DemoReport();
  private final ResourceStack resources = new ResourceStack();

  /** A readable name of the current part of a step; empty if the step has no parts. */
  private volatile String doing = "";

  /**
   * A demo in an empty folder.
   *
   * @param rows of 100 bytes each to sort
   * @param terminal whether {@code out} is a terminal
   */
  Demo(Path folder, long rows, PrintStream out, boolean terminal) {
    this.folder = folder;
    this.rows = rows;
    this.out = out;
    this.terminal = terminal;
  }

  /** Runs all steps and returns the report; fails at the first step that fails. */
  DemoReport run(Configuration base) throws Exception {
    LocalCluster[] started = new LocalCluster[1];
    step(
        "Start",
        0,
        () -> {
          started[0] =
              resources.add(
                  LocalCluster.start(folder, "localhost", LocalPorts.any(), base, this::begin));
          return "NameNode and DataNode serve " + started[0].uri();
        });
    LocalCluster cluster = started[0];
    step("Write and read", 2L * FILE_BYTES, () -> writeAndRead(cluster));
    Configuration conf = jobConfiguration(cluster);
    long bytes = rows * ROW_BYTES;
    String in = "/demo/terasort-input";
    String sorted = "/demo/terasort-output";
    String size = String.format(Locale.ROOT, "%,d rows, %,.1f MB", rows, bytes / 1e6);
    job("TeraGen", bytes, conf, new TeraGen(), size + " made", Long.toString(rows), in);
    job("TeraSort", 2 * bytes, conf, new TeraSort(), size + " sorted", in, sorted);
    job("TeraValidate", bytes, conf, new TeraValidate(), "order is right", sorted, "/demo/report");
    check(cluster, sorted, bytes);
    return report;
  }

  private void begin(String part) {
    doing = part;
  }

  /** The validation's job succeeds also when rows are out of order: it says so in its output. */
  private static void check(LocalCluster cluster, String sorted, long bytes)
      throws IOException, CommandFailure {
    long found = 0;
    try (FileSystem fs = cluster.newFileSystem()) {
      for (FileStatus part : fs.globStatus(new org.apache.hadoop.fs.Path(sorted, "part-*"))) {
        found += part.getLen();
      }
      for (FileStatus part : fs.globStatus(new org.apache.hadoop.fs.Path("/demo/report/part-*"))) {
        try (FSDataInputStream stream = fs.open(part.getPath())) {
          String text = new String(stream.readAllBytes(), StandardCharsets.UTF_8);
          if (text.contains("error")) {
            throw new CommandFailure("TeraValidate found errors: " + text);
          }
        }
      }
    }
    if (found != bytes) {
      throw new CommandFailure("TeraSort wrote " + found + " bytes of " + bytes + ".");
    }
  }

  private Configuration jobConfiguration(LocalCluster cluster) {
    Configuration conf = cluster.clientConfiguration();
    conf.set("mapreduce.framework.name", "local");
    conf.set("mapreduce.cluster.local.dir", folder.resolve("mapred").toString());
    // The sampled partition file would be linked into the user's current folder.
    conf.setBoolean("mapreduce.terasort.simplepartitioner", true);
    return conf;
  }

  private String writeAndRead(LocalCluster cluster) throws IOException, CommandFailure {
    byte[] content = new byte[FILE_BYTES];
    new Random(1).nextBytes(content);
    org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path("/demo/file");
    byte[] back = new byte[FILE_BYTES];
    try (FileSystem fs = cluster.newFileSystem()) {
      try (FSDataOutputStream stream = fs.create(file)) {
        stream.write(content);
      }
      try (FSDataInputStream stream = fs.open(file)) {
        stream.readFully(0, back);
      }
    }
    if (!Arrays.equals(content, back)) {
      throw new CommandFailure("The file " + file + " does not read back as it was written.");
    }
    return String.format(Locale.ROOT, "%,.1f MB, the same bytes came back", FILE_BYTES / 1e6);
  }

  private void job(
      String name, long bytes, Configuration conf, Tool tool, String result, String... args)
      throws Exception {
    step(
        name,
        bytes,
        () -> {
          int exit = runQuietly(tool, new Configuration(conf), args);
          if (exit != 0) {
            throw new CommandFailure(name + " failed with exit code " + exit + ".");
          }
          return result;
        });
  }

  /** TeraSort talks to stdout, which would tear the progress apart. */
  private static int runQuietly(Tool tool, Configuration conf, String[] args) throws Exception {
    PrintStream stdout = System.out;
    System.setOut(new PrintStream(OutputStream.nullOutputStream()));
    try {
      return ToolRunner.run(conf, tool, args);
    } finally {
      System.setOut(stdout);
    }
  }

  @FunctionalInterface
  private interface Step {
    String run() throws Exception;
  }

  /** Runs a step that moves {@code bytes} through the file system's clients in this process. */
  private void step(String name, long bytes, Step step) throws Exception {
    long start = System.nanoTime();
    long before = bytesMoved();
    String result;
    try (Progress progress =
        new Progress(
            out,
            terminal,
            name,
            () -> bytes == 0 ? 0 : (bytesMoved() - before) / (double) bytes,
            () -> doing)) {
      progress.start();
      result = step.run();
    }
    doing = "";
    report.add(name, result, Duration.ofNanos(System.nanoTime() - start));
  }

  private static long bytesMoved() {
    StorageStatistics statistics = FileSystem.getGlobalStorageStatistics().get("hdfs");
    return statistics == null ? 0 : moved(statistics, "bytesRead", "bytesWritten");
  }

  private static long moved(StorageStatistics statistics, String... names) {
    long sum = 0;
    for (String name : names) {
      Long value = statistics.getLong(name);
      sum += value == null ? 0 : value;
    }
    return sum;
  }

  @Override
  public void close() throws IOException {
    FileSystem.closeAll();
    resources.close();
  }
}
