package io.acaciafs.kv.engine;

import java.util.List;

/**
 * A server's view of its group at one moment.
 *
 * @param self this server's name
 * @param leads whether this server leads, and serves
 * @param leader the leader's name; empty: not known
 * @param term grows with each election
 * @param position of the last batch that this server has applied
 * @param members all of them; what the leader knows of each
 */
public record ReplicaStatus(
    String self, boolean leads, String leader, long term, long position, List<Member> members) {
  /**
   * @param name of the server
   * @param address by which the others reach it
   * @param entriesBehind entries of the log that the leader has and the server has not; -1: not
   *     known
   */
  public record Member(String name, String address, long entriesBehind) {}
}
