package io.acaciafs.tools.common;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A file of {@code name=value} lines that appears, whole, when a daemon is ready and has said so,
 * and goes when it ends: for scripts and tests that wait for it.
 */
public final class ReadyFile implements AutoCloseable {
  private final @Nullable Path file;

  private ReadyFile(@Nullable Path file) {
    this.file = file;
  }

  /**
   * Writes the file.
   *
   * @param file null: writes nothing
   */
  public static ReadyFile write(@Nullable Path file, Map<String, String> values)
      throws IOException {
    if (file != null) {
      Map<String, String> all = new TreeMap<>(values);
      all.put("pid", Long.toString(ProcessHandle.current().pid()));
      StringBuilder text = new StringBuilder();
      all.forEach((name, value) -> text.append(name).append('=').append(value).append('\n'));
      Path parent = Objects.requireNonNull(file.toAbsolutePath().getParent(), "it is in a folder");
      Files.createDirectories(parent);
      Path part = Files.createTempFile(parent, file.getFileName().toString(), ".part");
      Files.writeString(part, text);
      Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
    return new ReadyFile(file);
  }

  @Override
  public void close() throws IOException {
    if (file != null) {
      Files.deleteIfExists(file);
    }
  }
}
