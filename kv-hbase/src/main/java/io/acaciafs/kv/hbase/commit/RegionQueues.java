package io.acaciafs.kv.hbase.commit;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.hbase.client.Outcome;
import io.acaciafs.kv.hbase.client.RequestLimiter;
import io.acaciafs.kv.hbase.read.TableClient;
import io.acaciafs.kv.hbase.region.Membership;
import io.acaciafs.kv.hbase.schema.RegionRequest;
import io.acaciafs.kv.hbase.schema.RowKeys;
import io.acaciafs.kv.hbase.schema.RowState;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.apache.hadoop.hbase.HRegionLocation;
import org.jspecify.annotations.Nullable;

/**
 * Sends the commits of a region, a few requests at a time, as the {@link RequestLimiter} permits:
 * commits that come meanwhile wait, and share the next request. HBase holds a thread for each
 * request that waits for a row, and writes its log once a request; so fewer and larger requests
 * keep the server free for others. Safe for use by many threads, never blocks; outcomes come on
 * network threads.
 *
 * <p>If a request is refused, all its rows are read: commits whose guards no longer hold fail, and
 * the others are sent again with what is known now, before those that wait. If no server takes the
 * request, or its outcome is unknown, its members are told, and waiting commits keep waiting: they
 * must not reach an overloaded server one by one.
 */
final class RegionQueues {
  private final TableClient table;
  private final Membership membership;
  private final RequestLimiter limiter;
  private final ReplyThreads replies;
  private final RandomGenerator random;

  /** Each guarded by its entry in the map. */
  private final ConcurrentMap<Line, RegionQueue> queues = new ConcurrentHashMap<>();

  /**
   * Requests that wait for each other.
   *
   * @param isOwn whether the rows are of the member table; these wait for no other rows, as other
   *     requests may wait for what they bring about
   */
  private record Line(String region, boolean isOwn) {}

  RegionQueues(
      TableClient table,
      Membership membership,
      RequestLimiter limiter,
      ReplyThreads replies,
      RandomGenerator random) {
    this.table = table;
    this.membership = membership;
    this.limiter = limiter;
    this.replies = replies;
    this.random = random;
  }

  /**
   * Sends a commit once the limiter permits it, and again if it was refused for another commit of
   * its request, or for an assumption about rows.
   *
   * @param rows not to be used until the outcome is known
   * @param id the stamp of the rows that it puts
   * @return fails with a {@link io.acaciafs.kv.ConflictException} when it rests on what is no
   *     longer so
   */
  CompletableFuture<Outcome> send(HRegionLocation region, Collection<RowPlan> rows, long id) {
    SharedRequest.Member member = new SharedRequest.Member(rows, id);
    change(region, isOwn(rows), queue -> queue.add(member));
    return member.outcome();
  }

  private boolean isOwn(Collection<RowPlan> rows) {
    for (RowPlan row : rows) {
      if (!membership.isOwn(row.row())) {
        return false;
      }
    }
    return true;
  }

  /** Changes a queue, and requests a permit if there is something to send then. */
  private void change(HRegionLocation region, boolean isOwn, Consumer<RegionQueue> change) {
    AtomicBoolean needsPermit = new AtomicBoolean();
    queues.compute(
        new Line(nameOf(region), isOwn),
        (name, known) -> {
          RegionQueue queue = known == null ? new RegionQueue() : known;
          change.accept(queue);
          needsPermit.set(queue.requestsPermit());
          return queue.isIdle() ? null : queue;
        });
    if (needsPermit.get()) {
      limiter.submit(new Next(region, isOwn));
    }
  }

  /** The next request to a region. Its state is guarded as its queue's. */
  private final class Next implements RequestLimiter.Request {
    private final HRegionLocation region;
    private final boolean isOwn;
    private @Nullable SharedRequest group;
    private boolean isLate;
    private boolean isOver;

    Next(HRegionLocation region, boolean isOwn) {
      this.region = region;
      this.isOwn = isOwn;
    }

    @Override
    public Object server() {
      return region.getServerName() == null ? region : region.getServerName();
    }

    @Override
    public CompletableFuture<?> send() {
      change(region, isOwn, queue -> group = queue.take());
      return RegionQueues.this
          .send(region, isOwn, taken())
          .whenComplete((nothing, failure) -> end(failure));
    }

    @Override
    public void isLate() {
      change(
          region,
          isOwn,
          queue -> {
            if (!isOver) {
              isLate = true;
              queue.noteLate(taken());
            }
          });
    }

