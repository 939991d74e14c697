package io.acaciafs.kv.raft;

import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.ratis.protocol.RaftGroupId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks the others whether this member belongs together with them. Safe for use by one thread. */
final class Strangers {
  private static final Logger LOG = LoggerFactory.getLogger(Strangers.class);

  private final RaftOptions options;
  private final RaftGroupId group;

  /** Those that have answered that they wait as long for a leader. */
  private final Set<String> agreed = ConcurrentHashMap.newKeySet();

  Strangers(RaftOptions options, RaftGroupId group) {
    this.options = options;
    this.group = group;
  }

  /** Whether one has not answered yet. Another one that starts later asks this member. */
  boolean isOpen() {
    return agreed.size() < options.members().size() - 1;
  }

  /**
   * @throws IOException with a sentence for people, when this member must not take part
   */
  void require() throws IOException {
    for (OtherMember other : OtherMember.all(options, e -> {})) {
      if (other.isOf(group)) {
        requireSameTimeout(other);
      } else if (other.standing().leads()) { // of two groups the one is right that leads
        throw new IOException(other.strangerTo(options.folder()));
      } else {
        LOG.warn(other.strangerTo(options.folder()));
      }
    }
  }

  /**
   * A leader answers reads for as long as it believes that the others wait for it before they elect
   * another one.
   */
  private void requireSameTimeout(OtherMember other) throws IOException {
    long own = options.electionTimeout().minMs();
    long theirs = other.standing().electionTimeoutMs();
    if (theirs != own && theirs != 0) {
      throw new IOException(
          RaftConfigKeys.ELECTION_TIMEOUT_MIN.name()
              + " is "
              + own
              + " here and "
              + theirs
              + " at "
              + other.name()
              + ": a leader could answer reads after another one was elected. Stop all members,"
              + " have them say the same, and start them");
    }
    agreed.add(other.name());
  }
}
