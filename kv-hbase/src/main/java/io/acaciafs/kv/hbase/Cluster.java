package io.acaciafs.kv.hbase;

import io.acaciafs.kv.ConflictException;
import io.acaciafs.kv.RepeatedFailures;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.UnavailableException;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncAdmin;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTableRegionLocator;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.ipc.HBaseRpcController;
import org.apache.hadoop.hbase.ipc.RpcClient;
import org.apache.hadoop.hbase.ipc.RpcClientFactory;
import org.apache.hadoop.hbase.ipc.RpcControllerFactory;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.shaded.protobuf.RequestConverter;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ClientService;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.CoprocessorServiceCall;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.CoprocessorServiceRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.CoprocessorServiceResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier.RegionSpecifierType;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.slf4j.LoggerFactory;

/**
 * The requests that a store sends, and their count. All of them bypass HBase's client, which would
 * repeat them at the same or another server. Then the store would not know which server answered a
 * read, and HBase cannot tell a repeated write from a new one. HBase's client only locates regions.
 * {@link ReadRetries} repeats a read until its time is over; a conditional request is sent once. Safe
 * for use by many threads; futures complete on threads of the network, or where they fail {@link
 * CallbackThread}: do not block there.
 */
final class Cluster implements AutoCloseable {
  private static final String ENDPOINT = "MultiRowMutationService";
  private static final String METHOD = "MutateRows";

  private final HBaseOptions options;
  private final AsyncConnection connection;
  private final AsyncTableRegionLocator locator;
  private final RpcClient requests;
  private final RpcControllerFactory controllers;
  private final User user;
  private final ConcurrentMap<ServerName, ClientService.Interface> servers =
      new ConcurrentHashMap<>();
  private final CallbackThread aside = new CallbackThread();
  private final Assignments assignments = new Assignments();
  private final ReadRetries searches = new ReadRetries(this);
  private final RowReads reads = new RowReads(this, searches, RequestLimiter.forReads(aside));
  private final PageReads pages = new PageReads(this, searches);
  private final LongAdder sent = new LongAdder();
  private final LongAdder waitedFor = new LongAdder();
  private final RepeatedFailures leftToOthers =
      new RepeatedFailures(LoggerFactory.getLogger(TwoPhaseCommit.class));

  /** Null as long as nobody can fence this process off. */
  private volatile FencingTokens passes;

  Cluster(HBaseOptions options, AsyncConnection connection) throws IOException {
    this.options = options;
    this.connection = connection;
    TableName name = TableName.valueOf(options.table());
    this.locator = connection.getRegionLocator(name);
    this.requests = RpcClientFactory.createClient(connection.getConfiguration(), "store", null);
    this.controllers = RpcControllerFactory.instantiate(connection.getConfiguration());
    this.user = User.getCurrent();
  }

  /** Where to do what is not for a thread of the network. */
  CallbackThread aside() {
    return aside;
  }

  /** Where a commit logs that it did not clean up. */
  RepeatedFailures leftToOthers() {
    return leftToOthers;
  }

  AsyncAdmin admin() {
    return connection.getAdmin();
  }

  HBaseOptions options() {
    return options;
  }

  /** Requests sent since the start; one that reads many rows counts once. */
  long requests() {
    return sent.sum();
  }

  /**
   * The same without those that cost nobody any time: another was under way meanwhile, or the
   * transaction had committed before.
   */
  long roundTrips() {
    return waitedFor.sum();
  }

  /** So many requests cost nobody any time. */
  void noteAlongside(int count) {
    waitedFor.add(-count);
  }

  CompletableFuture<RowState> readLater(byte[] row) {
    return reads.readLater(row);
  }

  RowState read(byte[] row) {
    return await(readLater(row), "read a row");
  }

  CompletableFuture<List<RowState>> readLater(List<byte[]> rows) {
    return reads.readLater(rows);
  }

  /** Reads rows, each at a moment of its own. */
  List<RowState> read(List<byte[]> rows) {
    return rows.isEmpty() ? List.of() : await(readLater(rows), "read rows");
  }

  /** The record of a transaction; null where there is none. */
  byte[] readRecord(byte[] row, long transaction) {
    return await(
        reads.readRecordLater(row, Columns.record(transaction)), "read a transaction's record");
  }

  /** A page of rows, as far as the region of the first one reaches. */
  CompletableFuture<PageRead.Page> pageLater(Scan scan) {
    return pageLater(scan, null);
  }

