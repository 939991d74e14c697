package io.acaciafs.kv.raft;

import io.acaciafs.kv.engine.ReplicaStatus.Follower;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftPeerId;
import org.jspecify.annotations.Nullable;

/** Has another member lead in place of this one. Safe for use by many threads. */
final class HandOver {
  /** Writes are refused until the other one has caught up. */
  private static final long MOST_ENTRIES_BEHIND = 1_000;

  private final RatisServer ratis;
  private final Membership membership;
  private final long longestSilenceMs;

  /**
   * @param longestSilenceMs a member that has not answered for longer is not asked
   */
  HandOver(RatisServer ratis, Membership membership, long longestSilenceMs) {
    this.ratis = ratis;
    this.membership = membership;
    this.longestSilenceMs = longestSilenceMs;
  }

  /**
   * Finds the member to hand over to, and asks nobody.
   *
   * @param member its name; empty: the one that is furthest
   * @throws IOException with a sentence for people, when it could not lead now
   */
  String choose(String member) throws IOException {
    if (membership.changes()) {
      throw new IOException("The members of the group are being changed; hand over afterwards");
    }
    return choose(member, ratis.followers(), longestSilenceMs);
  }

  static String choose(String member, List<Follower> others, long longestSilenceMs)
      throws IOException {
    List<String> hindrances = new ArrayList<>();
    Follower furthest = null;
    for (Follower other : others) {
      if (member.isEmpty() || member.equals(other.name())) {
        String hindrance = hindrance(other, longestSilenceMs);
        if (hindrance != null) {
          hindrances.add(other.name() + hindrance);
        } else if (furthest == null || other.entriesBehind() < furthest.entriesBehind()) {
          furthest = other;
        }
      }
    }
    if (furthest != null) {
      return furthest.name();
    }
    if (hindrances.isEmpty()) {
      throw new IOException(
          member.isEmpty()
              ? "The group has no other member"
              : member + " is no member of the group");
    }
    throw new IOException("Leadership stays here: " + String.join(", ", hindrances));
  }

  /** Why it could not lead now; null: it could. */
  private static @Nullable String hindrance(Follower other, long longestSilenceMs) {
    if (other.silentMs() > longestSilenceMs) {
      return " was not heard for " + other.silentMs() + " ms";
    }
    if (other.entriesBehind() > MOST_ENTRIES_BEHIND) {
      return " is " + other.entriesBehind() + " entries of the log behind";
    }
    return null;
  }

  /**
   * Returns when the other one leads.
   *
   * @param member as {@link #choose} found it
   * @throws IOException when it does not, after some seconds; it may still stand for election, and
   *     win, at any time before the next term begins
   */
  void to(String member) throws IOException {
    RaftClientReply reply = ratis.requests().transfer(RaftPeerId.valueOf(member));
    if (!reply.isSuccess()) {
      throw new IOException(
          "Leadership was not handed over to " + member + ": " + reply.getException());
    }
  }

  /** Ends the term; all elect a leader, which may be this member. */
  void endTerm() throws IOException {
    RaftClientReply reply = ratis.requests().stepDown();
    if (!reply.isSuccess()) {
      throw new IOException("The term did not end: " + reply.getException());
    }
  }
}
