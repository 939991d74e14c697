package io.acaciafs.kv.hbase;

import io.acaciafs.kv.FencedOffException;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.UnavailableException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Deque;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets others end what a process writes, and lets it find out itself what became of a request. Each
 * conditional request requires a cell of its region that belongs to the process, a pass, and leaves
 * its number beside it, one request at a time a pass. Nothing is applied any more once the pass is
 * gone; docs/internals/directory-leases.md has the proof.
 *
 * <p>A pass is good from when its owner saw its own row (its <i>life</i>) after the pass was
 * written. So whoever removes that row and then looks for passes finds every one that is good. A
 * pass lies at the beginning of its region: where that is divided, the new region has none of it.
 *
 * <p>Safe for use by many threads.
 */
final class FencingTokens {
  private static final Logger LOG = LoggerFactory.getLogger(FencingTokens.class);
  private static final int PAGE = 1_000;

  /** Of no pass: what is written there proves that a server has the region. */
  private static final int PROOF = 0;

  private final Cluster cluster;
  private final LockResolver locks;
  private final byte[] life;
  private final MemberRows ownRows;
  private final Function<Runnable, CompletableFuture<Void>> threads;
  private final RandomGenerator random;
  private final ConcurrentMap<String, Deque<Token>> free = new ConcurrentHashMap<>();
  private final Set<Lost> unsettled = ConcurrentHashMap.newKeySet();
  private final AtomicInteger count = new AtomicInteger();
  private CompletableFuture<Void> settling;

  /** The row that one is in; never made twice. */
  @SuppressWarnings("ArrayRecordComponent") // a row
  record Token(byte[] row) {}

  /** A new pass, or why there is none. */
  record Made(Token pass, Outcome refusal) {}

  /**
   * @param life the row of this process
   * @param threads runs what finds out what became of requests, and waits there
   */
  FencingTokens(
      Cluster cluster,
      LockResolver locks,
      Key life,
      Function<Runnable, CompletableFuture<Void>> threads,
      RandomGenerator random) {
    this.cluster = cluster;
    this.locks = locks;
    this.threads = threads;
    this.life = RowKeys.of(life);
    this.ownRows = new MemberRows(life.table());
    this.random = random;
  }

  /** The rows of its table. */
  MemberRows ownRows() {
    return ownRows;
  }

  /** Completes with whether the server of an assignment still has the region. */
  CompletableFuture<Boolean> prove(Assignment assignment) {
    RegionRequest request = new RegionRequest(random);
    request.putToken(rowIn(assignment.location(), PROOF), life);
    return cluster
        .sendUnfenced(assignment.location(), request)
        .handle((outcome, failure) -> outcome instanceof Outcome.Applied);
  }

  /** Sends a request with a pass, once. */
  CompletableFuture<Outcome> send(HRegionLocation region, RegionRequest request) {
    Token pass = freeOf(region).pollFirst();
    if (pass != null) {
      return send(region, request, pass, random.nextLong());
    }
    return make(region)
        .thenCompose(
            made ->
                made.pass == null
                    ? CompletableFuture.completedFuture(made.refusal)
                    : send(region, request, made.pass, random.nextLong()));
  }

  CompletableFuture<Outcome> send(
      HRegionLocation region, RegionRequest request, Token pass, long number) {
    Assignment by = cluster.assignments().of(region);
    if (by == null || !by.enter()) {
      freeOf(region).addFirst(pass);
      return CompletableFuture.completedFuture(
          new Outcome.NotServed(new NotServingRegionException("Another server has the region")));
    }
    RegionRequest shown = request.copy();
    shown.requireToken(pass.row, life, number);
    return cluster
        .sendUnfenced(region, shown)
        .whenComplete(
            (outcome, failure) -> {
              if (!(outcome instanceof Outcome.Unknown)) {
                by.leave();
              }
            })
        .thenApply(
            outcome -> {
              if (outcome instanceof Outcome.Unknown unknown) {
                LOG.info(
                    "A reply was lost, and what became of the request is found out server={} reason={}",
                    region.getServerName(),
                    Failures.reason(unknown.cause()));
                return new Outcome.Unknown(unknown.cause(), lost(pass, number, by));
              }
              freeOf(region).addFirst(pass);
              return outcome;
            });
  }