  /**
   * The same for a caller that proves the read itself.
   *
   * @param unproven told what that is; null where the caller does not
   */
  CompletableFuture<PageRead.Page> pageLater(Scan scan, Consumer<UnprovenRead> unproven) {
    FencingTokens mine = passes;
    boolean isOwn = mine != null && mine.ownRows().meets(scan.getStartRow(), scan.getStopRow());
    return pages.readLater(scan, isOwn, isOwn ? unproven : null);
  }

  PageRead.Page page(Scan scan) {
    return await(pageLater(scan), "scan");
  }

  /** The same of rows that passes are in. */
  PageRead.Page pageOfTokens(Scan scan) {
    return await(pages.readLater(scan, true, null), "scan");
  }

  /** A request was sent. */
  void noteSent() {
    sent.increment();
  }

  /** Somebody waits, for one request or for several that are under way at the same time. */
  void noteWaitedFor() {
    waitedFor.increment();
  }

  /** The region of a row as known, or asked for. */
  CompletableFuture<HRegionLocation> locate(byte[] row) {
    Assignment known = assignments.of(row);
    return known == null ? ask(row, false) : known.found();
  }

  /**
   * Asks HBase's client where a region is, and looks anew where it does not know of what is known
   * here.
   */
  private CompletableFuture<HRegionLocation> ask(byte[] row, boolean isAnew) {
    CompletableFuture<HRegionLocation> found;
    try {
      found = locator.getRegionLocation(row, isAnew);
    } catch (RuntimeException e) { // it is closed
      return CompletableFuture.failedFuture(e);
    }
    CompletableFuture<HRegionLocation> taken = found.thenCompose(place -> take(place, row, isAnew));
    // HBase's client keeps asking, and further callers wait for the same answer.
    return taken.isDone() ? taken : taken.orTimeout(options.rpcTimeoutMs(), TimeUnit.MILLISECONDS);
  }

  private CompletableFuture<HRegionLocation> take(
      HRegionLocation place, byte[] row, boolean isAnew) {
    if (place.getServerName() == null || assignments.of(place) != null) {
      return CompletableFuture.completedFuture(place);
    }
    return isAnew
        ? CompletableFuture.failedFuture(
            new NotServingRegionException("HBase tells where a region was before: " + place))
        : ask(row, true);
  }

  HRegionLocation locateNow(byte[] row) {
    return find(() -> locate(row));
  }

  /** Forgets where the region of a row is, and asks. */
  void relocate(byte[] row) {
    find(() -> relocateLater(row));
  }

  /**
   * Asks until some server has the region: between two, and while it is cut, it is nowhere for a
   * moment, of which HBase's client has several ways to tell.
   */
  private HRegionLocation find(Supplier<CompletableFuture<HRegionLocation>> question) {
    Backoff pauses = new Backoff(ThreadLocalRandom.current(), options.operationTimeoutMs());
    while (true) {
      try {
        return await(question.get(), "find a region");
      } catch (UnavailableException e) {
        boolean isForGood = e.getCause() instanceof DoNotRetryIOException; // there is no table
        if (isForGood || pauses.isOver() || isClosed()) {
          throw e;
        }
        pauses.next();
      }
    }
  }

  CompletableFuture<HRegionLocation> relocateLater(byte[] row) {
    return ask(row, true);
  }

  boolean isClosed() {
    return connection.isClosed();
  }

  // ---- which server has which region, and whether its answers count

  Assignments assignments() {
    return assignments;
  }

  /** What is known of the region of a row; null for nothing. */
  Assignment assignmentOf(byte[] row) {
    return assignments.of(row);
  }

  /**
   * The same of one that may be used without waiting.
   *
   * @param isOwn whether that need not be told to others
   */
  Assignment usableAssignmentOf(byte[] row, boolean isOwn) {
    Assignment known = assignments.of(row);
    boolean isUsable =
        known != null
            && (isOwn || known.isAnnounced() || isDone(assignments.announcedToRead(known)));
    return isUsable ? known : null;
  }

  private static boolean isDone(CompletableFuture<Void> announcement) {
    return announcement.isDone() && !announcement.isCompletedExceptionally();
  }

