package io.acaciafs.kv.raft;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Marks a folder whose store is a copy of another member's, and which has never taken part: that it
 * has no log is as it should be. Stateless.
 */
final class NewMember {
  private static final String FILE = "RAFT-NEW";

  private NewMember() {}

  static void mark(Path folder) throws IOException {
    Path file = folder.resolve(FILE);
    if (!Files.exists(file)) {
      Files.createFile(file);
    }
  }

  static boolean isIn(Path folder) {
    return Files.exists(folder.resolve(FILE));
  }

  static void remove(Path folder) throws IOException {
    Files.deleteIfExists(folder.resolve(FILE));
  }
}
