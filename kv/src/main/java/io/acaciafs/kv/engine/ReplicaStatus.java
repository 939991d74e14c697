package io.acaciafs.kv.engine;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A server's view of its group at one moment.
 *
 * @param self this server's name
 * @param leads whether this server leads, and serves
 * @param leader the leader's name; empty: not known
 * @param term grows with each leader; 0: not known
 * @param applied how far this server is
 * @param leaders what this server knows of leaders until now
 * @param followers the others, where this server leads; else none
 */
public record ReplicaStatus(
    String self,
    boolean leads,
    String leader,
    long term,
    Applied applied,
    Leaders leaders,
    List<Follower> followers) {

  public ReplicaStatus {
    followers = List.copyOf(followers);
  }

  /** Of the last batch that this server has applied. */
  public long position() {
    return applied.position();
  }

  /**
   * How far a server is.
   *
   * @param position of the last batch that it has applied
   * @param entriesBehind of the log that are committed, as it knows, and that it has not applied
   */
  public record Applied(long position, long entriesBehind) {}

  /**
   * The leaders since the start of a server, as it knows them.
   *
   * @param silentMs since it last heard one, or since its start; 0 where it leads
   * @param changes how often another one led than before, or the same one in a later term
   * @param last change; null: there was none
   */
  public record Leaders(long silentMs, long changes, @Nullable LeaderChange last) {}

  /**
   * A leader took the place of another one.
   *
   * @param atMs milliseconds since 1970
   * @param from the leader before; empty: none was known
   * @param why in words for people; empty: not known
   */
  public record LeaderChange(long atMs, String from, String to, String why) {}

  /**
   * A server as the leader sees it.
   *
   * @param entriesBehind of the leader's log that it has not confirmed
   * @param silentMs since its last answer
   */
  public record Follower(String name, long entriesBehind, long silentMs) {}
}
