package io.acaciafs.kv.raft;

import java.io.IOException;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;

/** Has another member lead in place of this one. Safe for use by many threads. */
final class HandOver {
  private final RaftPeerId self;
  private final Membership membership;
  private final RatisRequests requests;

  HandOver(RaftPeerId self, Membership membership, RatisRequests requests) {
    this.self = self;
    this.membership = membership;
    this.requests = requests;
  }

  /**
   * Returns when the other one leads.
   *
   * @throws IOException when it does not, after a while
   */
  void to(String member) throws IOException {
    RaftClientReply reply = requests.transfer(RaftPeerId.valueOf(member));
    if (!reply.isSuccess()) {
      throw new IOException(
          "Leadership was not handed over to " + member + ": " + reply.getException());
    }
  }

  /**
   * To the first one that can.
   *
   * @throws IOException when none can
   */
  void toAny() throws IOException {
    IOException failure = null;
    for (RaftPeer other : membership.all()) {
      if (!other.getId().equals(self)) {
        try {
          to(other.getId().toString());
          return;
        } catch (IOException e) {
          failure = e;
        }
      }
    }
    throw new IOException("No other member can lead", failure);
  }
}
