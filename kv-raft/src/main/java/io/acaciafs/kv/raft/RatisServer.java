package io.acaciafs.kv.raft;

import io.acaciafs.kv.FencedOffException;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.engine.ReplicaStatus;
import io.acaciafs.kv.raft.log.RaftEntry;
import io.acaciafs.kv.raft.log.RaftLog;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.ObjLongConsumer;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RoleInfoProto;
import org.apache.ratis.proto.RaftProtos.ServerRpcProto;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.DivisionInfo;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.StateMachine;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ratis's server in this process: its log, and what it knows of the group, in the words of the
 * store. Safe for use by many threads.
 */
final class RatisServer {
  private static final Logger LOG = LoggerFactory.getLogger(RatisServer.class);

  private final RaftServer server;
  private final RaftGroupId groupId;
  private final RatisRequests requests;

  private RatisServer(RaftServer server, RaftGroupId groupId) {
    this.server = server;
    this.groupId = groupId;
    this.requests = new RatisRequests(server, groupId);
  }

  /**
   * @param hasLog whether there is a log to go on with
   * @param belongs false: it waits until the leader adds it; with a group it would stand for
   *     election
   * @param stateMachine takes entries, and changes of roles
   */
  static RatisServer of(
      RaftOptions options,
      boolean hasLog,
      boolean belongs,
      StateMachine stateMachine,
      MemberNetwork network,
      MemberNetwork.Answers answers)
      throws IOException {
    RaftProperties properties = RatisProperties.of(options);
    Parameters parameters = new Parameters();
    network.configure(options, answers, properties, parameters);
    RaftGroupId groupId = RaftGroups.of(options);
    return new RatisServer(
        RaftServer.newBuilder()
            .setServerId(RaftPeerId.valueOf(options.self()))
            .setGroup(RaftGroup.valueOf(groupId, belongs ? peers(options) : List.of()))
            .setStateMachine(stateMachine)
            .setProperties(properties)
            .setParameters(parameters)
            .setOption(
                hasLog ? RaftStorage.StartupOption.RECOVER : RaftStorage.StartupOption.FORMAT)
            .build(),
        groupId);
  }

  /**
   * Where the group begins; later its log says who belongs to it. All have the same priority: a
   * higher one would take leadership back after each failover.
   */
  private static List<RaftPeer> peers(RaftOptions options) {
    List<RaftPeer> peers = new ArrayList<>();
    options
        .members()
        .forEach(
            (name, address) ->
                peers.add(RaftPeer.newBuilder().setId(name).setAddress(address).build()));
    return peers;
  }

  void start() throws IOException {
    server.start();
  }

  RaftGroupId group() {
    return groupId;
  }

  RatisRequests requests() {
    return requests;
  }

  Membership membership(RaftOptions options) {
    return new Membership(server, groupId, options.members(), requests);
  }

  /**
   * Puts an entry behind all that were submitted before.
   *
   * @return completes when it is applied here; fails when that is not known
   */
  CompletableFuture<Void> submit(ByteString entry) {
    try {
      return requests.append(entry).thenAccept(RatisServer::requireSuccess);
    } catch (IOException | RuntimeException e) { // Ratis ends
      return CompletableFuture.failedFuture(
          new FencedOffException("This member takes part no more: " + e, e));
    }
  }

  private static void requireSuccess(RaftClientReply reply) {
    if (!reply.isSuccess()) {
      throw new FencedOffException(
          "The members of the group did not take what was written: " + reply.getException());
    }
  }

  /** As {@link RaftLog.Entries#forEach}. */
  void forEachEntry(long after, long upTo, Consumer<RaftEntry> consumer) throws IOException {
    org.apache.ratis.server.raftlog.RaftLog entries = division().getRaftLog();
    for (long index = after + 1; index <= upTo; index++) {
      LogEntryProto entry = entries.get(index);
      if (entry == null) {
        throw new IOException("The Raft log no longer has entry " + index);
      }
      if (entry.hasStateMachineLogEntry()) {
        consumer.accept(RaftEntry.decode(entry.getStateMachineLogEntry().getLogData()));
      }
    }
  }

