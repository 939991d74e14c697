package io.acaciafs.bench.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The memory of processes, on Linux. Stateless. */
public final class Resident {
  private static final String FIELD = "VmHWM:";

  private Resident() {}

  /** The most that a process has had in memory so far. */
  public static long bytes(long pid) throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/" + pid + "/status"))) {
      if (line.startsWith(FIELD)) {
        String[] words = line.substring(FIELD.length()).strip().split(" ");
        return Long.parseLong(words[0]) * 1024;
      }
    }
    throw new IOException("The system does not say how much memory process " + pid + " has");
  }
}
