package io.acaciafs.kv.raft;

import static java.util.Objects.requireNonNull;

import io.acaciafs.kv.raft.call.ChannelSecurity;
import java.nio.file.Path;
import java.util.Map;

/**
 * How one member takes part in its group.
 *
 * @param self its name, one of the members'
 * @param members address of each, {@code host:port}, by name; an odd number
 * @param group names the group: members of another one are refused
 * @param folder of the store; Ratis's log is in its folder {@code raft}
 * @param security of all connections between members
 * @param copyBytesPerSecond how fast another member's store is copied at most; 0: without a limit
 */
record RaftOptions(
    String self,
    Map<String, String> members,
    String group,
    Path folder,
    ElectionTimeout electionTimeout,
    ChannelSecurity security,
    long copyBytesPerSecond) {

  RaftOptions {
    members = Map.copyOf(members);
    if (!members.containsKey(self)) {
      throw new IllegalArgumentException(self + " is none of the members " + members.keySet());
    }
  }

  Path logFolder() {
    return folder.resolve("raft");
  }

  /** Where a copy of the store is made for others; on the same disk, so that files are linked. */
  Path copyFolder() {
    return folder.resolve("raft-copy");
  }

  String host() {
    return hostOf(address());
  }

  int port() {
    String address = address();
    return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
  }

  /**
   * @param address {@code host:port}
   */
  static String hostOf(String address) {
    return address.substring(0, address.lastIndexOf(':'));
  }

  private String address() {
    return addressOf(self);
  }

  /**
   * @param member one of the members
   */
  String addressOf(String member) {
    return requireNonNull(members.get(member), member);
  }
}