  /**
   * Finds the server of a row's region, and tells the other processes, within the time limit of an
   * operation.
   */
  CompletableFuture<Assignment> findLater(byte[] row, boolean isOwn) {
    return locate(row)
        .thenCompose(
            place -> {
              Assignment found = place.getServerName() == null ? null : assignments.of(place);
              if (found == null) {
                return CompletableFuture.failedFuture(
                    new NotServingRegionException("A region is on its way between servers"));
              }
              return isOwn
                  ? CompletableFuture.completedFuture(found)
                  : bounded(assignments.announcedToRead(found)).thenApply(told -> found);
            });
  }

  /** Fails when others do not hear of an assignment in the time of an operation. */
  private CompletableFuture<Void> bounded(CompletableFuture<Void> announcement) {
    return announcement.isDone()
        ? announcement
        : announcement
            .thenApply(told -> told)
            .orTimeout(options.operationTimeoutMs(), TimeUnit.MILLISECONDS);
  }

  /** Whether what a server said is to be believed; asked when the answer is here. */
  boolean mayRelyOn(Assignment assignment) {
    return assignments.mayRelyOn(assignment);
  }

  /**
   * In which a read is asked for again: the last time in time for an answer within that of an
   * operation.
   */
  long readPatienceMs() {
    return Math.max(
        options.operationTimeoutMs() / 2,
        options.operationTimeoutMs() - 2L * options.rpcTimeoutMs());
  }

  /** Whether a row is written although others may not know of its region's assignment. */
  boolean isOwn(byte[] row) {
    FencingTokens mine = passes;
    return mine != null && mine.ownRows().contains(row);
  }

  /**
   * Finds out whether a server had a region when it answered: it has it still, as something can be
   * written there.
   *
   * @param sentNs when what was answered was sent
   * @return does not fail
   */
  CompletableFuture<Boolean> prove(Assignment by, long sentNs) {
    FencingTokens mine = passes;
    if (mine == null) {
      return CompletableFuture.completedFuture(!by.isOver());
    }
    long longestNs = TimeUnit.MILLISECONDS.toNanos(options.rpcTimeoutMs());
    return by.prove(mine::prove)
        .thenApply(
            isWritten ->
                // Later it could be another process, that was started in the place of the first.
                isWritten && !by.isOver() && System.nanoTime() - sentNs < longestNs);
  }

  /** All regions of the table, in order. */
  List<HRegionLocation> regions() {
    return await(locator.getAllRegionLocations(), "list regions");
  }

  /** From now on each conditional request shows a pass. */
  void show(FencingTokens mine) {
    passes = mine;
    assignments.bind();
  }

  /** Null where none are shown. */
  FencingTokens passes() {
    return passes;
  }

  /** Sends a conditional request to a region, once. */
  CompletableFuture<Outcome> send(HRegionLocation region, RegionRequest request) {
    FencingTokens mine = passes;
    if (mine == null) {
      return sendUnfenced(region, request);
    }
    Assignment by = region.getServerName() == null ? null : assignments.of(region);
    if (by == null || mine.ownRows().contains(request) || by.isAnnounced()) {
      return mine.send(region, request);
    }
    return bounded(assignments.announced(by))
        .handle(
            (told, failure) ->
                failure == null
                    ? mine.send(region, request)
                    : CompletableFuture.<Outcome>completedFuture(
                        new Outcome.NotServed(Failures.causeOf(failure))))
        .thenCompose(sent -> sent);
  }

  /** The same for requests about passes, which need not be announced to other processes. */
  CompletableFuture<Outcome> sendUnfenced(HRegionLocation region, RegionRequest request) {
    Assignment by = region.getServerName() == null ? null : assignments.of(region);
    if (by == null) {
      return CompletableFuture.completedFuture(
          new Outcome.NotServed(new IOException("A region is on its way between servers")));
    }
    noteSent();
    if (request.isAwaited()) {
      noteWaitedFor();
    }
    CompletableFuture<Outcome> outcome = new CompletableFuture<>();
    boolean relied = assignments.relies();
    long sentNs = System.nanoTime();
    HBaseRpcController controller = newController();
    try {
      server(by.server())
          .execService(
              controller,
              call(region, request),
              response ->
                  goOn(
                      controller,
                      () -> {
                        complete(outcome, controller, response);
                        noteWritten(by, outcome, relied, sentNs);
                      }));
    } catch (IOException e) {
      outcome.complete(new Outcome.NotServed(e));
    }
    return outcome;
  }

