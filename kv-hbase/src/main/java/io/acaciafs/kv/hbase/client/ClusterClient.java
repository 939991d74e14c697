package io.acaciafs.kv.hbase.client;

import io.acaciafs.kv.ConflictException;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.UnavailableException;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.MetaTableAccessor;
import org.apache.hadoop.hbase.RegionLocations;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncAdmin;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTableRegionLocator;
import org.apache.hadoop.hbase.ipc.HBaseRpcController;
import org.apache.hadoop.hbase.ipc.RpcClient;
import org.apache.hadoop.hbase.ipc.RpcClientFactory;
import org.apache.hadoop.hbase.ipc.RpcControllerFactory;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ClientService;
import org.apache.hadoop.security.UserGroupInformation;
import org.jspecify.annotations.Nullable;

/**
 * Connections to the servers of an HBase cluster, and the count of requests. Requests bypass
 * HBase's client, which would repeat them at the same or another server. Then the store would not
 * know which server answered a read, and HBase cannot tell a repeated write from a new one. HBase's
 * client only locates regions. Safe for use by many threads; futures complete on network threads,
 * or after a failure on the {@link CallbackThread}: do not block there.
 */
public final class ClusterClient implements AutoCloseable {
  /** For what {@link #hastyAdmin} is asked, in milliseconds. */
  public static final int HASTY_MS = 5_000;

  /** HBase's client looks for another master after the first one. */
  private static final int HASTY_ATTEMPTS = 3;

  private final HBaseOptions options;
  private final AsyncConnection connection;
  private final RpcClient requests;
  private final RpcControllerFactory controllers;
  private final User user;
  private final ConcurrentMap<ServerName, ClientService.Interface> servers =
      new ConcurrentHashMap<>();
  private final CallbackThread callbacks = new CallbackThread();
  private final CoprocessorUse coprocessor = new CoprocessorUse(System::nanoTime);
  private final LongAdder sent = new LongAdder();
  private final LongAdder waitedFor = new LongAdder();

  public ClusterClient(HBaseOptions options, AsyncConnection connection) throws IOException {
    this.options = options;
    this.connection = connection;
    this.requests = RpcClientFactory.createClient(connection.getConfiguration(), "store", null);
    this.controllers = RpcControllerFactory.instantiate(connection.getConfiguration());
    this.user = User.create(UserGroupInformation.getLoginUser());
  }

  /** Runs what must not run on a network thread. */
  public CallbackThread callbacks() {
    return callbacks;
  }

  /** Whether requests go to the table's coprocessor. */
  public CoprocessorUse coprocessor() {
    return coprocessor;
  }

  public AsyncAdmin admin() {
    return connection.getAdmin();
  }

  /** For questions that nothing depends on, and that are asked again. */
  public AsyncAdmin hastyAdmin() {
    return connection
        .getAdminBuilder()
        .setOperationTimeout(HASTY_MS, TimeUnit.MILLISECONDS)
        .setRpcTimeout(HASTY_MS, TimeUnit.MILLISECONDS)
        .setMaxAttempts(HASTY_ATTEMPTS)
        .build();
  }

  /** HBase's own locator of the table's regions. */
  public AsyncTableRegionLocator locator() {
    return connection.getRegionLocator(TableName.valueOf(options.table()));
  }

  /**
   * Where HBase's own table says that the regions of the store's table are. Other than those of
   * {@link #locator}, these tell at which number of the log a region was opened.
   */
  public CompletableFuture<List<HRegionLocation>> openedRegions() {
    return connection
        .getTable(TableName.META_TABLE_NAME)
        .scanAll(
            MetaTableAccessor.getScanForTableName(
                connection.getConfiguration(), TableName.valueOf(options.table())))
        .thenApply(
            rows ->
                rows.stream()
                    .map(MetaTableAccessor::getRegionLocations)
                    .filter(Objects::nonNull)
                    .map(RegionLocations::getDefaultRegionLocation)
                    .filter(ClusterClient::isOpen)
                    .toList());
  }

  private static boolean isOpen(@Nullable HRegionLocation location) {
    return location != null && location.getServerName() != null && !location.getRegion().isSplit();
  }

  public HBaseOptions options() {
    return options;
  }

  /** Requests sent since the start; one that reads many rows counts once. */
  public long requests() {
    return sent.sum();
  }

  /**
   * Requests that delayed a caller: without those that ran beside another request of the same
   * caller, and those that followed a commit.
   */
  public long roundTrips() {
    return waitedFor.sum();
  }

  /** So many requests delayed no caller. */
  public void noteAlongside(int count) {
    waitedFor.add(-count);
  }

  /** A request was sent. */
  public void noteSent() {
    sent.increment();
  }

  /** A caller waits for one request, or for several that are in flight at the same time. */
  public void noteWaitedFor() {
    waitedFor.increment();
  }

  /**
   * The time in which a read is sent again. The last attempt has time for an answer within the
   * limit of an operation.
   */
  public long readPatienceMs() {
    return Math.max(
        options.operationTimeoutMs() / 2,
        options.operationTimeoutMs() - 2L * options.rpcTimeoutMs());
  }

  public boolean isClosed() {
    return connection.isClosed();
  }

  /** A controller of one request, with the timeout of the options. */
  public HBaseRpcController newController() {
    HBaseRpcController controller = controllers.newController();
    controller.setCallTimeout(options.rpcTimeoutMs());
    return controller;
  }

  /** The stub that sends requests to a region server, each once. */
  public ClientService.Interface server(ServerName name) throws IOException {
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
   * Continues after a reply on this thread, and after a failure on the {@link CallbackThread}. If a
   * connection breaks, HBase's client fails its requests one after the other, and forgets the rest
   * when another request is sent over the connection meanwhile. Those would fail by their timeout.
   */
  public void continueAfter(HBaseRpcController controller, Runnable next) {
    if (controller.failed()) {
      callbacks.execute(next);
    } else {
      next.run();
    }
  }

  public <T> T await(CompletableFuture<T> future, String what) {
    long limitMs = 2L * options.operationTimeoutMs();
    try {
      // HBase's client keeps the limit itself; this one is for what it forgets.
      return future.get(limitMs, TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw failed(what, e.getCause());
    } catch (TimeoutException e) {
      throw failed(what, new TimeoutException("no answer in " + limitMs + " ms"));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreException("Interrupted while HBase was to " + what, e);
    }
  }

  /**
   * Awaits a commit. It ends by itself, as each of its requests has a timeout; a caller that
   * stopped waiting would not know whether the commit will take effect.
   *
   * @throws ConflictException if the commit failed by a conflict
   */
  public Outcome awaitEnd(CompletableFuture<Outcome> commit) {
    try {
      return commit.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof ConflictException conflict) {
        throw conflict;
      }
      throw failed("write rows", e.getCause());
    }
  }

  public StoreException failed(String what, @Nullable Throwable cause) {
    if (cause instanceof StoreException known) {
      return known;
    }
    String text =
        "HBase at " + options.zooKeeper() + " could not " + what + ": " + Failures.reason(cause);
    return cause == null ? new UnavailableException(text) : new UnavailableException(text, cause);
  }

  @Override
  public void close() {
    requests.close();
    try {
      connection.close();
    } catch (IOException e) {
      throw new StoreException("The connection to HBase did not close", e);
    } finally {
      callbacks.close();
    }
  }
}
