package io.acaciafs.kv.raft;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.TransferLeadershipRequest;
import org.apache.ratis.server.RaftServer;

/** Has another member lead in place of this one. Safe for use by many threads. */
final class HandOver {
  private static final long TIMEOUT_MS = 3_000;

  private final RaftServer server;
  private final RaftOptions options;
  private final RaftGroupId groupId;
  private final ClientId clientId;
  private final AtomicLong callIds;

  /**
   * @param callIds gives each request of the client another number
   */
  HandOver(
      RaftServer server,
      RaftOptions options,
      RaftGroupId groupId,
      ClientId clientId,
      AtomicLong callIds) {
    this.server = server;
    this.options = options;
    this.groupId = groupId;
    this.clientId = clientId;
    this.callIds = callIds;
  }

  /**
   * Returns when the other one leads.
   *
   * @throws IOException when it does not, after a while
   */
  void to(String member) throws IOException {
    TransferLeadershipRequest request =
        new TransferLeadershipRequest(
            clientId,
            server.getId(),
            groupId,
            callIds.incrementAndGet(),
            RaftPeerId.valueOf(member),
            TIMEOUT_MS);
    RaftClientReply reply = server.transferLeadership(request);
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
    for (String other : options.members().keySet()) {
      if (!other.equals(options.self())) {
        try {
          to(other);
          return;
        } catch (IOException e) {
          failure = e;
        }
      }
    }
    throw new IOException("No other member can lead", failure);
  }
}
