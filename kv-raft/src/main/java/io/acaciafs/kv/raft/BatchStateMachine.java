package io.acaciafs.kv.raft;

import io.acaciafs.kv.raft.log.AppendOrder;
import io.acaciafs.kv.raft.log.AppliedMark;
import io.acaciafs.kv.raft.log.RaftEntry;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RaftConfigurationProto;
import org.apache.ratis.proto.RaftProtos.RoleInfoProto;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftGroupMemberId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.exceptions.StateMachineException;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.storage.FileInfo;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.SnapshotInfo;
import org.apache.ratis.statemachine.TransactionContext;
import org.apache.ratis.statemachine.impl.BaseStateMachine;
import org.apache.ratis.util.LifeCycle;
import org.jspecify.annotations.Nullable;

/**
 * What Ratis calls: translates entries of its log, and changes of roles. Ratis applies entries on
 * one thread, in their order; other calls come on threads of Ratis that must not wait.
 */
final class BatchStateMachine extends BaseStateMachine {
  /** Takes what Ratis says, in the words of the store. */
  interface Member {
    /** What the files of the store hold: where applying begins. */
    AppliedMark inFiles();

    /** The index up to which Ratis's log may forget entries; -1: none. */
    long forgettable();

    /**
     * The next entry is on a majority of members.
     *
     * @throws io.acaciafs.kv.StoreException when this member cannot go on
     */
    void apply(RaftEntry entry, TermIndex at);

    /**
     * This member leads, and has applied all entries of its predecessors. May come after {@link
     * #leadsNoMore} of the same term.
     */
    void leads(long term);

    /** It leads no more, or has never begun to. */
    void leadsNoMore();

    /** Every member is told the leader. */
    void leaderIs(RaftPeerId leader);

    /**
     * Another copy of the store is needed, where the leader's log no longer has what comes next.
     *
     * @return what the copy holds; null: this member needs none
     */
    CompletableFuture<@Nullable TermIndex> install(RaftPeerId leader, TermIndex firstInLog);

    /** The group has agreed on its members. */
    void membersAre(List<RaftPeerId> members);

    /** The others say that this member is none of them any more. */
    void leavesGroup();

    /** Ratis ends: it was closed, or has closed itself after a long pause of the process. */
    void ratisEnds();

    /** Ratis's log cannot be written. */
    void logFailed(Throwable cause);
  }

  private final Member member;
  private final AppendOrder order;

  /** A leader's first entry names the members; with it Ratis says that the leader is ready. */
  private volatile long configurationTerm;

  /** Ratis fails when a later answer is lower, and a member that comes back may be behind. */
  private volatile long forgotten = -1;

  /**
   * @param order of what this member appends; ends with its leadership
   */
  BatchStateMachine(Member member, AppendOrder order) {
    this.member = member;
    this.order = order;
  }

  @Override
  public void initialize(RaftServer server, RaftGroupId groupId, RaftStorage storage)
      throws IOException {
    getLifeCycle()
        .startAndTransition(
            () -> {
              super.initialize(server, groupId, storage);
              AppliedMark mark = member.inFiles();
              forgotten = mark.index();
              if (mark.index() >= 0) {
                setLastAppliedTermIndex(TermIndex.valueOf(mark.term(), mark.index()));
              }
            });
  }

  @Override
  public void pause() {
    getLifeCycle().transition(LifeCycle.State.PAUSING);
    getLifeCycle().transition(LifeCycle.State.PAUSED);
  }

  @Override
  public void reinitialize() {
    AppliedMark mark = member.inFiles();
    forgotten = mark.index();
    setLastAppliedTermIndex(TermIndex.valueOf(mark.term(), mark.index()));
    getLifeCycle().transition(LifeCycle.State.STARTING);
    getLifeCycle().transition(LifeCycle.State.RUNNING);
  }

  @Override
  public @Nullable SnapshotInfo getLatestSnapshot() {
    AppliedMark mark = member.inFiles();
    return mark.index() < 0 ? null : new InFiles(TermIndex.valueOf(mark.term(), mark.index()));
  }

  /** The store's own files are the snapshot: it is there already. */
  private record InFiles(TermIndex at) implements SnapshotInfo {
    @Override
    public TermIndex getTermIndex() {
      return at;
    }

    @Override
    public List<FileInfo> getFiles() {
      return List.of();
    }
  }

  @Override
  public long takeSnapshot() {
    forgotten = Math.max(forgotten, member.forgettable());
    return forgotten;
  }

  @Override
  public TransactionContext preAppendTransaction(TransactionContext transaction)
      throws IOException {
    RaftEntry entry = RaftEntry.decode(transaction.getStateMachineLogEntry().getLogData());
    Optional<String> refusal = order.refusal(entry);
    if (refusal.isPresent()) {
      throw new StateMachineException(refusal.get(), false);
    }
    return transaction;
  }

  @Override
  public TransactionContext cancelTransaction(TransactionContext transaction) {
    order.end();
    return transaction;
  }

  @Override
  public CompletableFuture<Message> applyTransaction(TransactionContext transaction) {
    LogEntryProto entry = transaction.getLogEntry();
    TermIndex at = TermIndex.valueOf(entry);
    try {
      member.apply(RaftEntry.decode(entry.getStateMachineLogEntry().getLogData()), at);
    } catch (Throwable e) { // Ratis ends this server then
      member.logFailed(e);
      throw e;
    }
    updateLastAppliedTermIndex(at);
    return CompletableFuture.completedFuture(Message.EMPTY);
  }

  @Override
  public void notifyLeaderReady() {
    member.leads(configurationTerm);
  }

  @Override
  public void notifyNotLeader(Collection<TransactionContext> pending) {
    order.end();
    member.leadsNoMore();
  }

  @Override
  public void notifyLeaderChanged(RaftGroupMemberId self, RaftPeerId leader) {
    member.leaderIs(leader);
  }

  @Override
  public CompletableFuture<@Nullable TermIndex> notifyInstallSnapshotFromLeader(
      RoleInfoProto role, TermIndex firstInLog) {
    return member.install(
        RaftPeerId.valueOf(role.getFollowerInfo().getLeaderInfo().getId().getId()), firstInLog);
  }

  @Override
  public void notifyConfigurationChanged(long term, long index, RaftConfigurationProto members) {
    configurationTerm = term;
    if (members.getOldPeersCount() == 0) { // else the change is still under way
      member.membersAre(
          members.getPeersList().stream().map(peer -> RaftPeerId.valueOf(peer.getId())).toList());
    }
  }

  @Override
  public void notifyServerShutdown(RoleInfoProto role, boolean allServer) {
    if (allServer) {
      member.ratisEnds();
    } else {
      member.leavesGroup();
    }
  }

  @Override
  public void notifyLogFailed(Throwable cause, @Nullable LogEntryProto entry) {
    member.logFailed(cause);
  }
}
