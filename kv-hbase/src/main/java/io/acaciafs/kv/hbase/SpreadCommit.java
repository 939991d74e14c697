package io.acaciafs.kv.hbase;

import io.acaciafs.kv.ConflictException;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One attempt to commit rows of several regions. Used by one thread, once.
 *
 * <ol>
 *   <li>Lock the rows that change, region after region in an order that is the same for everybody;
 *       with the first region's goes a record: under way. Absent rows that are guarded are locked
 *       as well.
 *   <li>Read the other rows that it rests on, and see that they are what they were: at the moment
 *       between the last lock and the first of these reads everything held.
 *   <li>Commit: one request takes the first region's rows forward and makes the record say
 *       committed, provided that it still says under way.
 *   <li>Take the other regions' rows forward, and remove the record.
 * </ol>
 *
 * <p>Whoever is in doubt, and so the owner after a lost reply, asks the record. See
 * docs/decisions/012 for the argument, and {@link Locks} for what others do.
 */
final class SpreadCommit {
  private static final Logger LOG = LoggerFactory.getLogger(SpreadCommit.class);
  private static final int ROUNDS = 4;
  private static final int COMMIT_ATTEMPTS = 3;

  private final Cluster cluster;
  private final Locks locks;
  private final RandomGenerator random;
  private final long id;
  private final List<Regions.Group> groups;
  private final List<Touched> unlocked = new ArrayList<>();
  private final byte[] record;
  private int prepared;

  /**
   * @param rows all known, see {@link Touched#known}
   */
  SpreadCommit(Cluster cluster, Locks locks, RandomGenerator random, List<Touched> rows) {
    this.cluster = cluster;
    this.locks = locks;
    this.random = random;
    this.id = random.nextLong();
    List<Touched> locked = new ArrayList<>();
    for (Touched row : rows) {
      (row.needsLock() ? locked : unlocked).add(row);
    }
    this.groups = Regions.group(cluster, locked);
    this.record = groups.isEmpty() ? null : groups.get(0).rows().get(0).row();
  }

  /**
   * Tries it up to the commit; {@link #finish} is to follow when it is done.
   *
   * @throws ConflictException when the rows are no longer what the transaction rests on
   */
  Attempt run() {
    boolean goesOn = false;
    try {
      goesOn = prepareAll() && validate();
    } finally {
      if (!goesOn) {
        giveUp();
      }
    }
    if (!goesOn) {
      return Attempt.AGAIN;
    }
    return groups.isEmpty() ? Attempt.DONE : commit();
  }

  boolean prepareAll() {
    for (Regions.Group group : groups) {
      RegionRequest request = new RegionRequest(random);
      if (prepared == 0) {
        request.putRecord(record, id, Locks.UNDER_WAY);
      }
      group.rows().forEach(row -> row.addLock(request, id, record));
      Outcome outcome = cluster.sendNow(group.region(), request);
      if (outcome instanceof Outcome.NotServed) {
        cluster.relocate(request.row());
        return false;
      }
      if (outcome instanceof Outcome.Refused) {
        return false;
      }
      prepared++; // also when that is not known
      if (outcome instanceof Outcome.Unknown) {
        return false;
      }
    }
    return true;
  }

  private boolean validate() {
    List<byte[]> rows = unlocked.stream().map(Touched::row).toList();
    boolean isConfirmed = unlocked.isEmpty();
    for (int round = 0; !isConfirmed && round < ROUNDS; round++) {
      List<RowState> states = cluster.read(rows);
      isConfirmed = true;
      for (int i = 0; i < unlocked.size(); i++) {
        if (!states.get(i).isSettled()) {
          return false; // wait for its end without holding locks
        }
        // A row that only has to exist may have changed; then all have to be read once more.
        isConfirmed &= unlocked.get(i).confirm(states.get(i));
      }
    }
    return isConfirmed;
  }

