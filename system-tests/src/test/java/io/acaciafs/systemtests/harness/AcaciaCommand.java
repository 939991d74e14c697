package io.acaciafs.systemtests.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;

/** The {@code acacia} command in a process of its own. Not thread-safe. */
public final class AcaciaCommand implements AutoCloseable {
  private static final Duration READY_LIMIT = Duration.ofMinutes(3);

  private final JavaProcess process;
  private final Path log;

  private AcaciaCommand(JavaProcess process, Path log) {
    this.process = process;
    this.log = log;
  }

  /**
   * Starts it.
   *
   * @param log gets its output
   */
  public static AcaciaCommand start(Path log, List<String> options, String... arguments)
      throws IOException {
    Files.createDirectories(log.getParent());
    NameNodeProgram program = NameNodeProgram.ACACIA;
    List<String> all = new ArrayList<>(program.sharedClasses());
    all.addAll(options);
    return new AcaciaCommand(
        JavaProcess.start(all, program.classPath(), program.command(Arrays.asList(arguments)), log),
        log);
  }

  /** Waits for the ready file, and returns what it says. */
  public Properties awaitReady(Path readyFile) throws Exception {
    return awaitReady(readyFile, READY_LIMIT);
  }

  /** The same for as long as this. */
  public Properties awaitReady(Path readyFile, Duration limit) throws Exception {
    Await.until(
        "ready file",
        limit,
        () -> {
          if (!process.isAlive()) {
            throw new AssertionError("the command has ended; " + process.describe());
          }
          return Files.exists(readyFile);
        });
    Properties ready = new Properties();
    ready.load(Files.newBufferedReader(readyFile));
    return ready;
  }

  /** Waits for the end by itself, and returns the exit code. */
  public int awaitExit(Duration limit) throws InterruptedException {
    return process.awaitExit(limit);
  }

  public long pid() {
    return process.pid();
  }

  /** All that it has printed. */
  public String output() throws IOException {
    return Files.readString(log);
  }

  /** SIGTERM, and waits for the end. */
  public void terminate() throws InterruptedException {
    process.terminate();
  }

  @Override
  public void close() throws IOException {
    try {
      if (process.isAlive()) {
        process.kill();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while the command ended", e);
    }
  }
}
