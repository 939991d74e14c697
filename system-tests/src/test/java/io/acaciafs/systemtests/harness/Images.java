package io.acaciafs.systemtests.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Images of a namespace in a folder. */
public final class Images {
  private Images() {}

  /** The one with the most transactions; their numbers have the same count of digits. */
  public static Path newest(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> file.getFileName().toString().matches("fsimage_\\d+"))
          .max(Path::compareTo)
          .orElseThrow();
    }
  }
}
