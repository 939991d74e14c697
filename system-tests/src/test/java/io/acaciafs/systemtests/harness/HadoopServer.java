package io.acaciafs.systemtests.harness;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;

/**
 * A server of Hadoop's other than NameNode and DataNode, in a process of its own with a class path
 * of its own. Its log is {@code NAME.log}. Not thread-safe.
 */
public final class HadoopServer implements AutoCloseable {
  /** The options that Hadoop's scripts give to Java 17 and newer. */
  private static final List<String> OPENED =
      List.of(
          "java.base/java.io",
          "java.base/java.lang",
          "java.base/java.lang.reflect",
          "java.base/java.math",
          "java.base/java.net",
          "java.base/java.text",
          "java.base/java.util",
          "java.base/java.util.concurrent",
          "java.base/java.util.zip",
          "java.base/sun.security.util",
          "java.base/sun.security.x509");

  private final JavaProcess process;
  private final Path log;

  private HadoopServer(JavaProcess process, Path log) {
    this.process = process;
    this.log = log;
  }

  /**
   * Starts it; returns before it is ready.
   *
   * @param folder gets its log and, in {@code NAME-conf}, its configuration
   * @param classPathFile holds its class path
   * @param command main class, or the file of a program, and arguments
   * @param files names of the files of the configuration, which all hold the same
   * @param options further ones for the JVM
   */
  public static HadoopServer start(
      String name,
      Path folder,
      Path classPathFile,
      List<String> command,
      Configuration site,
      List<String> files,
      List<String> options)
      throws IOException {
    Path conf = Files.createDirectories(folder.resolve(name + "-conf"));
    for (String file : files) {
      try (OutputStream out = Files.newOutputStream(conf.resolve(file))) {
        site.writeXml(out);
      }
    }
    List<String> all =
        new ArrayList<>(
            List.of(
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-Djava.net.preferIPv4Stack=true",
                "-Dlog4j.configuration=" + System.getProperty("log4j.configuration"),
                "-Dacacia.log.console=INFO"));
    OPENED.forEach(each -> all.add("--add-opens=" + each + "=ALL-UNNAMED"));
    all.addAll(options);
    Path log = folder.resolve(name + ".log");
    return new HadoopServer(
        JavaProcess.start(
            all, List.of(conf.toString(), Files.readString(classPathFile).strip()), command, log),
        log);
  }

  /** What it has logged until now. */
  public String log() throws IOException {
    return Files.readString(log);
  }

  /**
   * Asks a condition of a server that must live.
   *
   * @throws AssertionError when it has ended
   */
  public boolean lives() {
    if (!process.isAlive()) {
      throw new AssertionError("the server has ended; " + process.describe());
    }
    return true;
  }

  /**
   * Waits for one that ends by itself.
   *
   * @return its exit code
   */
  public int awaitExit(Duration limit) throws InterruptedException {
    return process.awaitExit(limit);
  }

  /** SIGKILL: how these servers end is not what is tried. */
  @Override
  public void close() throws IOException {
    try {
      if (process.isAlive()) {
        process.kill();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while the server ended", e);
    }
  }
}
