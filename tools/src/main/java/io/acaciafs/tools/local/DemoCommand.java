package io.acaciafs.tools.local;

import io.acaciafs.tools.common.Await;
import io.acaciafs.tools.common.CommandFailure;
import io.acaciafs.tools.common.ConfigurationOptions;
import io.acaciafs.tools.common.Foreground;
import io.acaciafs.tools.common.Hints;
import io.acaciafs.tools.common.Logging;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.ShutdownHookManager;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Shows a fresh file system at work in a temporary folder, and leaves nothing behind. */
@Command(
    name = "demo",
    description = "Starts a fresh file system, writes, reads and sorts on it, and cleans up.",
    showDefaultValues = true)
public final class DemoCommand implements Callable<Integer> {

  private static final int INTERRUPTED = 130;
  private static final Duration DELETE_LIMIT = Duration.ofSeconds(10);

  @Mixin private ConfigurationOptions configuration = new ConfigurationOptions();

  @Option(names = "--rows", paramLabel = "N", description = "Rows of 100 bytes to sort.")
  private long rows = 1_000_000;

  @Override
  public Integer call() throws Exception {
    if (rows < 1) {
      throw new CommandFailure("--rows must be 1 or more.");
    }
    Path folder = Files.createTempDirectory("acacia-demo-");
    Path logFile = folder.resolve("acacia.log");
    Logging.toFile(logFile);
    Demo demo = new Demo(folder, rows, System.out, System.console() != null);
    AtomicBoolean failed = new AtomicBoolean();
    // Runs at the end or when interrupted, whichever comes first.
    Closeable cleanUp =
        () -> {
          try {
            demo.close();
          } finally {
            delete(folder, failed.get() ? logFile : null);
          }
        };
    Configuration conf = configuration.load();
    Foreground foreground = new Foreground(cleanUp, conf);
    try {
      DemoReport report = demo.run(conf);
      System.out.print("Done, all of it with Acacia's NameNode and Hadoop's DataNode:\n");
      System.out.print(report.table());
    } catch (Exception e) {
      if (ShutdownHookManager.get().isShutdownInProgress()) {
        return INTERRUPTED;
      }
      failed.set(true);
      throw new CommandFailure(
          "The demo failed: " + Hints.sentence(e) + "\nThe log is in " + logFile, e);
    } finally {
      foreground.close();
    }
    return 0;
  }

  /**
   * Deletes a folder, but for one file (and so the folder) if that is not null.
   *
   * <p>When interrupted, threads of the servers may still write for a moment: so it tries again.
   */
  private static void delete(Path folder, @Nullable Path kept) throws IOException {
    try {
      Await.until("The deletion of " + folder, DELETE_LIMIT, () -> isDeleted(folder, kept));
    } catch (TimeoutException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  private static boolean isDeleted(Path folder, @Nullable Path kept) throws IOException {
    try {
      deleteOnce(folder, kept);
      return true;
    } catch (NoSuchFileException | DirectoryNotEmptyException | UncheckedIOException e) {
      return false; // a thread has written meanwhile
    }
  }

  private static void deleteOnce(Path folder, @Nullable Path kept) throws IOException {
    List<Path> paths;
    try (Stream<Path> walk = Files.walk(folder)) {
      paths = walk.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path path : paths) {
      if (kept == null || !kept.startsWith(path)) {
        Files.deleteIfExists(path);
      }
    }
  }
}
