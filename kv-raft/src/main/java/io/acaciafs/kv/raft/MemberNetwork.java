package io.acaciafs.kv.raft;

import io.acaciafs.kv.raft.copy.StoreCopy;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.conf.RaftProperties;

/** How the members of a group reach each other. */
@FunctionalInterface
interface MemberNetwork {
  /**
   * Has Ratis use this network.
   *
   * @param copy is served to members that lack what the log no longer has
   */
  void configure(
      RaftOptions options, StoreCopy copy, RaftProperties properties, Parameters parameters);
}
