package io.acaciafs.kv.hbase.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A process of the local HBase; its output goes to a file of its name. */
final class ChildJvm implements AutoCloseable {
  private static final long ORDERLY_END_S = 5;
  private static final long FORCED_END_S = 10;
  private static final int LAST_LINES = 30;

  private final String name;
  private final Path log;
  private final Process process;

  private ChildJvm(String name, Path log, Process process) {
    this.name = name;
    this.log = log;
    this.process = process;
  }

  /**
   * Starts a main class.
   *
   * @param classPath given in the environment, as it is too long for a command line
   */
  static ChildJvm start(
      String name, Path logFolder, String classPath, List<String> options, List<String> mainAndArgs)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.addAll(mainAndArgs);
    Path log = logFolder.resolve(name + ".log");
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    builder.environment().put("CLASSPATH", classPath);
    return new ChildJvm(name, log, builder.start());
  }

  long pid() {
    return process.pid();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** Waits so long, or until it ends. */
  void await(long millis) throws InterruptedException {
    process.waitFor(millis, TimeUnit.MILLISECONDS);
  }

  /**
   * Checks that it runs.
   *
   * @throws IOException when it has ended, with the end of its log
   */
  void requireAlive() throws IOException {
    if (!process.isAlive()) {
      List<String> lines = Files.readAllLines(log);
      List<String> last = lines.subList(Math.max(0, lines.size() - LAST_LINES), lines.size());
      throw new IOException(
          name
              + " ended with exit code "
              + process.exitValue()
              + "; its log is "
              + log
              + " and ends with\n"
              + String.join("\n", last));
    }
  }

  /**
   * Waits until it ends by itself.
   *
   * @throws IOException when it takes longer, or does not end with success
   */
  void awaitSuccess(long seconds) throws IOException, InterruptedException {
    if (!process.waitFor(seconds, TimeUnit.SECONDS) || process.exitValue() != 0) {
      close();
      throw new IOException(name + " did not do what it was started for; its log is " + log);
    }
  }

  /** Ends it with signal 9. */
  void kill() throws InterruptedException {
    process.destroyForcibly();
    process.waitFor(FORCED_END_S, TimeUnit.SECONDS);
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(ORDERLY_END_S, TimeUnit.SECONDS)) {
        kill();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
