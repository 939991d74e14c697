package io.acaciafs.kv.raft;

import io.acaciafs.kv.raft.copy.IncomingCopy;
import io.acaciafs.kv.raft.copy.MemberStanding;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import org.apache.ratis.protocol.RaftGroupId;

/** Another member that answers, whatever its group. */
record OtherMember(String name, String address, MemberStanding standing) {
  /**
   * Asks all that the settings name; each answers within some seconds, or not at all.
   *
   * @param failures is told why one did not answer
   */
  static List<OtherMember> all(RaftOptions options, Consumer<IOException> failures) {
    List<OtherMember> others = new ArrayList<>();
    for (Map.Entry<String, String> member : options.members().entrySet()) {
      if (!member.getKey().equals(options.self())) {
        try {
          others.add(
              new OtherMember(
                  member.getKey(),
                  member.getValue(),
                  IncomingCopy.standing(member.getValue(), options.security())));
        } catch (IOException e) {
          failures.accept(e);
        }
      }
    }
    return others;
  }

  boolean isOf(RaftGroupId group) {
    UUID own = group.getUuid();
    return standing.group().equals(own);
  }

  /** For people: it and the store in a folder of this member are of two groups. */
  String strangerTo(Path folder) {
    return "The store in "
        + folder
        + " and that of "
        + name
        + " at "
        + address
        + (standing.leads() ? ", which leads," : "")
        + " do not belong together: they are of two clusters, or one of them was restored from a"
        + " backup or imported since. Empty the folder of the wrong one, and run 'acacia bootstrap'"
        + " for it, see docs/ha.md";
  }
}
