package org.apache.hadoop.hdfs;

import io.acaciafs.systemtests.harness.Await;
import io.acaciafs.systemtests.harness.Cluster;
import java.io.StringWriter;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.test.GenericTestUtils.LogCapturer;

/**
 * What a test captures of an audit log that a NameNode of another process writes: the lines since
 * the capture began. For one thread.
 */
public final class AuditLines extends StringWriter {
  private static final String MARK = "/audit-mark-";
  private static final Duration LIMIT = Duration.ofSeconds(30);

  private final Cluster cluster;
  private final int first;
  private int marks;

  private AuditLines(Cluster cluster) {
    this.cluster = cluster;
    first = all().size();
  }

  /** Has the capturer of a test give the lines of the NameNode. */
  public static void into(LogCapturer capturer, MiniDFSCluster cluster)
      throws ReflectiveOperationException {
    Field captured = LogCapturer.class.getDeclaredField("sw");
    captured.setAccessible(true);
    captured.set(capturer, new AuditLines(cluster.cluster()));
  }

  @Override
  public String toString() {
    List<String> lines = all();
    return lines.subList(first, lines.size()).stream()
        .filter(line -> !line.contains(MARK))
        .collect(Collectors.joining("\n"));
  }

  /** The line of a call that comes last says that the others are there. */
  private List<String> all() {
    String mark = MARK + marks++;
    Path log = cluster.folder().resolve("hdfs-audit.log");
    try {
      cluster.fileSystem().getClient().getFileInfo(mark);
      Await.until(
          "the line of " + mark,
          LIMIT,
          () -> Files.exists(log) && Files.readString(log).contains(mark + "\t"));
      return Files.readAllLines(log);
    } catch (Exception e) {
      throw new IllegalStateException("the audit log cannot be read", e);
    }
  }
}