  /** Lets Ratis forget entries that files hold. */
  void forgetReleased() {
    requests.snapshot().exceptionally(RatisServer::keepsEntries);
  }

  private static @Nullable RaftClientReply keepsEntries(Throwable cause) {
    LOG.warn("The Raft log keeps entries that are in files, until the next time", cause);
    return null;
  }

  /** Of the next entry that this member's log gets. */
  long nextIndex() {
    return division().getRaftLog().getNextIndex();
  }

  /** Of the last entry that is known to be committed. */
  long committedIndex() {
    return division().getRaftLog().getLastCommittedIndex();
  }

  /** Whether this member leads in a term. */
  boolean leads(long term) {
    DivisionInfo info = info();
    return info.isLeader() && info.getCurrentTerm() == term;
  }

  long term() {
    return info().getCurrentTerm();
  }

  /** Empty: none is known. */
  String leader() {
    RaftPeerId leader = info().getLeaderId();
    return leader == null ? "" : leader.toString();
  }

  /** How far the others are, where this member leads; else empty. */
  List<ReplicaStatus.Follower> followers() {
    DivisionInfo info = info();
    List<ReplicaStatus.Follower> followers = new ArrayList<>();
    forEachFollower(
        info,
        (follower, confirmed) ->
            followers.add(
                new ReplicaStatus.Follower(
                    follower.getId().getId().toStringUtf8(),
                    Math.max(0, info.getLastAppliedIndex() - confirmed),
                    follower.getLastRpcElapsedTimeMs())));
    return followers;
  }

  /**
   * The index of the last entry that all others have that answer.
   *
   * @param longestSilenceMs one that has not answered for longer does not count
   * @return {@link Long#MAX_VALUE}: none answers, or this member does not lead
   */
  long confirmed(long longestSilenceMs) {
    long[] least = {Long.MAX_VALUE};
    forEachFollower(
        info(),
        (follower, confirmed) -> {
          if (follower.getLastRpcElapsedTimeMs() <= longestSilenceMs) {
            least[0] = Math.min(least[0], confirmed);
          }
        });
    return least[0];
  }

  private static void forEachFollower(DivisionInfo info, ObjLongConsumer<ServerRpcProto> consumer) {
    List<ServerRpcProto> known = info.getRoleInfoProto().getLeaderInfo().getFollowerInfoList();
    long[] confirmed = info.getFollowerMatchIndices(); // in the same order; null: it has just lost
    if (confirmed != null) {
      for (int i = 0; i < Math.min(known.size(), confirmed.length); i++) {
        consumer.accept(known.get(i), confirmed[i]);
      }
    }
  }

  /** Notes when the leader was last heard, which Ratis forgets with the next one. */
  void hearLeader(LeaderHistory leaders) {
    RoleInfoProto role = info().getRoleInfoProto();
    if (role.hasLeaderInfo()) {
      leaders.heard(server.getId().toString(), 0);
    } else if (role.hasCandidateInfo()) {
      leaders.lost(role.getCandidateInfo().getLastLeaderElapsedTimeMs());
    } else if (role.getFollowerInfo().getLeaderInfo().hasId()) {
      ServerRpcProto heard = role.getFollowerInfo().getLeaderInfo();
      leaders.heard(heard.getId().getId().toStringUtf8(), heard.getLastRpcElapsedTimeMs());
    } else {
      leaders.lost(0);
    }
  }

  private RaftServer.Division division() {
    try {
      return server.getDivision(groupId);
    } catch (IOException e) {
      throw new StoreException("The member does not know its group", e);
    }
  }

  private DivisionInfo info() {
    return division().getInfo();
  }

  /**
   * @throws IOException when it has not ended in order after some seconds
   */
  void close() throws IOException {
    ServerEnd.close(server, server.getId(), ServerEnd.PATIENCE_MS);
  }
}
