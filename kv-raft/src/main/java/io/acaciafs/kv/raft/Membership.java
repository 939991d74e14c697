package io.acaciafs.kv.raft;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.server.RaftServer;

/**
 * Who the members of the group are. The group agrees on them through its log; what the settings
 * name is where it began. Safe for use by many threads.
 */
final class Membership {
  private final RaftServer server;
  private final RaftGroupId group;
  private final Map<String, String> settings;
  private final RatisRequests requests;

  /** Changes that this member has asked for, and that are not made yet. */
  private final AtomicInteger changes = new AtomicInteger();

  /**
   * @param settings address by name, for one that has not heard of the group yet
   */
  Membership(
      RaftServer server, RaftGroupId group, Map<String, String> settings, RatisRequests requests) {
    this.server = server;
    this.group = group;
    this.settings = settings;
    this.requests = requests;
  }

  /** As this member knows them. */
  List<RaftPeer> all() throws IOException {
    return List.copyOf(server.getDivision(group).getRaftConf().getAllPeers());
  }

  /** Whether it will be a member also when a change that is under way has been made. */
  boolean has(String name) throws IOException {
    return server.getDivision(group).getRaftConf().getCurrentPeers().stream()
        .anyMatch(member -> isNamed(member, name));
  }

  /** Whether a change is under way. */
  boolean changes() throws IOException {
    return changes.get() > 0
        || !server.getDivision(group).getRaftConf().getPreviousPeers().isEmpty();
  }

  private static boolean isNamed(RaftPeer member, String name) {
    return member.getId().toString().equals(name);
  }

  /**
   * Where a member listens for the others, {@code host:port}.
   *
   * @throws IOException when it is none
   */
  String addressOf(String name) throws IOException {
    for (RaftPeer member : all()) {
      if (isNamed(member, name)) {
        return member.getAddress();
      }
    }
    String address = settings.get(name);
    if (address == null) {
      throw new IOException(name + " is no member of the group");
    }
    return address;
  }

  /**
   * Adds a member that waits for it; returns when that one has caught up. Of the leader.
   *
   * @throws IOException with a sentence for people, when it is not added
   */
  void add(String name, String address) throws IOException {
    List<RaftPeer> now = all();
    for (RaftPeer member : now) {
      if (isNamed(member, name) || member.getAddress().equals(address)) {
        throw new IOException(
            member.getId() + " at " + member.getAddress() + " is a member already");
      }
    }
    List<RaftPeer> then = new ArrayList<>(now);
    then.add(RaftPeer.newBuilder().setId(name).setAddress(address).build());
    change(
        now,
        then,
        name + " at " + address + " was not added. Does it run, after 'acacia bootstrap'?");
  }

  /**
   * Removes a member, which may be dead. Of the leader, which cannot remove itself.
   *
   * @throws IOException with a sentence for people, when it is not removed
   */
  void remove(String name) throws IOException {
    if (server.getId().toString().equals(name)) {
      throw new IOException(name + " leads. Have another one lead first: acacia raft step-down");
    }
    if (!has(name)) {
      throw new IOException(name + " is no member of the group");
    }
    List<RaftPeer> now = all();
    List<RaftPeer> then = now.stream().filter(member -> !isNamed(member, name)).toList();
    change(now, then, name + " was not removed");
  }

  private void change(List<RaftPeer> from, List<RaftPeer> to, String failure) throws IOException {
    changes.incrementAndGet();
    try {
      RaftClientReply reply = requests.members(from, to);
      if (!reply.isSuccess()) {
        throw new IOException(failure + ": " + reply.getException(), reply.getException());
      }
    } finally {
      changes.decrementAndGet();
    }
  }
}
