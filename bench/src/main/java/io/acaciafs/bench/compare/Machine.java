package io.acaciafs.bench.compare;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.Locale;
import org.apache.hadoop.util.VersionInfo;

/**
 * Where and when it was measured.
 *
 * @param acaciaVersion of this program
 * @param processor its name
 * @param loadAverage of the machine, before
 * @param syncMs how long the disk takes to make one small write durable, the median
 */
public record Machine(
    LocalDate date,
    String acaciaVersion,
    String processor,
    int processors,
    double loadAverage,
    double syncMs) {
  private static final int SYNCS = 100;
  private static final int WRITE_BYTES = 4096;

  /**
   * This one.
   *
   * @param folder on the disk that is meant
   */
  public static Machine look(LocalDate date, String acaciaVersion, Path folder) throws IOException {
    return new Machine(
        date,
        acaciaVersion,
        processorName(),
        Runtime.getRuntime().availableProcessors(),
        ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage(),
        syncMs(folder));
  }

  private static String processorName() throws IOException {
    Path info = Path.of("/proc/cpuinfo");
    if (Files.isReadable(info)) {
      for (String line : Files.readAllLines(info)) {
        if (line.startsWith("model name")) {
          return line.substring(line.indexOf(':') + 1).strip();
        }
      }
    }
    return System.getProperty("os.arch");
  }

  private static double syncMs(Path folder) throws IOException {
    Path file = Files.createTempFile(folder, "sync", null);
    long[] nanos = new long[SYNCS];
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      ByteBuffer bytes = ByteBuffer.allocate(WRITE_BYTES);
      for (int i = 0; i < SYNCS; i++) {
        channel.write(bytes.clear());
        long start = System.nanoTime();
        channel.force(false);
        nanos[i] = System.nanoTime() - start;
      }
    } finally {
      Files.delete(file);
    }
    Arrays.sort(nanos);
    return nanos[SYNCS / 2] / 1e6;
  }

  /** One line for people. */
  public String describe() {
    return String.format(
        Locale.ROOT,
        "%s; Acacia %s, Hadoop %s, Java %s; %d x %s, %s, load average before %.1f;"
            + " a sync of the disk takes %.2f ms",
        date,
        acaciaVersion,
        VersionInfo.getVersion(),
        Runtime.version().feature(),
        processors,
        processor,
        System.getProperty("os.name"),
        loadAverage,
        syncMs);
  }
}
