package io.acaciafs.bench.fleet;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** How much of a JVM's heap is in use behind a collection. Stateless. */
final class LiveHeap {
  private LiveHeap() {}

  /** Asks the JDK's tool: the last line of a histogram is {@code Total INSTANCES BYTES}. */
  static long bytes(long pid) throws IOException {
    List<String> lines =
        output(
            Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
            Long.toString(pid),
            "GC.class_histogram");
    String last = lines.get(lines.size() - 1);
    String[] words = last.strip().split("\\s+");
    if (words.length != 3 || !words[0].equals("Total")) {
      throw new IOException("The heap of process " + pid + " cannot be seen: " + last);
    }
    return Long.parseLong(words[2]);
  }

  private static List<String> output(String... command) throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try {
      byte[] output = process.getInputStream().readAllBytes();
      process.waitFor();
      List<String> lines =
          new String(output, StandardCharsets.UTF_8)
              .lines()
              .filter(line -> !line.isBlank())
              .toList();
      if (lines.isEmpty()) {
        throw new IOException("No answer of " + command[0]);
      }
      return lines;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while " + command[0] + " ran");
    } finally {
      process.destroy();
    }
  }
}
