package io.acaciafs.kv.hbase;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.Iterator;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.random.RandomGenerator;
import org.apache.hadoop.hbase.HRegionLocation;

/**
 * Sends the commits of a region, a few requests at a time: what comes meanwhile waits, and goes
 * together then. HBase holds a thread of its own for each request that waits for a row, and writes
 * its log once a request; so fewer and larger ones keep the server free for others. Safe for use by
 * many threads, waits for nothing; outcomes come on threads of the network.
 *
 * <p>A group that is refused is halved until it is known whose condition did not hold: the others
 * are applied. When nobody knows what became of a request, or no server took it, those that still
 * wait are told that they were not served; each then finds its own way.
 */
final class RegionQueues {
  /** One is on its way while the log is written for another. */
  private static final int REQUESTS_UNDER_WAY = 2;

  /** So many are looked at, at most, for a group; others may be in each other's way. */
  private static final int LOOKED_AT = 256;

  private final Cluster cluster;
  private final RandomGenerator random;
  private final ConcurrentMap<String, Queue> queues = new ConcurrentHashMap<>();

  /** Of one region; guarded by its entry in the map. */
  private static final class Queue {
    private final Deque<SharedRequest.Member> waiting = new ArrayDeque<>();
    private int underWay;
  }

  RegionQueues(Cluster cluster, RandomGenerator random) {
    this.cluster = cluster;
    this.random = random;
  }

  /**
   * Sends a commit when it is its turn, once.
   *
   * @param id the stamp of the rows that it puts
   */
  CompletableFuture<Outcome> send(HRegionLocation region, Collection<Touched> rows, long id) {
    SharedRequest.Member member = new SharedRequest.Member(rows, id, new CompletableFuture<>());
    SharedRequest group = next(region, member, false);
    if (group != null) {
      sendNext(region, group);
    }
    return member.outcome();
  }

  private void sendNext(HRegionLocation region, SharedRequest group) {
    send(region, group)
        .whenComplete(
            (nothing, failure) -> {
              if (failure != null) {
                // What a request cannot hold, it does not send.
                group.members().forEach(member -> member.outcome().completeExceptionally(failure));
              }
              SharedRequest following = next(region, null, true);
              if (following != null) {
                sendNext(region, following);
              }
            });
  }

  /** Completes when it is known of each member what became of it. */
  private CompletableFuture<Void> send(HRegionLocation region, SharedRequest group) {
    CompletableFuture<Outcome> sent;
    try {
      sent = cluster.send(region, group.request(random));
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
    return sent.thenCompose(
        outcome -> {
          if (outcome instanceof Outcome.Refused && group.members().size() > 1) {
            return CompletableFuture.allOf(
                group.halves().stream()
                    .map(half -> send(region, half))
                    .toArray(CompletableFuture[]::new));
          }
          if (outcome instanceof Outcome.NotServed || outcome instanceof Outcome.Unknown) {
            turnAway(region, outcome);
          }
          group.complete(outcome);
          return CompletableFuture.completedFuture(null);
        });
  }

  private void turnAway(HRegionLocation region, Outcome outcome) {
    Throwable cause =
        outcome instanceof Outcome.Unknown unknown
            ? unknown.cause()
            : ((Outcome.NotServed) outcome).cause();
    Deque<SharedRequest.Member> away = new ArrayDeque<>();
    queues.computeIfPresent(
        nameOf(region),
        (name, queue) -> {
          away.addAll(queue.waiting);
          queue.waiting.clear();
          return queue;
        });
    away.forEach(member -> member.outcome().complete(new Outcome.NotServed(cause)));
  }

  /**
   * What is to be sent now; null for nothing.
   *
   * @param added waits from now on; null for nobody
   * @param hasEnded whether a request is not under way any more
   */
  private SharedRequest next(HRegionLocation region, SharedRequest.Member added, boolean hasEnded) {
    SharedRequest group = new SharedRequest();
    queues.compute(
        nameOf(region),
        (name, known) -> {
          Queue queue = known == null ? new Queue() : known;
          if (added != null) {
            queue.waiting.add(added);
          }
          if (hasEnded) {
            queue.underWay--;
          }
          if (queue.underWay < REQUESTS_UNDER_WAY) {
            fill(group, queue.waiting);
          }
          if (!group.members().isEmpty()) {
            queue.underWay++;
          }
          return queue.underWay == 0 ? null : queue;
        });
    return group.members().isEmpty() ? null : group;
  }

  private static void fill(SharedRequest group, Deque<SharedRequest.Member> waiting) {
    int looked = 0;
    Iterator<SharedRequest.Member> members = waiting.iterator();
    while (members.hasNext() && !group.isFull() && looked++ < LOOKED_AT) {
      if (group.add(members.next())) {
        members.remove();
      }
    }
  }

  private static String nameOf(HRegionLocation region) {
    return region.getRegion().getEncodedName();
  }
}
