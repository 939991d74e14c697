package io.acaciafs.systemtests.harness;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A JVM of its own, with its output in a file.
 *
 * <p>Ends with the test's JVM at the latest. Not thread-safe.
 */
final class JavaProcess {
  private static final Duration STOP_LIMIT = Duration.ofMinutes(2);
  private static final int TAIL_LINES = 30;

  /** Most processes of tests end before the second compiler would repay what it costs. */
  private static final String COMPILER = "-XX:TieredStopAtLevel=1";

  private final Process process;
  private final Path log;
  private final Thread reaper;

  private JavaProcess(Process process, Path log) {
    this.process = process;
    this.log = log;
    this.reaper = new Thread(process::destroyForcibly, "end-" + process.pid());
    Runtime.getRuntime().addShutdownHook(reaper);
  }

  /**
   * Starts a main class.
   *
   * @param log gets stdout and stderr
   */
  static JavaProcess start(
      List<String> options, List<String> classPath, List<String> mainAndArguments, Path log)
      throws IOException {
    return start(options, classPath, mainAndArguments, Map.of(), log);
  }

  /** The same with further variables in its environment. */
  static JavaProcess start(
      List<String> options,
      List<String> classPath,
      List<String> mainAndArguments,
      Map<String, String> environment,
      Path log)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add(COMPILER);
    command.addAll(options);
    command.add("-cp");
    command.add(String.join(File.pathSeparator, classPath));
    command.addAll(mainAndArguments);
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(log.getParent().toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    builder.environment().putAll(environment);
    return new JavaProcess(builder.start(), log);
  }

  long pid() {
    return process.pid();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** Waits for the end by itself, and returns the exit code. */
  int awaitExit(Duration limit) throws InterruptedException {
    if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
      throw new AssertionError("process still runs after " + limit + "; " + describe());
    }
    forget();
    return process.exitValue();
  }

  /** SIGTERM, and waits for the end. */
  void terminate() throws InterruptedException {
    process.destroy();
    try {
      awaitExit(STOP_LIMIT);
    } catch (AssertionError e) {
      kill();
      throw e;
    }
  }

  /** SIGKILL, and waits for the end. */
  void kill() throws InterruptedException {
    process.destroyForcibly();
    awaitExit(STOP_LIMIT);
  }

  /** SIGSTOP: it stands still until {@link #thaw}, and may be killed meanwhile. */
  void freeze() throws IOException, InterruptedException {
    Signals.stop(process.pid());
  }

  /** SIGCONT. */
  void thaw() throws IOException, InterruptedException {
    Signals.resume(process.pid());
  }

  private void forget() {
    try {
      Runtime.getRuntime().removeShutdownHook(reaper);
    } catch (IllegalStateException e) {
      // The JVM is ending, and the hook with it.
      return;
    }
  }

  /** The end of the log, for a failure's message. */
  String describe() {
    try {
      List<String> lines = Files.readAllLines(log);
      List<String> tail = lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size());
      return "the end of " + log + ":\n" + String.join("\n", tail);
    } catch (IOException e) {
      return "no log: " + e;
    }
  }
}
