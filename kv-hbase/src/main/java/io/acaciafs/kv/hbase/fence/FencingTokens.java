package io.acaciafs.kv.hbase.fence;

import io.acaciafs.kv.FencedOffException;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.UnavailableException;
import io.acaciafs.kv.hbase.client.ClusterClient;
import io.acaciafs.kv.hbase.client.Failures;
import io.acaciafs.kv.hbase.client.LostRequest;
import io.acaciafs.kv.hbase.client.Outcome;
import io.acaciafs.kv.hbase.client.RequestSender;
import io.acaciafs.kv.hbase.read.RowReads;
import io.acaciafs.kv.hbase.region.Assignment;
import io.acaciafs.kv.hbase.region.IdempotentRequests;
import io.acaciafs.kv.hbase.region.Membership;
import io.acaciafs.kv.hbase.region.RegionLocator;
import io.acaciafs.kv.hbase.region.TokenRows;
import io.acaciafs.kv.hbase.region.UnfencedSender;
import io.acaciafs.kv.hbase.schema.Columns;
import io.acaciafs.kv.hbase.schema.RegionRequest;
import io.acaciafs.kv.hbase.schema.RowState;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.Deque;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fencing tokens: they let other processes end what this process writes, and let this process find
 * out the result of a request whose reply was lost. A token is a cell of a region that belongs to
 * one process. Each conditional request requires a token of its region and leaves the request's
 * number beside it; a token serves one request at a time. HBase applies nothing once the token is
 * gone; docs/internals/directory-leases.md has the proof.
 *
 * <p>A token is valid once its owner, after writing it, saw that its own member row exists. So a
 * process that removes this row and then looks for tokens finds every valid one. A token lies at
 * the beginning of its region: if the region is divided, the second half has none.
 *
 * <p>Safe for use by many threads.
 */
public final class FencingTokens {
  private static final Logger LOG = LoggerFactory.getLogger(FencingTokens.class);

  private final ClusterClient client;
  private final RegionLocator regions;
  private final Membership membership;
  private final RequestSender unfenced;
  private final RowReads reads;
  private final IdempotentRequests idempotent;
  private final Function<Runnable, CompletableFuture<Void>> threads;
  private final RandomGenerator random;
  private final ConcurrentMap<String, Deque<Token>> free = new ConcurrentHashMap<>();
  private final Set<Lost> unsettled = ConcurrentHashMap.newKeySet();
  private final AtomicInteger count = new AtomicInteger();
  private @Nullable CompletableFuture<Void> settling;

  /** The row that a token is in; never made twice. */
  @SuppressWarnings("ArrayRecordComponent") // a row
  record Token(byte[] row) {}

  /** A new token, or why there is none. */
  record Made(@Nullable Token token, @Nullable Outcome refusal) {}

  /**
   * @param threads runs the revocation of tokens of lost requests, which blocks
   */
  public FencingTokens(
      ClusterClient client,
      RegionLocator regions,
      Membership membership,
      UnfencedSender unfenced,
      RowReads reads,
      Function<Runnable, CompletableFuture<Void>> threads,
      RandomGenerator random) {
    this.client = client;
    this.regions = regions;
    this.membership = membership;
    this.unfenced = unfenced;
    this.reads = reads;
    this.idempotent = new IdempotentRequests(client, regions, unfenced, random);
    this.threads = threads;
    this.random = random;
  }

  /** Sends a request with a token, once. */
  CompletableFuture<Outcome> send(HRegionLocation region, RegionRequest request) {
    Token token = freeOf(region).pollFirst();
    if (token != null) {
      return send(region, request, token, random.nextLong());
    }
    return make(region)
        .thenCompose(
            made ->
                made.token == null
                    ? CompletableFuture.completedFuture(made.refusal)
                    : send(region, request, made.token, random.nextLong()));
  }

