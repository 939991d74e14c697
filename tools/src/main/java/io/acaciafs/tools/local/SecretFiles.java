package io.acaciafs.tools.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;

/** Writes files that are their owner's alone. Stateless. */
final class SecretFiles {
  private SecretFiles() {}

  /** Writes something into a file. */
  interface Content {
    void writeTo(Path file) throws IOException;
  }

  /** Makes a file anew; a reader sees all of it, the old one or none. */
  static void write(Path file, Content content) throws IOException {
    Path folder = Objects.requireNonNull(file.getParent(), "it is in a folder");
    // The JDK makes temporary files readable by their owner alone.
    Path part = Files.createTempFile(folder, ".", ".part");
    try {
      content.writeTo(part);
      Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(part);
    }
  }

  /** The same with settings, as Hadoop reads them. */
  static void write(Path file, Configuration settings) throws IOException {
    write(
        file,
        part -> {
          try (var out = Files.newOutputStream(part)) {
            settings.writeXml(out);
          }
        });
  }
}
