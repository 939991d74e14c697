package io.acaciafs.systemtests.harness;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;

/**
 * A client in a JVM of its own that writes a file, makes it durable with {@code hsync}, and is
 * killed before it closes it. Not thread-safe.
 */
public final class AbandonedWriter {
  private static final Duration SYNC_LIMIT = Duration.ofSeconds(60);

  private AbandonedWriter() {}

  /** Writes so many bytes of a content, and ends by SIGKILL; returns when it is dead. */
  public static void write(
      Cluster cluster, org.apache.hadoop.fs.Path file, Content content, Path log) throws Exception {
    Path marker = log.resolveSibling(log.getFileName() + ".synced");
    Files.deleteIfExists(marker);
    JavaProcess writer =
        JavaProcess.start(
            List.of("-Xmx128m"),
            Arrays.asList(System.getProperty("java.class.path").split(java.io.File.pathSeparator)),
            List.of(
                AbandonedWriter.class.getName(),
                cluster.uri().toString(),
                file.toString(),
                Long.toString(content.seed()),
                Integer.toString(content.lengthBytes()),
                cluster.clientConfiguration().get("dfs.blocksize"),
                cluster.clientConfiguration().get("dfs.replication"),
                marker.toString()),
            log);
    try {
      Await.until(
          "hsync of the writer that is to be killed",
          SYNC_LIMIT,
          () -> {
            if (!writer.isAlive()) {
              throw new AssertionError("the writer has ended; " + writer.describe());
            }
            return Files.exists(marker);
          });
    } finally {
      writer.kill();
    }
  }

  /** The process. Runs until it is killed. */
  public static void main(String[] arguments) throws Exception {
    Configuration conf = new Configuration();
    conf.set("dfs.blocksize", arguments[4]);
    conf.set("dfs.replication", arguments[5]);
    FileSystem fs = FileSystem.get(URI.create(arguments[0]), conf);
    FSDataOutputStream out = fs.create(new org.apache.hadoop.fs.Path(arguments[1]));
    out.write(new Content(Long.parseLong(arguments[2]), Integer.parseInt(arguments[3])).bytes());
    out.hsync();
    Files.createFile(Path.of(arguments[6]));
    Thread.currentThread().join();
  }
}
