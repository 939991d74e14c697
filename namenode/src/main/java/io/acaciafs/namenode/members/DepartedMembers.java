package io.acaciafs.namenode.members;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The NameNodes that ended without a word while this process looked: of each address the last one,
 * for a day, or until a NameNode serves there again. Safe for use by many threads.
 */
final class DepartedMembers {
  /** For longer it is no news. */
  static final long KEEP_MS = TimeUnit.DAYS.toMillis(1);

  static final int MOST = 16;

  private record Seen(DepartedMember departed, long atNs) {}

  private final LeaseTimes times;
  private final Deque<Seen> seen = new ArrayDeque<>();

  DepartedMembers(LeaseTimes times) {
    this.times = times;
  }

  synchronized void add(MemberRow row) {
    Member member = row.member();
    seen.removeIf(each -> isAtSamePlace(each.departed.member(), member));
    seen.addLast(new Seen(new DepartedMember(member, row.writtenMs()), times.nowNs()));
    if (seen.size() > MOST) {
      seen.removeFirst();
    }
  }

  /** The oldest first. */
  synchronized List<DepartedMember> known(Collection<Member> live) {
    long nowNs = times.nowNs();
    seen.removeIf(
        each ->
            nowNs - each.atNs >= TimeUnit.MILLISECONDS.toNanos(KEEP_MS)
                || live.stream().anyMatch(other -> isSuccessor(other, each.departed.member())));
    return seen.stream().map(Seen::departed).toList();
  }

  private static boolean isSuccessor(Member other, Member departed) {
    return isAtSamePlace(other, departed) && other.number() > departed.number();
  }

  private static boolean isAtSamePlace(Member one, Member other) {
    return one.host().equals(other.host()) && one.port() == other.port();
  }
}
