package io.acaciafs.kv.hbase.commit;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;

/**
 * The commits of one region that wait, and how many are in flight; decides what is sent next. A
 * request costs ten times what one more commit in it does. So while a request is in flight, another
 * one is sent beside it only if as many commits wait as are in flight. With few commits, each
 * requests its permit at once; with many, none is sent alone because it came at the wrong moment.
 * Used by one thread at a time.
 */
final class RegionQueue {
  /** One is on its way while the log is written for another. */
  private static final int REQUESTS_IN_FLIGHT = 2;

  /** The commits that are considered for one request; others may conflict with each other. */
  private static final int LOOKED_AT = 256;

  private final Deque<SharedRequest.Member> waiting = new ArrayDeque<>();

  /** Whether a permit is requested, for what waits. */
  private boolean isPermitRequested;

  private int requestsInFlight;

  /**
   * Whether the last request was slow. Then its server is busy, and larger requests cost it less.
   */
  private boolean isSlow;

  /** Without those of slow requests. */
  private int membersInFlight;

  void add(SharedRequest.Member member) {
    waiting.add(member);
  }

  /** Commits that are sent again precede all others, in their order. */
  void addAgain(List<SharedRequest.Member> members) {
    for (int i = members.size() - 1; i >= 0; i--) {
      waiting.addFirst(members.get(i));
    }
  }

  /** Whether to request a permit now; if so, it stays requested until {@link #take}. */
  boolean requestsPermit() {
    int most = isSlow ? 1 : REQUESTS_IN_FLIGHT;
    boolean isWorthIt = requestsInFlight < most && waiting.size() >= membersInFlight;
    boolean requestsNow = isWorthIt && !waiting.isEmpty() && !isPermitRequested;
    isPermitRequested |= requestsNow;
    return requestsNow;
  }

  /** The next request, in flight from now on. */
  SharedRequest take() {
    SharedRequest group = new SharedRequest();
    int looked = 0;
    Iterator<SharedRequest.Member> members = waiting.iterator();
    while (members.hasNext() && !group.isFull() && looked++ < LOOKED_AT) {
      if (group.add(members.next())) {
        members.remove();
      }
    }
    isPermitRequested = false;
    requestsInFlight++;
    membersInFlight += group.members().size();
    return group;
  }

  /** A request is slow, perhaps as its server is: waiting commits need not wait for it. */
  void noteLate(SharedRequest group) {
    membersInFlight -= group.members().size();
  }

  /**
   * A request is not under way any more.
   *
   * @param isLate whether it took long
   */
  void end(SharedRequest group, boolean isLate) {
    isSlow = isLate;
    requestsInFlight--;
    membersInFlight -= isLate ? 0 : group.members().size();
  }

  /** Whether nothing waits and nothing is under way. */
  boolean isIdle() {
    return requestsInFlight == 0 && waiting.isEmpty() && !isPermitRequested;
  }
}
