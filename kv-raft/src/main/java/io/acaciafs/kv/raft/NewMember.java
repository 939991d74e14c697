package io.acaciafs.kv.raft;

import io.acaciafs.kv.rocksdb.log.local.SmallFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.ratis.protocol.RaftPeer;

/**
 * Marks a folder whose store is a copy of another member's, and which has not taken part yet: that
 * it has no log is as it should be. The file {@code RAFT-NEW} has the members of the group when the
 * copy was made, a line each, {@code name=host:port}. Stateless.
 */
final class NewMember {
  private static final String FILE = "RAFT-NEW";

  private NewMember() {}

  /**
   * @param members of the group
   */
  static void mark(Path folder, List<RaftPeer> members) throws IOException {
    List<String> lines = new ArrayList<>();
    members.forEach(member -> lines.add(member.getId() + "=" + member.getAddress()));
    SmallFile.replace(folder, FILE, String.join("\n", lines));
  }

  static boolean isIn(Path folder) {
    return Files.exists(folder.resolve(FILE));
  }

  /** The members of the group when the copy was made: address by name. */
  static Map<String, String> members(Path folder) throws IOException {
    Map<String, String> members = new TreeMap<>();
    for (String line : Files.readAllLines(folder.resolve(FILE))) {
      int equals = line.indexOf('=');
      if (equals > 0) {
        members.put(line.substring(0, equals), line.substring(equals + 1));
      }
    }
    return members;
  }

  static void remove(Path folder) throws IOException {
    Files.deleteIfExists(folder.resolve(FILE));
  }
}
