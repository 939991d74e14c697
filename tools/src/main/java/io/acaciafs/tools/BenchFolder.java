package io.acaciafs.tools;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Where a benchmark keeps its files meanwhile. */
final class BenchFolder {
  private BenchFolder() {}

  /**
   * Makes a new one.
   *
   * @param parent null: that of temporary files
   */
  static Path create(Path parent) throws IOException {
    return parent == null
        ? Files.createTempDirectory("acacia-bench-")
        : Files.createTempDirectory(Files.createDirectories(parent).toAbsolutePath(), "bench-");
  }
}
