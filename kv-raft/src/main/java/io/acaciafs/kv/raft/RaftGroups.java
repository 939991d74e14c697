package io.acaciafs.kv.raft;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.UUID;
import org.apache.ratis.protocol.RaftGroupId;

/** Names of groups. Stateless. */
final class RaftGroups {
  private RaftGroups() {}

  /** The same name gives the same id. */
  static RaftGroupId idOf(String name) {
    return RaftGroupId.valueOf(UUID.nameUUIDFromBytes(name.getBytes(UTF_8)));
  }
}
