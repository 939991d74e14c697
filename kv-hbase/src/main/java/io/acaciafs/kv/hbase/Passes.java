package io.acaciafs.kv.hbase;

import io.acaciafs.kv.FencedOffException;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.UnavailableException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets others end what a process writes, and lets it find out itself what became of a request. Each
 * conditional request requires a cell of its region that belongs to the process, a pass, and leaves
 * its number beside it, one request at a time a pass. Nothing is applied any more once the pass is
 * gone; docs/decisions/025 has the argument.
 *
 * <p>A pass is good from when its owner saw its own row (its <i>life</i>) after the pass was
 * written. So whoever removes that row and then looks for passes finds every one that is good. A
 * pass lies at the beginning of its region: where that is divided, the new region has none of it.
 *
 * <p>Safe for use by many threads.
 */
final class Passes {
  private static final Logger LOG = LoggerFactory.getLogger(Passes.class);
  private static final int PAGE = 1_000;

  private final Cluster cluster;
  private final Locks locks;
  private final byte[] life;
  private final RandomGenerator random;
  private final ConcurrentMap<String, Deque<Pass>> free = new ConcurrentHashMap<>();
  private final Set<Lost> unsettled = ConcurrentHashMap.newKeySet();
  private final AtomicInteger count = new AtomicInteger();
  private CompletableFuture<Void> settling;

  /** The row that one is in; never made twice. */
  @SuppressWarnings("ArrayRecordComponent") // a row
  record Pass(byte[] row) {}

  /** A new pass, or why there is none. */
  record Made(Pass pass, Outcome refusal) {}

  /**
   * @param life the row of this process
   */
  Passes(Cluster cluster, Locks locks, byte[] life, RandomGenerator random) {
    this.cluster = cluster;
    this.locks = locks;
    this.life = life;
    this.random = random;
  }

  /** Sends a request with a pass, once. */
  CompletableFuture<Outcome> send(HRegionLocation region, RegionRequest request) {
    Pass pass = freeOf(region).pollFirst();
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
      HRegionLocation region, RegionRequest request, Pass pass, long number) {
    RegionRequest shown = request.copy();
    shown.requirePass(pass.row, life, number);
    return cluster
        .sendWithoutPass(region, shown)
        .thenApply(
            outcome -> {
              if (outcome instanceof Outcome.Unknown unknown) {
                LOG.info(
                    "A reply was lost, and what became of the request is found out server={} reason={}",
                    region.getServerName(),
                    Failures.reason(unknown.cause()));
                return new Outcome.Unknown(unknown.cause(), new Lost(pass, number));
              }
              freeOf(region).addFirst(pass);
              return outcome;
            });
  }

  private Deque<Pass> freeOf(HRegionLocation region) {
    return free.computeIfAbsent(
        region.getRegion().getEncodedName(), name -> new ConcurrentLinkedDeque<>());
  }

  CompletableFuture<Made> make(HRegionLocation region) {
    Pass pass = new Pass(rowIn(region));
    RegionRequest request = new RegionRequest(random);
    request.putPass(pass.row, life);
    return cluster
        .sendWithoutPass(region, request)
        .thenCompose(
            outcome ->
                outcome instanceof Outcome.Applied
                    ? cluster
                        .readLater(life)
                        .handle((found, failure) -> judge(pass, found, failure))
                    : CompletableFuture.completedFuture(new Made(null, notServed(outcome))));
  }

  private static Made judge(Pass pass, RowState found, Throwable failure) {
    if (failure != null) {
      return new Made(null, new Outcome.NotServed(failure));
    }
    if (!found.isSettled()) {
      return new Made(null, new Outcome.NotServed(new StoreException("Somebody ends this one")));
    }
    if (!found.exists()) {
      throw fencedOff();
    }
    return new Made(pass, null);
  }

  /** Whatever became of the pass, what was to be sent with it was not. */
  private static Outcome notServed(Outcome outcome) {
    return outcome instanceof Outcome.Unknown unknown
        ? new Outcome.NotServed(unknown.cause())
        : outcome;
  }

