package io.acaciafs.kv.rocksdb;

import static java.util.stream.Collectors.toMap;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;

/** Copies what a process that ends now would leave of a store. */
final class CrashCopy {
  private CrashCopy() {}

  /**
   * There are no commits meanwhile; the copy waits for background work.
   *
   * @param target is made
   */
  static void of(Path store, Path target) throws IOException {
    Files.createDirectory(target);
    Map<Path, String> before;
    do {
      before = files(store);
      try (Stream<Path> old = Files.list(target)) {
        for (Path file : old.toList()) {
          Files.delete(file);
        }
      }
      for (Path file : before.keySet()) {
        try {
          Files.copy(file, target.resolve(file.getFileName()));
        } catch (NoSuchFileException e) {
          break; // and once more
        }
      }
    } while (!files(store).equals(before));
  }

  /** With what changes when they do. */
  private static Map<Path, String> files(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(Files::isRegularFile).collect(toMap(file -> file, CrashCopy::stateOf));
    }
  }

  private static String stateOf(Path file) {
    try {
      return Files.size(file) + " " + Files.getLastModifiedTime(file);
    } catch (IOException e) {
      return "gone";
    }
  }
}