    private SharedRequest taken() {
      return Objects.requireNonNull(group, "it was taken from the queue");
    }

    private void end(@Nullable Throwable failure) {
      if (failure != null) {
        // What a request cannot hold, it does not send.
        taken().members().forEach(member -> member.outcome().completeExceptionally(failure));
      }
      change(
          region,
          isOwn,
          queue -> {
            isOver = true;
            queue.end(taken(), isLate);
          });
    }
  }

  /** Completes when there is an answer; members that were refused may come again after that. */
  private CompletableFuture<Void> send(HRegionLocation region, boolean isOwn, SharedRequest group) {
    CompletableFuture<Outcome> sent;
    try {
      RegionRequest request =
          table.client().coprocessor().isOn() ? group.transactions(random) : group.request(random);
      sent = whereItIs(region).thenCompose(place -> send(place, request));
    } catch (Throwable e) { // callers wait for the outcome
      return CompletableFuture.failedFuture(e);
    }
    return sent.thenAccept(
        outcome -> {
          if (outcome instanceof Outcome.NotServed) {
            table
                .relocateLater(region.getRegion().getStartKey())
                .whenComplete((found, failure) -> complete(group, outcome));
          } else {
            List<SharedRequest.Member> refused = complete(group, outcome);
            if (!refused.isEmpty()) {
              readAgain(region, isOwn, refused);
            }
          }
        });
  }

  /** Tells all that are not refused, and returns those that are. */
  private List<SharedRequest.Member> complete(SharedRequest group, Outcome outcome) {
    return replies.gather(() -> group.complete(outcome));
  }

  /** Where a region is by now; null if it was divided. */
  private CompletableFuture<HRegionLocation> whereItIs(HRegionLocation region) {
    return table
        .locate(region.getRegion().getStartKey())
        .handle(
            (found, failure) -> {
              if (failure != null) {
                return region;
              }
              return nameOf(found).equals(nameOf(region)) ? found : null;
            });
  }

  private CompletableFuture<Outcome> send(HRegionLocation place, RegionRequest request) {
    return place == null
        ? CompletableFuture.completedFuture(
            new Outcome.NotServed(new IOException("A region was divided")))
        : table.send(place, request);
  }

  private void readAgain(
      HRegionLocation region, boolean isOwn, List<SharedRequest.Member> members) {
    Set<Key> keys = new LinkedHashSet<>();
    members.forEach(
        member ->
            member.rows().stream()
                .filter(row -> !row.isMarker())
                .forEach(row -> keys.add(row.key())));
    table
        .readLater(keys.stream().map(RowKeys::of).toList())
        .whenComplete(
            (states, failure) -> {
              if (failure != null) {
                members.forEach(member -> member.outcome().complete(Outcome.REFUSED));
                return;
              }
              Map<Key, RowState> seen = new HashMap<>();
              Iterator<RowState> state = states.iterator();
              keys.forEach(key -> seen.put(key, state.next()));
              List<SharedRequest.Member> again = new ArrayList<>();
              for (SharedRequest.Member member : members) {
                if (maySendAgain(member, seen)) {
                  again.add(member.refused());
                }
              }
              change(region, isOwn, queue -> queue.addAgain(again));
            });
  }

  /** Tells a member that may not. */
  private static boolean maySendAgain(SharedRequest.Member member, Map<Key, RowState> seen) {
    try {
      boolean isKnown = true;
      for (RowPlan row : member.rows()) {
        isKnown =
            isKnown
                && (row.isMarker()
                    || learn(row, Objects.requireNonNull(seen.get(row.key()), "it was read")));
      }
      if (isKnown && member.refusals() < SharedRequest.MOST_REFUSALS) {
        return true;
      }
      member.outcome().complete(Outcome.REFUSED); // the commit waits, for a lock or for a while
    } catch (RuntimeException e) { // a conflict; in any case a caller waits
      member.outcome().completeExceptionally(e);
    }
    return false;
  }

  /**
   * @return false if another transaction has locked the row
   */
  private static boolean learn(RowPlan row, RowState seen) {
    if (row.isOnlyAddition() && !seen.isLocked() && (seen.isCounters() || !seen.exists())) {
      row.expectCounters(seen.exists()); // in demand, they are never settled
    } else if (seen.isSettled()) {
      row.learn(seen);
    } else {
      return false;
    }
    return true;
  }

  private static String nameOf(HRegionLocation region) {
    return region.getRegion().getEncodedName();
  }
}
