package io.acaciafs.kv.hbase.commit;

import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.hbase.client.Backoff;
import io.acaciafs.kv.hbase.client.Outcome;
import io.acaciafs.kv.hbase.client.RequestLimiter;
import io.acaciafs.kv.hbase.fence.MemberCheck;
import io.acaciafs.kv.hbase.read.TableClient;
import io.acaciafs.kv.hbase.region.Membership;
import io.acaciafs.kv.hbase.schema.RegionRequest;
import io.acaciafs.kv.hbase.schema.RowCell;
import io.acaciafs.kv.hbase.schema.RowState;
import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;
import org.apache.hadoop.hbase.HRegionLocation;

/**
 * Commits rows of one region: one conditional request.
 *
 * <p>If its reply is lost, and it required a fencing token, the token is revoked and then tells
 * whether the request was applied. Without a token the same request is sent again, if its own
 * effect would make HBase refuse it: so it is applied once at most. If it is refused then, the
 * stamp in a row that it puts tells whether the first one was applied. If nothing tells, the commit
 * fails with an unknown outcome.
 */
public final class RegionCommit {
  private final TableClient table;
  private final MemberCheck member;
  private final RandomGenerator random;
  private final RegionQueues queues;

  public RegionCommit(
      TableClient table,
      MemberCheck member,
      Membership membership,
      CommitThreads threads,
      RandomGenerator random) {
    this.table = table;
    this.member = member;
    this.random = random;
    this.queues =
        new RegionQueues(
            table,
            membership,
            RequestLimiter.forCommits(table.client().callbacks()),
            threads.replies(),
            random);
  }

  /**
   * Adds a commit to a request.
   *
   * @param request without anything so far
   */
  static RegionRequest addTo(RegionRequest request, Collection<RowPlan> rows, long id) {
    for (RowPlan row : rows) {
      row.addConditions(request);
      row.addChange(request, id);
    }
    return request;
  }

  /** Sends it with what others want of the same region, once. */
  CompletableFuture<Outcome> send(HRegionLocation region, Collection<RowPlan> rows, long id) {
    return queues.send(region, rows, id);
  }

  /** Tries once, with what is known of the rows; blocks. */
  Attempt attempt(HRegionLocation region, Collection<RowPlan> rows) {
    long id = random.nextLong();
    return conclude(table.client().awaitEnd(send(region, rows, id)), rows, id);
  }

  /**
   * Finds out what became of a request.
   *
   * @throws StoreException when that is not possible
   */
  Attempt conclude(Outcome outcome, Collection<RowPlan> rows, long id) {
    if (outcome instanceof Outcome.Applied) {
      return Attempt.DONE;
    }
    return outcome instanceof Outcome.Unknown unknown
        ? repeat(unknown, rows, id)
        : Attempt.again(outcome);
  }

  private Attempt repeat(Outcome.Unknown first, Collection<RowPlan> rows, long id) {
    if (rows.stream().noneMatch(RowPlan::isNotIdempotent)) {
      return Attempt.again(first);
    }
    if (first.lost() != null) {
      return member.wasApplied(first.lost()) ? Attempt.DONE : Attempt.again(first);
    }
    if (rows.stream().noneMatch(RowPlan::isRefusedIfRepeated)) {
      throw table.client().failed("say whether a commit took effect", first.cause());
    }
    Backoff backoff = new Backoff(random, table.options().operationTimeoutMs());
    RegionRequest request = addTo(new RegionRequest(random), rows, id);
    while (!backoff.isOver()) {
      backoff.next();
      table.relocate(request.row());
      Outcome outcome = table.sendNow(table.locateNow(request.row()), request);
      if (outcome instanceof Outcome.Applied) {
        return Attempt.DONE;
      }
      if (outcome instanceof Outcome.Refused) {
        return wasApplied(first, rows, id);
      }
    }
    throw table.client().failed("say whether a commit took effect", first.cause());
  }

  private Attempt wasApplied(Outcome.Unknown first, Collection<RowPlan> rows, long id) {
    // The first request may be on its way still, and a delta does not tell that it was added.
    boolean hasDelta = rows.stream().anyMatch(row -> row.change() == RowCell.Change.ACCUMULATE);
    boolean isUntouched = false;
    for (RowPlan row : rows) {
      if (row.change() == RowCell.Change.PUT) {
        RowState now = table.read(row.row());
        if (now.committed().cell() instanceof RowCell.Value value && value.stamp() == id) {
          return Attempt.DONE;
        }
        isUntouched |= row.known() != null && row.known().isSameAs(now);
      }
    }
    if (isUntouched && !hasDelta) {
      return Attempt.again(first); // what it would have overwritten is still there
    }
    throw table.client().failed("say whether a commit took effect", first.cause());
  }
}
