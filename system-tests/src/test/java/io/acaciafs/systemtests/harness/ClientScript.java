package io.acaciafs.systemtests.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A folder of {@code src/test/clients} with a script {@code run}. Immutable. */
public record ClientScript(String name) {
  /** The exit code that says that something is missing on this machine. */
  public static final int SKIPPED = 77;

  private static final Path SCRIPTS =
      Path.of(System.getProperty("acacia.home"), "system-tests", "src", "test", "clients");

  /** May fetch and build first. */
  private static final Duration LIMIT = Duration.ofMinutes(5);

  /**
   * How a script ended.
   *
   * @param output stdout and stderr
   */
  public record Exit(int code, String output) {}

  /** Runs it to its end, at most for some minutes. */
  public Exit run(String... arguments) throws IOException, InterruptedException {
    Path log = Files.createTempFile(Path.of(System.getProperty("acacia.clusters")), name, ".log");
    List<String> command = new ArrayList<>();
    command.add(SCRIPTS.resolve(name).resolve("run").toString());
    command.addAll(List.of(arguments));
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    try {
      boolean ended = process.waitFor(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
      if (!ended) {
        throw new AssertionError("still runs after " + LIMIT + ": " + Files.readString(log));
      }
      return new Exit(process.exitValue(), Files.readString(log));
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }
}
