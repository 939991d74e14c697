package io.acaciafs.kv.raft;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.util.UUID;
import org.apache.ratis.protocol.RaftGroupId;

/** Names of groups. Stateless. */
final class RaftGroups {
  private RaftGroups() {}

  /** Of the store in a member's folder. */
  static RaftGroupId of(RaftOptions options) throws IOException {
    String origin = StoreOrigin.of(options.folder());
    return idOf(origin.isEmpty() ? options.group() : options.group() + ", origin " + origin);
  }

  /** The same name gives the same id. */
  static RaftGroupId idOf(String name) {
    return RaftGroupId.valueOf(UUID.nameUUIDFromBytes(name.getBytes(UTF_8)));
  }
}
