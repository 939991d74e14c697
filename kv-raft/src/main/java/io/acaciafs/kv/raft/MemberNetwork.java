package io.acaciafs.kv.raft;

import io.acaciafs.kv.raft.call.BytesService;
import io.acaciafs.kv.raft.call.MemberConnection;
import io.acaciafs.kv.raft.copy.MemberStanding;
import io.acaciafs.kv.raft.copy.StoreCopy;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.protocol.RaftPeer;

/** How the members of a group reach each other. Safe for use by many threads. */
interface MemberNetwork {
  /**
   * What a member answers others, beside Ratis.
   *
   * @param copy is served to members that lack what the log no longer has
   * @param standing says to one that wants a copy whether this member leads
   * @param views answers a leader that compares the stores
   */
  record Answers(StoreCopy copy, MemberStanding.Source standing, BytesService.Answerer views) {}

  /** Has Ratis use this network. */
  void configure(
      RaftOptions options, Answers answers, RaftProperties properties, Parameters parameters);

  /**
   * For a leader that compares the stores.
   *
   * @param self the member that asks
   * @param to another one
   */
  MemberConnection connect(String self, RaftPeer to);
}