  Attempt commit() {
    RegionRequest request = new RegionRequest(random);
    request.requireRecord(record, id, Locks.UNDER_WAY);
    groups.get(0).rows().forEach(row -> row.addForward(request, id));
    if (groups.size() == 1) {
      request.deleteRecord(record, id);
    } else {
      request.putRecord(record, id, Locks.committed(rowsOfOthers()));
    }
    Outcome outcome = new Outcome.NotServed(null);
    for (int i = 0; i < COMMIT_ATTEMPTS && outcome instanceof Outcome.NotServed; i++) {
      if (i > 0) {
        cluster.relocate(record);
      }
      outcome = cluster.sendNow(cluster.locateNow(record), request);
    }
    Attempt attempt = outcome instanceof Outcome.Applied ? Attempt.DONE : decide(outcome);
    if (attempt == Attempt.AGAIN) {
      giveUp();
    }
    return attempt;
  }

  /** Asks the record, and makes sure that a request that is still on its way comes too late. */
  private Attempt decide(Outcome outcome) {
    Pauses pauses = new Pauses(random, cluster.options().operationTimeoutMs());
    while (!pauses.isOver()) {
      byte[] found = cluster.readRecord(record, id);
      if (found == null) {
        return outcome instanceof Outcome.Unknown
            ? lookAtRows(outcome)
            : Attempt.AGAIN; // somebody ended it
      }
      if (Locks.isCommitted(found)) {
        return Attempt.DONE;
      }
      if (locks.end(id, record)) {
        return Attempt.AGAIN;
      }
      pauses.next();
    }
    throw cluster.failed("say whether a commit took effect", causeOf(outcome));
  }

  /**
   * The record is gone: with the commit, or after it, or because somebody ended the transaction.
   */
  private Attempt lookAtRows(Outcome outcome) {
    for (Regions.Group group : groups) {
      for (Touched row : group.rows()) {
        RowCell now = cluster.read(row.row()).cell();
        if (now instanceof RowCell.Value value && value.stamp() == id) {
          return Attempt.DONE;
        }
        if (now instanceof RowCell.Intent intent && intent.transaction() == id) {
          return Attempt.AGAIN;
        }
      }
    }
    throw cluster.failed("say whether a commit took effect", causeOf(outcome));
  }

  private static Throwable causeOf(Outcome outcome) {
    if (outcome instanceof Outcome.Unknown unknown) {
      return unknown.cause();
    }
    return outcome instanceof Outcome.NotServed notServed ? notServed.cause() : null;
  }

  /** Lets go of everything; what remains locked is let go by whoever meets it. */
  private void giveUp() {
    try {
      for (int i = 0; i < prepared; i++) {
        RegionRequest request = new RegionRequest(random);
        if (i == 0) {
          request.requireRecord(record, id, Locks.UNDER_WAY);
          request.deleteRecord(record, id);
        }
        for (Touched row : groups.get(i).rows()) {
          row.addLockCondition(request, id, record);
          row.addBack(request, id);
        }
        if (!(cluster.sendNow(groups.get(i).region(), request) instanceof Outcome.Applied)) {
          locks.endForGood(id, record);
          groups.get(i).rows().forEach(row -> locks.settleOf(row.row(), id));
        }
      }
    } catch (RuntimeException e) {
      LOG.warn("Locks of a transaction are left to others transaction={}", id, e);
    }
  }

  /** Takes the rows of the other regions forward, after the commit. */
  void finish() {
    if (groups.size() < 2) {
      return;
    }
    try {
      for (Regions.Group group : groups.subList(1, groups.size())) {
        RegionRequest request = new RegionRequest(random);
        for (Touched row : group.rows()) {
          row.addLockCondition(request, id, record);
          row.addForward(request, id);
        }
        if (!(cluster.sendNow(group.region(), request) instanceof Outcome.Applied)) {
          group.rows().forEach(row -> locks.settleOf(row.row(), id));
        }
      }
      locks.forget(record, id);
    } catch (RuntimeException e) {
      LOG.warn("A committed transaction is left to others to finish transaction={}", id, e);
    }
  }

  private List<byte[]> rowsOfOthers() {
    return groups.subList(1, groups.size()).stream()
        .flatMap(group -> group.rows().stream())
        .map(Touched::row)
        .toList();
  }
}
