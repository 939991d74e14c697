package io.acaciafs.kv.engine;

import java.util.List;

/**
 * A server's view of its group at one moment.
 *
 * @param self this server's name
 * @param leads whether this server leads, and serves
 * @param leader the leader's name; empty: not known
 * @param term grows with each leader; 0: not known
 * @param position of the last batch that this server has applied
 * @param followers the others, where this server leads; else none
 */
public record ReplicaStatus(
    String self, boolean leads, String leader, long term, long position, List<Follower> followers) {

  public ReplicaStatus {
    followers = List.copyOf(followers);
  }

  /**
   * A server as the leader sees it.
   *
   * @param entriesBehind of the leader's log that it has not confirmed
   * @param silentMs since its last answer
   */
  public record Follower(String name, long entriesBehind, long silentMs) {}
}