  private static void noteWritten(
      Assignment by, CompletableFuture<Outcome> outcome, boolean relied, long sentNs) {
    if (outcome.isCompletedExceptionally() || outcome.join() != Outcome.APPLIED) {
      return;
    }
    by.noteWritten(sentNs);
    if (relied && !by.isProven()) {
      by.noteProven();
    }
  }

  Outcome sendNow(HRegionLocation region, RegionRequest request) {
    return await(send(region, request), "write rows");
  }

  /** Of one request, which is to take no longer than the options allow. */
  HBaseRpcController newController() {
    HBaseRpcController controller = controllers.newController();
    controller.setCallTimeout(options.rpcTimeoutMs());
    return controller;
  }

  /** Asks a region server, once. */
  ClientService.Interface server(ServerName name) throws IOException {
    ClientService.Interface known = servers.get(name);
    if (known != null) {
      return known;
    }
    ClientService.Interface made =
        ClientService.newStub(requests.createRpcChannel(name, user, options.rpcTimeoutMs()));
    servers.put(name, made);
    return made;
  }

  /**
   * Goes on after a reply, and after a failure elsewhere: where a connection breaks, HBase's client
   * tells all who wait for it one after the other, and loses sight of the rest when somebody sends
   * over it meanwhile. They would be told when their time is over.
   */
  void goOn(HBaseRpcController controller, Runnable next) {
    if (controller.failed()) {
      aside.execute(next);
    } else {
      next.run();
    }
  }

  private static CoprocessorServiceRequest call(HRegionLocation region, RegionRequest request) {
    return CoprocessorServiceRequest.newBuilder()
        .setRegion(
            RequestConverter.buildRegionSpecifier(
                RegionSpecifierType.REGION_NAME, region.getRegion().getRegionName()))
        .setCall(
            CoprocessorServiceCall.newBuilder()
                .setRow(ByteString.copyFrom(request.row()))
                .setServiceName(ENDPOINT)
                .setMethodName(METHOD)
                .setRequest(request.encode()))
        .build();
  }

  private void complete(
      CompletableFuture<Outcome> outcome,
      HBaseRpcController controller,
      CoprocessorServiceResponse response) {
    if (controller.failed() && Failures.isReadOnly(controller.getFailed())) {
      outcome.completeExceptionally(
          new StoreException(
              "The table "
                  + options.table()
                  + " of HBase is read-only, so nothing was written; make it writable again",
              controller.getFailed()));
    } else {
      outcome.complete(outcomeOf(controller, response));
    }
  }

  private static Outcome outcomeOf(
      HBaseRpcController controller, CoprocessorServiceResponse response) {
    if (controller.failed()) {
      IOException failure = controller.getFailed();
      return Failures.isNotServed(failure)
          ? new Outcome.NotServed(failure)
          : new Outcome.Unknown(failure, null);
    }
    // MutateRowsResponse: field 1, a boolean, is whether the conditions held.
    byte[] answer = response.getValue().getValue().toByteArray();
    boolean held = answer.length == 2 && answer[0] == 8 && answer[1] == 1;
    return held ? Outcome.APPLIED : Outcome.REFUSED;
  }

  <T> T await(CompletableFuture<T> future, String what) {
    try {
      // HBase's client keeps the limit itself; this one is for what it forgets.
      return future.get(2L * options.operationTimeoutMs(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw failed(what, e.getCause());
    } catch (TimeoutException e) {
      throw failed(what, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreException("Interrupted while HBase was to " + what, e);
    }
  }

  /**
   * The same of a commit, which ends by itself, each of its requests in its time. Who gave up on it
   * would not know whether it will be written.
   *
   * @throws ConflictException when that is how it ended
   */
  Outcome awaitEnd(CompletableFuture<Outcome> commit) {
    try {
      return commit.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof ConflictException conflict) {
        throw conflict;
      }
      throw failed("write rows", e.getCause());
    }
  }

  StoreException failed(String what, Throwable cause) {
    return cause instanceof StoreException known
        ? known
        : new UnavailableException(
            "HBase at "
                + options.zooKeeper()
                + " could not "
                + what
                + ": "
                + Failures.reason(cause),
            cause);
  }

  @Override
  public void close() {
    requests.close();
    try {
      connection.close();
    } catch (IOException e) {
      throw new StoreException("The connection to HBase did not close", e);
    } finally {
      aside.close();
    }
  }
}
