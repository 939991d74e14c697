package io.acaciafs.kv.hbase;

import io.acaciafs.kv.ConflictException;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.UnavailableException;
import java.io.IOException;
import java.nio.ByteBuffer;
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
import java.util.function.Supplier;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncAdmin;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.AsyncTableRegionLocator;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
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

/**
 * The requests that a store sends, and their count. Scans and reads of one column are HBase's
 * client's, which repeats them, and so is what shared reads ({@link RowReads}) leave. A conditional
 * request is sent once and never repeated here, as HBase does not know a repetition from a new
 * request; so it goes past that client, which would repeat it. Safe for use by many threads;
 * futures complete on threads of the network, or where they fail {@link Aside}: do not block there.
 */
final class Cluster implements AutoCloseable {
  private static final String ENDPOINT = "MultiRowMutationService";
  private static final String METHOD = "MutateRows";

  private final HBaseOptions options;
  private final AsyncConnection connection;
  private final AsyncTable<?> table;
  private final AsyncTableRegionLocator locator;
  private final RpcClient requests;
  private final RpcControllerFactory controllers;
  private final User user;
  private final ConcurrentMap<ServerName, ClientService.Interface> servers =
      new ConcurrentHashMap<>();
  private final Aside aside = new Aside();
  private final RowReads reads = new RowReads(this, Turns.forReads(aside));
  private final LongAdder sent = new LongAdder();
  private final LongAdder waitedFor = new LongAdder();

  /** Null as long as nobody can fence this process off. */
  private volatile Passes passes;

  Cluster(HBaseOptions options, AsyncConnection connection) throws IOException {
    this.options = options;
    this.connection = connection;
    TableName name = TableName.valueOf(options.table());
    this.table = connection.getTable(name);
    this.locator = connection.getRegionLocator(name);
    this.requests = RpcClientFactory.createClient(connection.getConfiguration(), "store", null);
    this.controllers = RpcControllerFactory.instantiate(connection.getConfiguration());
    this.user = User.getCurrent();
  }

  /** Where to do what is not for a thread of the network. */
  Aside aside() {
    return aside;
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
    byte[] column = Columns.record(transaction);
    Get get = new Get(row).addColumn(Columns.RECORDS, column);
    return await(ask(() -> table.get(get)), "read a transaction's record")
        .getValue(Columns.RECORDS, column);
  }

  CompletableFuture<List<Result>> scanLater(Scan page) {
    return ask(() -> table.scanAll(page));
  }

  List<Result> scan(Scan page) {
    return await(scanLater(page), "scan");
  }

  /** Reads rows as HBase's client does; one that is closed meanwhile may throw instead. */
  List<CompletableFuture<Result>> get(List<Get> gets) {
    noteSent();
    return gets.size() == 1 ? List.of(table.get(gets.get(0))) : table.get(gets);
  }

  /** A request was sent. */
  void noteSent() {
    sent.increment();
  }

  /** Somebody waits, for one request or for several that are under way at the same time. */
  void noteWaitedFor() {
    waitedFor.increment();
  }

  /** Sends something; a client that is closed meanwhile may throw instead. */
  private <T> CompletableFuture<T> ask(Supplier<CompletableFuture<T>> request) {
    noteSent();
    noteWaitedFor();
    try {
      return request.get();
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /** The region of a row as known, or asked for. */
  CompletableFuture<HRegionLocation> locate(byte[] row) {
    return locator.getRegionLocation(row, false);
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
    Pauses pauses = new Pauses(ThreadLocalRandom.current(), options.operationTimeoutMs());
    while (true) {
      try {
        return await(question.get(), "find a region");
      } catch (UnavailableException e) {
        boolean isForGood = e.getCause() instanceof DoNotRetryIOException; // there is no table
        if (isForGood || pauses.isOver() || connection.isClosed()) {
          throw e;
        }
        pauses.next();
      }
    }
  }

  CompletableFuture<HRegionLocation> relocateLater(byte[] row) {
    return locator.getRegionLocation(row, true);
  }

  /** All regions of the table, in order. */
  List<HRegionLocation> regions() {
    return await(locator.getAllRegionLocations(), "list regions");
  }

  /** From now on each conditional request shows a pass. */
  void show(Passes mine) {
    passes = mine;
  }

  /** Null where none are shown. */
  Passes passes() {
    return passes;
  }

  /** The number of the last request that showed a pass; null for none. */
  Long readReceipt(byte[] row) {
    Get get = new Get(row).addColumn(Columns.RECORDS, Columns.RECEIPT);
    byte[] value =
        await(ask(() -> table.get(get)), "read a receipt")
            .getValue(Columns.RECORDS, Columns.RECEIPT);
    return value == null ? null : ByteBuffer.wrap(value).getLong();
  }

  /** Sends a conditional request to a region, once. */
  CompletableFuture<Outcome> send(HRegionLocation region, RegionRequest request) {
    Passes mine = passes;
    return mine == null ? sendWithoutPass(region, request) : mine.send(region, request);
  }

  /** The same of what is about passes itself. */
  CompletableFuture<Outcome> sendWithoutPass(HRegionLocation region, RegionRequest request) {
    CompletableFuture<Outcome> outcome = new CompletableFuture<>();
    if (region.getServerName() == null) {
      return CompletableFuture.completedFuture(
          new Outcome.NotServed(new IOException("A region is on its way between servers")));
    }
    noteSent();
    if (request.isAwaited()) {
      noteWaitedFor();
    }
    HBaseRpcController controller = newController();
    try {
      server(region.getServerName())
          .execService(
              controller,
              call(region, request),
              response -> goOn(controller, () -> complete(outcome, controller, response)));
    } catch (IOException e) {
      outcome.complete(new Outcome.NotServed(e));
    }
    return outcome;
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
