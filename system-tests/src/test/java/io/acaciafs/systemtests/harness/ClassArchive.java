package io.acaciafs.systemtests.harness;

import java.io.File;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the JVM has read of Acacia's classes, as {@code bin/acacia archive} keeps it: a NameNode
 * starts with half the work. One file for all JVMs that run tests, made anew when a jar is newer.
 */
final class ClassArchive {
  private static final Logger LOG = LoggerFactory.getLogger(ClassArchive.class);
  private static final Duration LIMIT = Duration.ofMinutes(5);
  private static final List<String> SILENT = List.of("-Xlog:cds=off", "-Xlog:cds+dynamic=off");
  private static List<String> options;

  private ClassArchive() {}

  /**
   * Options for a process whose class path begins with that of Acacia; the first call makes the
   * archive. None where classes are in folders, as {@code mvn test} leaves them: the JVM keeps only
   * what comes from jars.
   */
  static synchronized List<String> options() throws IOException {
    if (options == null) {
      List<String> classPath = NameNodeProgram.ACACIA.classPath();
      options =
          classPath.stream().allMatch(entry -> Files.isRegularFile(Path.of(entry)))
              ? made(classPath)
              : List.of();
    }
    return options;
  }

  private static List<String> made(List<String> classPath) throws IOException {
    Path folder =
        Files.createDirectories(
            Path.of(System.getProperty("acacia.home"), "system-tests", "target", "class-archive"));
    Path archive = folder.resolve("acacia.jsa");
    try (FileChannel channel =
            FileChannel.open(
                folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock lock = channel.lock()) {
      if (lock.isValid() && !isNewer(archive, classPath)) {
        Files.deleteIfExists(archive); // a JVM that has it open keeps it
        make(archive, classPath);
      }
    }
    if (!Files.exists(archive)) {
      return List.of();
    }
    List<String> made = new ArrayList<>(SILENT);
    made.add("-XX:SharedArchiveFile=" + archive);
    return List.copyOf(made);
  }

  private static boolean isNewer(Path archive, List<String> classPath) {
    File file = archive.toFile();
    return classPath.stream().allMatch(jar -> new File(jar).lastModified() < file.lastModified());
  }

  private static void make(Path archive, List<String> classPath) throws IOException {
    List<String> making = new ArrayList<>(SILENT);
    making.add("-XX:ArchiveClassesAtExit=" + archive);
    making.add("-Djava.net.preferIPv4Stack=true");
    making.add("-Dlog4j.configuration=" + System.getProperty("log4j.configuration"));
    JavaProcess process =
        JavaProcess.start(
            making,
            classPath,
            NameNodeProgram.ACACIA.command(List.of("archive")),
            archive.resolveSibling("archive.log"));
    try {
      if (process.awaitExit(LIMIT) != 0) {
        // The JVM writes what it has read also when the demo exceeds a limit, as on a busy machine.
        LOG.warn("The archive of classes may be of a part of them: {}", process.describe());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while classes were archived");
    }
  }
}