  CompletableFuture<Outcome> send(
      HRegionLocation region, RegionRequest request, Token token, long number) {
    Assignment by = regions.assignments().of(region);
    if (by == null || !by.enter()) {
      freeOf(region).addFirst(token);
      return CompletableFuture.completedFuture(
          new Outcome.NotServed(new NotServingRegionException("Another server has the region")));
    }
    RegionRequest fenced = request.copy();
    fenced.requireToken(token.row, membership.row(), number);
    return unfenced
        .send(region, fenced)
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
                return new Outcome.Unknown(unknown.cause(), lost(token, number, by));
              }
              freeOf(region).addFirst(token);
              return outcome;
            });
  }

  /**
   * A request whose reply was lost. The process finds out its result even if no caller needs it.
   */
  private Lost lost(Token token, long number, Assignment by) {
    Lost lost = new Lost(token, number, by);
    unsettled.add(lost);
    settle();
    return lost;
  }

  private Deque<Token> freeOf(HRegionLocation region) {
    return free.computeIfAbsent(
        region.getRegion().getEncodedName(), name -> new ConcurrentLinkedDeque<>());
  }

  CompletableFuture<Made> make(HRegionLocation region) {
    byte[] member = membership.row();
    Token token = new Token(TokenRows.rowIn(region, member, count.incrementAndGet()));
    RegionRequest request = new RegionRequest(random);
    request.putToken(token.row, member);
    return unfenced
        .send(region, request)
        .thenCompose(
            outcome ->
                outcome instanceof Outcome.Applied
                    ? confirmMembership(token)
                    : CompletableFuture.completedFuture(new Made(null, notServed(outcome))));
  }

  /**
   * A write on the condition that the member row exists proves more than a read of the row: that
   * the server has the region.
   */
  private CompletableFuture<Made> confirmMembership(Token token) {
    byte[] member = membership.row();
    return regions
        .locate(member)
        .thenCompose(place -> unfenced.send(place, membership.whileMember(random)))
        .handle(
            (outcome, failure) -> {
              if (failure != null) {
                return CompletableFuture.completedFuture(
                    new Made(null, new Outcome.NotServed(Failures.causeOf(failure))));
              }
              if (outcome instanceof Outcome.Applied) {
                return CompletableFuture.completedFuture(new Made(token, null));
              }
              if (outcome instanceof Outcome.Refused) {
                return reads.readLater(member).handle((found, unread) -> judge(found, unread));
              }
              return regions
                  .relocateLater(member)
                  .handle((place, unfound) -> new Made(null, notServed(outcome)));
            })
        .thenCompose(made -> made);
  }

  /** Why there is no new token. */
  private static Made judge(RowState found, Throwable failure) {
    if (failure != null) {
      return new Made(null, new Outcome.NotServed(Failures.causeOf(failure)));
    }
    if (found.isSettled() && !found.exists()) {
      throw fencedOff();
    }
    return new Made(
        null, new Outcome.NotServed(new StoreException("Another process is changing this token")));
  }

  /** Whether or not the token was written, the request that needed it was not sent. */
  private static Outcome notServed(Outcome outcome) {
    return outcome instanceof Outcome.Unknown unknown
        ? new Outcome.NotServed(unknown.cause())
        : outcome;
  }

  static StoreException fencedOff() {
    return new FencedOffException("Others have ended what this process writes");
  }

  /** A request whose reply was lost. */
  final class Lost implements LostRequest {
    private final Token token;
    private final long number;

    /** The assignment that the request entered; null if it entered none. */
    private final Assignment by;

    /** Not this object's own: what waits for the result may wait for other tokens to be revoked. */
    private final Object revocation = new Object();

    private boolean isRevoked;
    private boolean isResolved;

    /** The transactions that were refused; null if nothing was applied. */
    private @Nullable BitSet refused;

    Lost(Token token, long number, Assignment by) {
      this.token = token;
      this.number = number;
      this.by = by;
    }

    @Override
    public boolean wasApplied(Runnable requireMember) {
      return refused(requireMember) != null;
    }

    @Override
    public LostRequest ofTransaction(int number) {
      return new LostRequest() {
        @Override
        public boolean wasApplied(Runnable requireMember) {
          BitSet others = refused(requireMember);
          return others != null && !others.get(number);
        }

        @Override
        public LostRequest ofTransaction(int inner) {
          throw new IllegalStateException("A transaction has none of its own");
        }
      };
    }

    private synchronized @Nullable BitSet refused(Runnable requireMember) {
      if (!isResolved) {
        revoke();
        RegionRequest receipt = new RegionRequest(random);
        receipt.requireReceipt(token.row, number);
        if (idempotent.send(receipt, "say whether a commit took effect")) {
          refused = readRefused(requireMember);
        } else {
          requireMember.run(); // a process that fences this one off removes the number as well
        }
        isResolved = true;
        forgetReceipt();
      }
      return refused;
    }

    /**
     * The receipt does not change until it is removed, so a read of it needs no proof. A server
     * that has lost the region may answer with that of an earlier request.
     */
    private BitSet readRefused(Runnable requireMember) {
      byte[] receipt =
          client.await(
              reads.readRecordLater(token.row, Columns.RECEIPT),
              "say which commits of a request took effect");
      if (receipt == null
          || receipt.length < Long.BYTES
          || ByteBuffer.wrap(receipt).getLong() != number) {
        requireMember.run();
        throw new UnavailableException("HBase does not show the receipt of a request");
      }
      return BitSet.valueOf(ByteBuffer.wrap(receipt, Long.BYTES, receipt.length - Long.BYTES));
    }

    /** Removes the token. HBase applies nothing of the request after this returns. */
    void revoke() {
      synchronized (revocation) {
        if (isRevoked) {
          return;
        }
        RegionRequest request = new RegionRequest(random);
        request.deleteToken(token.row);
        idempotent.send(request, "remove a fencing token");
        isRevoked = true;
        unsettled.remove(this);
        if (by != null) {
          by.leave();
        }
      }
    }

    private void forgetReceipt() {
      RegionRequest request = new RegionRequest(random);
      request.deleteReceipt(token.row);
      unfenced.send(regions.locateNow(token.row), request); // its result does not matter
    }
  }

  /** Completes when HBase can no longer apply any request that failed before this call. */
  public synchronized CompletableFuture<Void> settle() {
    if (unsettled.isEmpty()) {
      return CompletableFuture.completedFuture(null);
    }
    if (settling == null || settling.isDone()) {
      settling = threads.apply(this::settleAll); // one task for all callers
    }
    return settling.thenCompose(done -> settle());
  }

  private void settleAll() {
    while (!unsettled.isEmpty()) {
      if (client.isClosed() || Thread.currentThread().isInterrupted()) {
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
}
