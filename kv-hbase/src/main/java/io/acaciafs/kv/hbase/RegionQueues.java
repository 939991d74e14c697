package io.acaciafs.kv.hbase;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.apache.hadoop.hbase.HRegionLocation;

/**
 * Sends the commits of a region, a few requests at a time and each when it is its {@linkplain Turns
 * turn}: what comes meanwhile waits, and goes together then. HBase holds a thread of its own for
 * each request that waits for a row, and writes its log once a request; so fewer and larger ones
 * keep the server free for others. Safe for use by many threads, waits for nothing; outcomes come
 * on threads of the network.
 *
 * <p>A group that is refused is halved until it is known whose condition did not hold: the others
 * are applied. When no server takes it, those that still wait are told that they were not served;
 * each then finds its own way. When nobody knows what became of a request, they go on waiting: to a
 * server that has too much to do they must not come one by one.
 */
final class RegionQueues {
  private final Cluster cluster;
  private final Turns turns;
  private final RandomGenerator random;

  /** By the name of the region, which guards its queue. */
  private final ConcurrentMap<String, RegionQueue> queues = new ConcurrentHashMap<>();

  RegionQueues(Cluster cluster, Turns turns, RandomGenerator random) {
    this.cluster = cluster;
    this.turns = turns;
    this.random = random;
  }

  /**
   * Sends a commit when it is its turn, once.
   *
   * @param id the stamp of the rows that it puts
   */
  CompletableFuture<Outcome> send(HRegionLocation region, Collection<Touched> rows, long id) {
    SharedRequest.Member member = new SharedRequest.Member(rows, id, new CompletableFuture<>());
    change(region, queue -> queue.add(member));
    return member.outcome();
  }

  /** Asks for a turn if there is something to be sent after a change. */
  private void change(HRegionLocation region, Consumer<RegionQueue> change) {
    AtomicBoolean asksNow = new AtomicBoolean();
    queues.compute(
        nameOf(region),
        (name, known) -> {
          RegionQueue queue = known == null ? new RegionQueue() : known;
          change.accept(queue);
          asksNow.set(queue.asksNow());
          return queue.isIdle() ? null : queue;
        });
    if (asksNow.get()) {
      turns.ask(new Next(region));
    }
  }

  /** What goes to a region next. Its state is guarded as its queue's. */
  private final class Next implements Turns.Request {
    private final HRegionLocation region;
    private SharedRequest group;
    private boolean isLate;
    private boolean isOver;

    Next(HRegionLocation region) {
      this.region = region;
    }

    @Override
    public Object server() {
      return region.getServerName() == null ? region : region.getServerName();
    }

    @Override
    public CompletableFuture<?> send() {
      change(region, queue -> group = queue.take());
      CompletableFuture<Void> sent =
          group.members().isEmpty()
              ? CompletableFuture.completedFuture(null)
              : RegionQueues.this.send(region, group);
      return sent.whenComplete((nothing, failure) -> end(failure));
    }

    @Override
    public void isLate() {
      change(
          region,
          queue -> {
            if (!isOver) {
              isLate = true;
              queue.noteLate(group);
            }
          });
    }

    private void end(Throwable failure) {
      if (failure != null) {
        // What a request cannot hold, it does not send.
        group.members().forEach(member -> member.outcome().completeExceptionally(failure));
      }
      change(
          region,
          queue -> {
            isOver = true;
            queue.end(group, isLate);
          });
    }
  }

  /** Completes when it is known of each member what became of it. */
  private CompletableFuture<Void> send(HRegionLocation region, SharedRequest group) {
    CompletableFuture<Outcome> sent;
    try {
      RegionRequest request = group.request(random);
      sent = whereItIs(region).thenCompose(place -> cluster.send(place, request));
    } catch (Throwable e) { // whatever it is, others wait
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
          if (outcome instanceof Outcome.NotServed notServed) {
            turnAway(region, notServed);
          }
          group.complete(outcome);
          return CompletableFuture.completedFuture(null);
        });
  }

  /** Where others have found it since; a region that was divided is where it was. */
  private CompletableFuture<HRegionLocation> whereItIs(HRegionLocation region) {
    return cluster
        .locate(region.getRegion().getStartKey())
        .handle(
            (found, failure) ->
                failure == null && nameOf(found).equals(nameOf(region)) ? found : region);
  }

  private void turnAway(HRegionLocation region, Outcome.NotServed outcome) {
    List<SharedRequest.Member> away = new ArrayList<>();
    queues.computeIfPresent(
        nameOf(region),
        (name, queue) -> {
          away.addAll(queue.turnAway());
          return queue;
        });
    away.forEach(member -> member.outcome().complete(outcome));
  }

  private static String nameOf(HRegionLocation region) {
    return region.getRegion().getEncodedName();
  }
}
