package io.acaciafs.kv.rocksdb.log.local;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * RocksDB's list of its files, which {@code CURRENT} names: it grows with each change, until
 * another one with a higher number takes its place. RocksDB takes one that was cut off for whole.
 *
 * @param name empty where there is none
 */
public record Manifest(String name, long bytes) {
  private static final String CURRENT = "CURRENT";
  private static final String PREFIX = "MANIFEST-";
  private static final Manifest NONE = new Manifest("", 0);

  public static boolean isNamedIn(Path folder) {
    return Files.exists(folder.resolve(CURRENT));
  }

  /**
   * The one that counts in a folder.
   *
   * @throws NoSuchFileException for one that is named and not there
   */
  public static Manifest in(Path folder) throws IOException {
    if (!isNamedIn(folder)) {
      return NONE;
    }
    String name = new String(Files.readAllBytes(folder.resolve(CURRENT)), UTF_8).strip();
    return name.matches(PREFIX + "\\d{1,18}")
        ? new Manifest(name, Files.size(folder.resolve(name)))
        : NONE;
  }

  /** The same, when what it holds is durable. */
  public static Manifest durableIn(Path folder) throws IOException {
    while (true) {
      Manifest found = in(folder);
      if (found.name.isEmpty()) {
        return found;
      }
      try (FileChannel file =
          FileChannel.open(folder.resolve(found.name), StandardOpenOption.READ)) {
        file.force(true);
        return found;
      } catch (NoSuchFileException e) {
        if (in(folder).name.equals(found.name)) {
          throw e;
        }
        // RocksDB has just begun another one
      }
    }
  }

  /** Whether this, found later, may be without what the other one had. */
  boolean lacksSomethingOf(Manifest before) {
    return number() < before.number() || number() == before.number() && bytes < before.bytes;
  }

  private long number() {
    return name.isEmpty() ? 0 : Long.parseLong(name.substring(PREFIX.length()));
  }
}