  private byte[] rowIn(HRegionLocation region) {
    byte[] start = region.getRegion().getStartKey();
    byte[] row =
        ByteBuffer.allocate(start.length + 2 + life.length + Integer.BYTES)
            .put(start)
            .put((byte) 0)
            .put((byte) 0)
            .put(life)
            .putInt(count.incrementAndGet())
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
    if (!locks.read(life).exists()) {
      throw fencedOff();
    }
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
    private final Pass pass;
    private final long number;
    private Boolean applied;

    Lost(Pass pass, long number) {
      this.pass = pass;
      this.number = number;
    }

    /**
     * Takes the pass away, so that the request is applied by now or never will be.
     *
     * @throws StoreException when HBase does not answer in time, or others took the pass away, and
     *     nobody knows which
     */
    synchronized boolean wasApplied() {
      if (applied == null) {
        unsettled.add(this);
        RegionRequest request = new RegionRequest(random);
        request.deletePass(pass.row);
        Passes.apply(cluster, request, random);
        unsettled.remove(this); // nothing of it is on its way any more
        Long last = cluster.readReceipt(pass.row);
        boolean isFound = last != null && last == number;
        if (!isFound) {
          checkLife(); // whoever fences off removes the number as well
        }
        applied = isFound;
        forgetReceipt();
      }
      return applied;
    }

    private void forgetReceipt() {
      RegionRequest request = new RegionRequest(random);
      request.deleteReceipt(pass.row);
      cluster.sendWithoutPass(cluster.locateNow(pass.row), request); // whatever comes of it
    }
  }

  /** Completes when nothing that failed before is still on its way. */
  synchronized CompletableFuture<Void> settle(CommitThreads threads) {
    if (unsettled.isEmpty()) {
      return CompletableFuture.completedFuture(null);
    }
    if (settling == null || settling.isDone()) {
      settling = threads.run(() -> settleAll(threads)); // one, however many wait for it
    }
    return settling.thenCompose(done -> settle(threads));
  }

  private void settleAll(CommitThreads threads) {
    while (!unsettled.isEmpty()) {
      threads.checkOpen();
      try {
        unsettled.forEach(Lost::wasApplied);
      } catch (StoreException e) {
        LOG.warn("It is not known yet what became of commits count={}", unsettled.size(), e);
      }
    }
  }

  /**
   * Takes all passes of a process away whose row is gone.
   *
   * @throws StoreException when that is not certain
   */
  static void takeAway(Cluster cluster, Locks locks, byte[] life, RandomGenerator random) {
    if (locks.settle(life, cluster.read(life)).exists()) {
      throw new StoreException("It is still there, and so may make new passes");
    }
    byte[] next = new byte[0];
    while (next != null) {
      Scan scan =
          new Scan().withStartRow(next).addColumn(Columns.RECORDS, Columns.PASS).setLimit(PAGE);
      List<Result> page = cluster.scan(scan);
      for (Result row : page) {
        if (Arrays.equals(CellUtil.cloneValue(row.rawCells()[0]), life)) {
          RegionRequest request = new RegionRequest(random);
          request.deletePass(row.getRow());
          request.deleteReceipt(row.getRow());
          apply(cluster, request, random);
        }
      }
      next = page.size() < PAGE ? null : behind(page.get(page.size() - 1).getRow());
    }
  }

  private static byte[] behind(byte[] row) {
    return Arrays.copyOf(row, row.length + 1);
  }

  /** Sends something that may be done twice until it is done. */
  private static void apply(Cluster cluster, RegionRequest request, RandomGenerator random) {
    Pauses pauses = new Pauses(random, cluster.options().operationTimeoutMs());
    while (!pauses.isOver()) {
      Outcome outcome =
          cluster.await(
              cluster.sendWithoutPass(cluster.locateNow(request.row()), request), "take a pass");
      if (outcome instanceof Outcome.Applied) {
        return;
      }
      pauses.next();
      cluster.relocate(request.row());
    }
    throw new UnavailableException("HBase did not answer while a pass was to be taken away");
  }
}
