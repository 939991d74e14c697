package io.acaciafs.namenode.members;

/**
 * A NameNode that serves, from its start to its end; one that starts again is another member.
 * Ordered by number, so the first of a set is the one that has served for the longest time.
 *
 * @param number given once in the life of a store, and never again
 * @param host where the other NameNodes reach it
 * @param port of its RPC server
 * @param startedMs since the epoch, by its own clock; for people
 * @param secret known only to readers of the store: shows that a message comes from a member
 */
public record Member(long number, String host, int port, long startedMs, String secret)
    implements Comparable<Member> {

  @Override
  public int compareTo(Member other) {
    return Long.compare(number, other.number);
  }

  /** For people. */
  public String address() {
    return host + ":" + port;
  }

  /** Without the secret, as it goes to logs. */
  @Override
  public String toString() {
    return number + "@" + address();
  }
}
