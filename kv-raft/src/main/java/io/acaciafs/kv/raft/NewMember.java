package io.acaciafs.kv.raft;

import io.acaciafs.kv.rocksdb.log.local.SmallFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Marks a folder whose store is a copy of another member's, and which has not taken part yet: that
 * it has no log is as it should be. The file {@code RAFT-NEW} names the members of the group when
 * the copy was made, a line each. Stateless.
 */
final class NewMember {
  private static final String FILE = "RAFT-NEW";

  private NewMember() {}

  /**
   * @param members of the group
   */
  static void mark(Path folder, List<String> members) throws IOException {
    SmallFile.replace(folder, FILE, String.join("\n", members));
  }

  static boolean isIn(Path folder) {
    return Files.exists(folder.resolve(FILE));
  }

  /** Whether one was a member of the group when the copy was made. */
  static boolean names(Path folder, String member) throws IOException {
    return Files.readAllLines(folder.resolve(FILE)).contains(member);
  }

  static void remove(Path folder) throws IOException {
    Files.deleteIfExists(folder.resolve(FILE));
  }
}
