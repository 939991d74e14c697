package io.acaciafs.kv.hbase.commit;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;

/**
 * The commits of one region that wait, and how many are on their way. Says what is to be sent next:
 * what a request costs by itself is ten times what one more commit in it does. So while one is on
 * its way another goes beside it only if as many wait as are on their way. Where few commit each
 * asks for its turn at once; where many do, none goes alone because it came at the wrong moment.
 * Used by one thread at a time.
 */
final class RegionQueue {
  /** One is on its way while the log is written for another. */
  private static final int REQUESTS_UNDER_WAY = 2;

  /** So many are looked at, at most, for a group; others may be in each other's way. */
  private static final int LOOKED_AT = 256;

  private final Deque<SharedRequest.Member> waiting = new ArrayDeque<>();

  /** Whether a turn is asked for, which takes what waits. */
  private boolean asks;

  private int requestsUnderWay;

  /**
   * Whether the last one took long. Then its server has enough to do, and larger ones cost less.
   */
  private boolean isSlow;

  /** Without those of requests that have taken long. */
  private int membersUnderWay;

  void add(SharedRequest.Member member) {
    waiting.add(member);
  }

  /** Those that come again are before all others, in their order. */
  void addAgain(List<SharedRequest.Member> members) {
    for (int i = members.size() - 1; i >= 0; i--) {
      waiting.addFirst(members.get(i));
    }
  }

  /** Whether to ask for a turn now; if so, one is asked for until {@link #take}. */
  boolean asksNow() {
    int most = isSlow ? 1 : REQUESTS_UNDER_WAY;
    boolean isWorthIt = requestsUnderWay < most && waiting.size() >= membersUnderWay;
    boolean asksNow = isWorthIt && !waiting.isEmpty() && !asks;
    asks |= asksNow;
    return asksNow;
  }

  /** What is under way from now on. */
  SharedRequest take() {
    SharedRequest group = new SharedRequest();
    int looked = 0;
    Iterator<SharedRequest.Member> members = waiting.iterator();
    while (members.hasNext() && !group.isFull() && looked++ < LOOKED_AT) {
      if (group.add(members.next())) {
        members.remove();
      }
    }
    asks = false;
    requestsUnderWay++;
    membersUnderWay += group.members().size();
    return group;
  }

  /** A request takes long, as its server does perhaps: who waits need not wait for it. */
  void noteLate(SharedRequest group) {
    membersUnderWay -= group.members().size();
  }

  /**
   * A request is not under way any more.
   *
   * @param isLate whether it took long
   */
  void end(SharedRequest group, boolean isLate) {
    isSlow = isLate;
    requestsUnderWay--;
    membersUnderWay -= isLate ? 0 : group.members().size();
  }

  /** Whether nothing waits and nothing is under way. */
  boolean isIdle() {
    return requestsUnderWay == 0 && waiting.isEmpty() && !asks;
  }
}