  /** A request whose reply was lost. The process finds out its result even if no caller asks. */
  private Lost lost(Token pass, long number, Assignment by) {
    Lost lost = new Lost(pass, number, by);
    unsettled.add(lost);
    settle();
    return lost;
  }

  private Deque<Token> freeOf(HRegionLocation region) {
    return free.computeIfAbsent(
        region.getRegion().getEncodedName(), name -> new ConcurrentLinkedDeque<>());
  }

  CompletableFuture<Made> make(HRegionLocation region) {
    Token pass = new Token(rowIn(region, count.incrementAndGet()));
    RegionRequest request = new RegionRequest(random);
    request.putToken(pass.row, life);
    return cluster
        .sendUnfenced(region, request)
        .thenCompose(
            outcome ->
                outcome instanceof Outcome.Applied
                    ? seeLife(pass)
                    : CompletableFuture.completedFuture(new Made(null, notServed(outcome))));
  }

  /**
   * A write on the condition that the own row exists proves more than a read of the row: the server
   * has the region.
   */
  private CompletableFuture<Made> seeLife(Token pass) {
    return cluster
        .locate(life)
        .thenCompose(place -> cluster.sendUnfenced(place, ofTheLiving()))
        .handle(
            (outcome, failure) -> {
              if (failure != null) {
                return CompletableFuture.completedFuture(
                    new Made(null, new Outcome.NotServed(Failures.causeOf(failure))));
              }
              if (outcome instanceof Outcome.Applied) {
                return CompletableFuture.completedFuture(new Made(pass, null));
              }
              if (outcome instanceof Outcome.Refused) {
                return cluster.readLater(life).handle((found, unread) -> judge(found, unread));
              }
              return cluster
                  .relocateLater(life)
                  .handle((place, unfound) -> new Made(null, notServed(outcome)));
            })
        .thenCompose(made -> made);
  }

  /** Is applied as long as the own row is there. */
  private RegionRequest ofTheLiving() {
    RegionRequest request = new RegionRequest(random);
    request.requirePresent(life);
    request.putToken(life, life);
    return request;
  }

  /** Why there is no new pass. */
  private static Made judge(RowState found, Throwable failure) {
    if (failure != null) {
      return new Made(null, new Outcome.NotServed(Failures.causeOf(failure)));
    }
    if (found.isSettled() && !found.exists()) {
      throw fencedOff();
    }
    return new Made(
        null, new Outcome.NotServed(new StoreException("Another process is changing this pass")));
  }

  /** Whatever became of the pass, what was to be sent with it was not. */
  private static Outcome notServed(Outcome outcome) {
    return outcome instanceof Outcome.Unknown unknown
        ? new Outcome.NotServed(unknown.cause())
        : outcome;
  }

  private byte[] rowIn(HRegionLocation region, int number) {
    byte[] start = region.getRegion().getStartKey();
    byte[] row =
        ByteBuffer.allocate(start.length + 2 + life.length + Integer.BYTES)
            .put(start)
            .put((byte) 0)
            .put((byte) 0)
            .put(life)
            .putInt(number)
            .array();
    if (!region.getRegion().containsRow(row)) {
      throw new StoreException("A region without room: " + region.getRegion());
    }
    return row;
  }

  /**
   * @throws StoreException when nothing that this process writes takes effect any more
   */
  void checkLife() {
    if (!holds(ofTheLiving()) && !locks.read(life).exists()) {
      throw fencedOff();
    }
  }

  /**
   * Sends a condition with something that may be written twice until there is an answer.
   *
   * @throws UnavailableException when there is none in time
   */
  private boolean holds(RegionRequest request) {
    Backoff pauses = new Backoff(random, cluster.options().operationTimeoutMs());
    while (!pauses.isOver()) {
      Outcome outcome =
          cluster.await(
              cluster.sendUnfenced(cluster.locateNow(request.row()), request), "see a row");
      if (outcome instanceof Outcome.Applied || outcome instanceof Outcome.Refused) {
        return outcome instanceof Outcome.Applied;
      }
      pauses.next();
      cluster.relocate(request.row());
    }
    throw new UnavailableException("HBase did not answer whether a row is there");
  }

  private static StoreException fencedOff() {
    return new FencedOffException("Others have ended what this process writes");
  }

