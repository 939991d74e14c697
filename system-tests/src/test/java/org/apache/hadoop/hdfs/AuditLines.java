package org.apache.hadoop.hdfs;

import io.acaciafs.systemtests.harness.Await;
import io.acaciafs.systemtests.harness.Cluster;
import java.io.StringWriter;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.test.GenericTestUtils.LogCapturer;

/**
 * What a test captures of an audit log that a NameNode of another process writes: the lines since a
 * moment that the test chooses. For one thread.
 */
public final class AuditLines extends StringWriter {
  private static final String MARK = "/audit-mark-";
  private static final Duration LIMIT = Duration.ofSeconds(30);

  private final Cluster cluster;
  private int first;
  private int marks;

  AuditLines(Cluster cluster, boolean fromNow) {
    this.cluster = cluster;
    first = fromNow ? all().size() : 0;
  }

  /** Has the capturer of a test give the lines that the NameNode writes from now on. */
  public static void into(LogCapturer capturer, MiniDFSCluster cluster)
      throws ReflectiveOperationException {
    give(capturer, new AuditLines(cluster.cluster(), true));
  }

  /** Has the capturer of a test give all lines of the NameNode since its first start. */
  public static void sinceStart(LogCapturer capturer, MiniDFSCluster cluster)
      throws ReflectiveOperationException {
    give(capturer, new AuditLines(cluster.cluster(), false));
  }

  private static void give(LogCapturer capturer, AuditLines lines)
      throws ReflectiveOperationException {
    Field captured = LogCapturer.class.getDeclaredField("sw");
    captured.setAccessible(true);
    captured.set(capturer, lines);
  }

  @Override
  public String toString() {
    return String.join("\n", ofTest(all()));
  }

  /** Those that have not been taken yet. */
  List<String> take() {
    List<String> lines = all();
    List<String> taken = ofTest(lines);
    first = lines.size();
    return taken;
  }

  private List<String> ofTest(List<String> lines) {
    return lines.subList(first, lines.size()).stream()
        .filter(line -> !line.contains(MARK))
        .toList();
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
