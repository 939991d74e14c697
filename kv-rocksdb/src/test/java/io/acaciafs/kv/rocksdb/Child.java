package io.acaciafs.kv.rocksdb;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A {@link CrashChild} under way. */
final class Child implements AutoCloseable {
  private static final long LONGEST_LIFE_S = 60;

  private final Process process;
  private final BufferedReader output;
  private final Set<Integer> acknowledged = new TreeSet<>();

  Child(Path folder) throws IOException {
    process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                CrashChild.class.getName(),
                folder.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    output = process.inputReader(StandardCharsets.US_ASCII);
    CompletableFuture.delayedExecutor(LONGEST_LIFE_S, TimeUnit.SECONDS)
        .execute(process::destroyForcibly);
  }

  /** Reads acknowledgements until there are so many. */
  void awaitAcknowledged(int count) throws IOException {
    while (acknowledged.size() < count) {
      String line = output.readLine();
      if (line == null) {
        throw new IOException("The child ended by itself");
      }
      note(line);
    }
  }

  /** Kills it with signal 9 and gives everything that it acknowledged before. */
  Set<Integer> kill() throws Exception {
    process.toHandle().destroyForcibly(); // leaves the output readable to its end
    output.lines().forEach(this::note);
    process.waitFor(LONGEST_LIFE_S, TimeUnit.SECONDS);
    return acknowledged;
  }

  private void note(String line) {
    if (line.length() == CrashChild.DIGITS) {
      acknowledged.add(Integer.parseInt(line));
    }
  }

  @Override
  public void close() throws IOException {
    process.destroyForcibly();
    output.close();
  }
}