  /** Says of a request whose reply was lost what became of it. */
  static Outcome certain(Outcome outcome) {
    if (outcome instanceof Outcome.Unknown unknown && unknown.lost() != null) {
      return unknown.lost().wasApplied() ? Outcome.APPLIED : Outcome.REFUSED;
    }
    return outcome;
  }

  /** A request whose reply was lost. */
  final class Lost {
    private final Token pass;
    private final long number;

    /** Which it entered; null where that does not matter. */
    private final Assignment by;

    private boolean isTaken;
    private Boolean applied;

    Lost(Token pass, long number, Assignment by) {
      this.pass = pass;
      this.number = number;
      this.by = by;
    }

    /**
     * Takes the pass away, so that the request is applied by now or never will be.
     *
     * @throws StoreException when HBase does not answer in time, or others took the pass away, and
     *     nobody knows which
     */
    synchronized boolean wasApplied() {
      if (applied == null) {
        revoke();
        RegionRequest receipt = new RegionRequest(random);
        receipt.requireReceipt(pass.row, number);
        boolean isFound = holds(receipt);
        if (!isFound) {
          checkLife(); // whoever fences off removes the number as well
        }
        applied = isFound;
        forgetReceipt();
      }
      return applied;
    }

    /** Nothing of it is on its way any more when this returns. */
    private synchronized void revoke() {
      if (!isTaken) {
        RegionRequest request = new RegionRequest(random);
        request.deleteToken(pass.row);
        FencingTokens.apply(cluster, request, random);
        isTaken = true;
        unsettled.remove(this);
        if (by != null) {
          by.leave();
        }
      }
    }

    private void forgetReceipt() {
      RegionRequest request = new RegionRequest(random);
      request.deleteReceipt(pass.row);
      cluster.sendUnfenced(cluster.locateNow(pass.row), request); // whatever comes of it
    }
  }

  /** Completes when nothing that failed before is still on its way. */
  synchronized CompletableFuture<Void> settle() {
    if (unsettled.isEmpty()) {
      return CompletableFuture.completedFuture(null);
    }
    if (settling == null || settling.isDone()) {
      settling = threads.apply(this::settleAll); // one, however many wait for it
    }
    return settling.thenCompose(done -> settle());
  }

  private void settleAll() {
    while (!unsettled.isEmpty()) {
      if (cluster.isClosed() || Thread.currentThread().isInterrupted()) {
        throw new StoreException("The store is closed");
      }
      try {
        unsettled.forEach(Lost::revoke);
      } catch (StoreException e) {
        LOG.warn(
            "It is not known yet what became of commits count={} reason={}",
            unsettled.size(),
            Failures.reason(e));
      }
    }
  }

  /**
   * Takes all passes of a process away whose row is gone.
   *
   * @throws StoreException when that is not certain
   */
  static void takeAway(Cluster cluster, LockResolver locks, byte[] life, RandomGenerator random) {
    if (locks.settle(life, cluster.read(life)).exists()) {
      throw new StoreException("It is still there, and so may make new passes");
    }
    byte[] next = new byte[0];
    while (next != null) {
      Scan scan =
          new Scan().withStartRow(next).addColumn(Columns.RECORDS, Columns.TOKEN).setLimit(PAGE);
      PageRead.Page page = cluster.pageOfTokens(scan);
      for (Result row : page.rows()) {
        if (Arrays.equals(CellUtil.cloneValue(row.rawCells()[0]), life)) {
          RegionRequest request = new RegionRequest(random);
          request.deleteToken(row.getRow());
          request.deleteReceipt(row.getRow());
          apply(cluster, request, random);
        }
      }
      next = page.next();
    }
  }

  /** Sends something that may be done twice until it is done. */
  private static void apply(Cluster cluster, RegionRequest request, RandomGenerator random) {
    Backoff pauses = new Backoff(random, cluster.options().operationTimeoutMs());
    while (!pauses.isOver()) {
      Outcome outcome =
          cluster.await(
              cluster.sendUnfenced(cluster.locateNow(request.row()), request), "take a pass");
      if (outcome instanceof Outcome.Applied) {
        return;
      }
      pauses.next();
      cluster.relocate(request.row());
    }
    throw new UnavailableException("HBase did not answer while a pass was to be taken away");
  }
}
