package io.acaciafs.kv.raft;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.SetConfigurationRequest;
import org.apache.ratis.protocol.SnapshotManagementRequest;
import org.apache.ratis.protocol.TransferLeadershipRequest;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.jspecify.annotations.Nullable;

/**
 * What this member asks its own Ratis server, without a network in between. Safe for use by many
 * threads.
 */
final class RatisRequests {
  private static final long SNAPSHOT_TIMEOUT_MS = 10_000;
  private static final long TRANSFER_TIMEOUT_MS = 3_000;

  private final RaftServer server;
  private final RaftGroupId group;
  private final ClientId client = ClientId.randomId();
  private final AtomicLong calls = new AtomicLong();

  RatisRequests(RaftServer server, RaftGroupId group) {
    this.server = server;
    this.group = group;
  }

  /** Puts an entry behind all that were appended before. */
  CompletableFuture<RaftClientReply> append(ByteString entry) throws IOException {
    return server.submitClientRequestAsync(
        RaftClientRequest.newBuilder()
            .setClientId(client)
            .setServerId(server.getId())
            .setGroupId(group)
            .setCallId(calls.incrementAndGet())
            .setMessage(Message.valueOf(entry))
            .setType(RaftClientRequest.writeRequestType())
            .build());
  }

  /** Has Ratis forget entries that the files of the store hold. */
  CompletableFuture<RaftClientReply> snapshot() {
    return server.snapshotManagementAsync(
        SnapshotManagementRequest.newCreate(
            client, server.getId(), group, calls.incrementAndGet(), SNAPSHOT_TIMEOUT_MS, 1));
  }

  /** Has another member lead; returns when it does. */
  RaftClientReply transfer(RaftPeerId to) throws IOException {
    return leadNoMore(to);
  }

  /** Follows; returns when it does. */
  RaftClientReply stepDown() throws IOException {
    return leadNoMore(null);
  }

  private RaftClientReply leadNoMore(@Nullable RaftPeerId to) throws IOException {
    return server.transferLeadership(
        new TransferLeadershipRequest(
            client, server.getId(), group, calls.incrementAndGet(), to, TRANSFER_TIMEOUT_MS));
  }

  /**
   * Changes the members of the group; returns when the group has agreed on them, and the new ones
   * have caught up.
   *
   * @param from fails where they are others by now
   */
  RaftClientReply members(List<RaftPeer> from, List<RaftPeer> to) throws IOException {
    return server.setConfiguration(
        new SetConfigurationRequest(
            client,
            server.getId(),
            group,
            calls.incrementAndGet(),
            SetConfigurationRequest.Arguments.newBuilder()
                .setMode(SetConfigurationRequest.Mode.COMPARE_AND_SET)
                .setServersInCurrentConf(from)
                .setServersInNewConf(to)
                .build()));
  }
}
