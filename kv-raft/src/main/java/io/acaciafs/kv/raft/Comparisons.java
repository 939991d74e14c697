package io.acaciafs.kv.raft;

import io.acaciafs.kv.Table;
import io.acaciafs.kv.check.CheckListener;
import io.acaciafs.kv.check.Pace;
import io.acaciafs.kv.raft.call.LocalConnection;
import io.acaciafs.kv.raft.call.MemberConnection;
import io.acaciafs.kv.raft.compare.MemberViews;
import io.acaciafs.kv.raft.compare.StoreComparison;
import io.acaciafs.kv.raft.log.RaftEntry;
import io.acaciafs.kv.raft.log.RaftLog;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;

/** Compares the members' stores, where this member leads. Safe for use by many threads. */
final class Comparisons {
  private static final long LONGEST_MARK_MS = 30_000;

  private final RaftPeerId self;
  private final MemberNetwork network;
  private final Membership membership;
  private final RaftLog log;
  private final RaftLog.Group group;
  private final MemberViews views;

  /**
   * @param log says the term in which this member leads
   * @param group takes the mark of a comparison
   * @param views of this member
   */
  Comparisons(
      RaftPeerId self,
      MemberNetwork network,
      Membership membership,
      RaftLog log,
      RaftLog.Group group,
      MemberViews views) {
    this.self = self;
    this.network = network;
    this.membership = membership;
    this.log = log;
    this.group = group;
    this.views = views;
  }

  /** As {@link io.acaciafs.kv.engine.Replica#compare}. */
  long run(Set<Table> tables, Pace pace, CheckListener listener)
      throws IOException, InterruptedException {
    Map<String, MemberConnection> members = new LinkedHashMap<>();
    for (RaftPeer member : membership.all()) {
      members.put(
          member.getId().toString(),
          member.getId().equals(self)
              ? new LocalConnection(views)
              : network.connect(self.toString(), member));
    }
    return new StoreComparison(self.toString(), members, tables, pace, listener).run(this::mark);
  }

  private void mark(long comparison) throws IOException, InterruptedException {
    try {
      group
          .submit(RaftEntry.mark(log.term(), comparison).encode())
          .get(LONGEST_MARK_MS, TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new IOException(
          "The members did not agree on when to compare, as when another one leads by now. Ask"
              + " again",
          e);
    }
  }
}
