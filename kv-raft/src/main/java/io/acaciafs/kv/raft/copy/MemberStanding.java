package io.acaciafs.kv.raft.copy;

import java.io.IOException;
import java.util.UUID;

/**
 * What a member is in its group, as it says it to one that wants a copy of its store.
 *
 * @param term in which it leads, and has shown so since it was asked; 0: it does not lead
 * @param index of the last entry that it has applied, where it leads of one that was appended since
 *     it was asked; -1: the group has no entries
 * @param group Ratis's id of it
 * @param electionTimeoutMs the least one; 0: an earlier version does not say
 */
public record MemberStanding(long term, long index, UUID group, long electionTimeoutMs) {

  /** Tells of this member, as it is now. */
  @FunctionalInterface
  public interface Source {
    /** Waits, for some seconds at most. */
    MemberStanding now() throws IOException;
  }

  public boolean leads() {
    return term > 0;
  }

  String encode() {
    return term + " " + index + " " + group + " " + electionTimeoutMs;
  }

  static MemberStanding decode(String text) throws IOException {
    String[] words = text.split(" ");
    try {
      return new MemberStanding(
          Long.parseLong(words[0]),
          Long.parseLong(words[1]),
          UUID.fromString(words[2]),
          words.length == 3 ? 0 : Long.parseLong(words[3]));
    } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
      throw new IOException("Not what a member is: " + text, e);
    }
  }
}
