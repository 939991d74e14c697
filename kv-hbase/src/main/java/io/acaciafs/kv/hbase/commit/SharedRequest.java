package io.acaciafs.kv.hbase.commit;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.hbase.client.Outcome;
import io.acaciafs.kv.hbase.schema.RegionRequest;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;

/**
 * Commits of one region that share a request, as if one came after the other: none changes a row
 * that another one reads. What they have in common, a marker too, is in the request once. If HBase
 * refuses the request, all its commits are refused: so only those share one that are equally likely
 * to be refused. Used by one thread at a time.
 */
final class SharedRequest {
  private static final int MOST_MEMBERS = 64;
  private static final int MOST_ROWS = 512;

  /** A commit that was refused more often is sent again alone, with backoff. */
  static final int MOST_REFUSALS = 3;

  /** Each refusal cuts the size to a quarter, so in the end each commit is judged alone. */
  private static final int SHRINKS_BY = 2;

  private final List<Member> members = new ArrayList<>();
  private final Map<Key, RowPlan> rows = new HashMap<>();

  /** Of all members. */
  private int refusals;

  private boolean isUnsure;

  /**
   * One commit.
   *
   * @param id the stamp of the rows that it puts
   * @param outcome completed when it is known; fails when the commit rests on what is no longer so
   * @param refusals how often it was refused, or the group that it was in
   */
  record Member(
      Collection<RowPlan> rows, long id, CompletableFuture<Outcome> outcome, int refusals) {
    Member(Collection<RowPlan> rows, long id) {
      this(rows, id, new CompletableFuture<>(), 0);
    }

    Member refused() {
      return new Member(rows, id, outcome, refusals + 1);
    }

    private boolean isUnsure() {
      return rows.stream().anyMatch(RowPlan::isUnsure);
    }
  }

  List<Member> members() {
    return members;
  }

  boolean isFull() {
    return members.size() >= MOST_MEMBERS >> SHRINKS_BY * refusals || rows.size() >= MOST_ROWS;
  }

  /** Adds a commit, if it conflicts with no other, and is as likely to be refused. */
  boolean add(Member member) {
    boolean isMemberUnsure = member.isUnsure();
    if (members.isEmpty()) {
      refusals = member.refusals();
      isUnsure = isMemberUnsure;
    } else if (refusals != member.refusals() || isUnsure != isMemberUnsure) {
      return false;
    }
    for (RowPlan row : member.rows()) {
      RowPlan other = rows.get(row.key());
      if (other != null && !row.canShareWith(other)) {
        return false;
      }
    }
    take(member);
    return true;
  }

  private void take(Member member) {
    members.add(member);
    for (RowPlan row : member.rows()) {
      RowPlan other = rows.get(row.key());
      if (other == null) {
        // Not the member's own object: the member may have to be sent again alone.
        rows.put(row.key(), row.isShared() ? row.copyOfShared() : row);
      } else if (row.isShared()) {
        other.add(row);
      }
    }
  }

  /** One request for all, of which the coprocessor judges each by itself. */
  RegionRequest transactions(RandomGenerator random) {
    RegionRequest request = new RegionRequest(random);
    for (Member member : members) {
      request.addTransaction(
          RegionCommit.addTo(RegionRequest.forCoprocessor(random), member.rows(), member.id()));
    }
    return request;
  }

  /** One request for all, which HBase applies or refuses as a whole. */
  RegionRequest request(RandomGenerator random) {
    RegionRequest request = new RegionRequest(random);
    rows.values().forEach(row -> row.addConditions(request));
    for (Member member : members) {
      for (RowPlan row : member.rows()) {
        boolean isMarkerOfAnother = row.isMarker() && rows.get(row.key()) != row;
        if (!row.isShared() && !isMarkerOfAnother) {
          row.addChange(request, member.id());
        }
      }
    }
    // HBase reads a row once for a request: two increments of it in one would be one.
    rows.values().stream().filter(RowPlan::isShared).forEach(row -> row.addChange(request, 0));
    return request;
  }

  /**
   * Tells all that are not refused.
   *
   * @return those that are
   */
  List<Member> complete(Outcome outcome) {
    if (outcome instanceof Outcome.Refused) {
      return members;
    }
    List<Member> refused = new ArrayList<>(0);
    for (int i = 0; i < members.size(); i++) {
      Member member = members.get(i);
      if (outcome instanceof Outcome.Applied applied && applied.refused().get(i)) {
        refused.add(member);
      } else {
        member.outcome().complete(ofMember(outcome, i));
      }
    }
    return refused;
  }

  private Outcome ofMember(Outcome outcome, int number) {
    if (outcome instanceof Outcome.Applied) {
      return Outcome.APPLIED;
    }
    return outcome instanceof Outcome.Unknown unknown && unknown.lost() != null
        ? new Outcome.Unknown(unknown.cause(), unknown.lost().ofTransaction(number))
        : outcome;
  }
}
