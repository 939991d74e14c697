package io.acaciafs.kv.hbase;

import io.acaciafs.kv.BulkLoader;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Placement;
import io.acaciafs.kv.Scan;
import io.acaciafs.kv.Session;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.Transaction;
import io.acaciafs.kv.engine.EngineStore;
import io.acaciafs.kv.engine.Snapshots;
import io.acaciafs.kv.engine.StoreCluster;
import io.acaciafs.kv.engine.StoreMetric;
import io.acaciafs.kv.hbase.admin.ClusterFigures;
import io.acaciafs.kv.hbase.admin.HBaseAdmin;
import io.acaciafs.kv.hbase.admin.TableFormat;
import io.acaciafs.kv.hbase.admin.TableSnapshots;
import io.acaciafs.kv.hbase.client.ClusterClient;
import io.acaciafs.kv.hbase.client.Connections;
import io.acaciafs.kv.hbase.client.CoprocessorUse;
import io.acaciafs.kv.hbase.client.HBaseOptions;
import io.acaciafs.kv.hbase.load.HBaseBulkLoader;
import io.acaciafs.kv.hbase.schema.RowKeys;
import io.acaciafs.kv.hbase.transaction.HBaseTransaction;
import io.acaciafs.kv.hbase.transaction.NonBlockingTransaction;
import io.acaciafs.kv.hbase.transaction.TransactionContext;
import io.acaciafs.kv.run.FailureText;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * The store contract on a stock HBase cluster; any number of processes may open the same one.
 *
 * <p>Reads wait for the network, on the caller's thread, but those of {@linkplain #beginNonBlocking
 * non-blocking} transactions. A commit whose rows lie in one region is one conditional request,
 * sent on the caller's thread or once a permit is free, and sent again where only what was assumed
 * was wrong; what takes more runs on the threads {@code hbase-commit-N}. Futures complete on the
 * threads {@code hbase-reply-N}, or on the caller's; those of non-blocking transactions on threads
 * of the network: do not block there. What is visible is durable: HBase shows a write when its log
 * has it.
 */
public final class HBaseStore implements EngineStore {
  static final String NO_LOAD_FOLDER =
      "Rows come to HBase by files, and the site does not say where to write them: set "
          + HBaseConfigKeys.LOAD_FOLDER
          + " to a folder on the file system of HBase's root directory";

  private static final Traits TRAITS = new Traits(false, true);

  private static final Placement PLACEMENT =
      new Placement() {
        @Override
        public int groups() {
          return RowKeys.SHARDS;
        }

        @Override
        public int groupOf(Key key) {
          return RowKeys.shardOf(key);
        }
      };

  private final HBaseServices services;
  private final ClusterClient client;
  private final TransactionContext transactions;
  private final HBaseSession session;
  private final StoreCluster cluster;

  private HBaseStore(HBaseServices services) {
    this.services = services;
    this.client = services.client();
    this.transactions = services.transactions();
    this.session = new HBaseSession(services);
    this.cluster = new ClusterFigures(client);
  }

  /**
   * Opens what {@link HBaseAdmin#format} made, and finishes what processes left that ended.
   *
   * @throws StoreException when HBase does not answer in time, has no such table, or one of another
   *     owner
   */
  public static HBaseStore open(HBaseOptions options) {
    TableName name = TableName.valueOf(options.table());
    var connected =
        Connections.connect(
            options,
            connection ->
                connection
                    .getAdmin()
                    .tableExists(name)
                    .thenCompose(
                        isThere ->
                            isThere
                                ? connection.getAdmin().getDescriptor(name)
                                : CompletableFuture.<TableDescriptor>completedFuture(null)));
    HBaseStore store = null;
    try {
      if (connected.answer() == null) {
        throw new StoreException(
            "HBase at "
                + options.zooKeeper()
                + " has no table "
                + options.table()
                + ": format it first");
      }
      TableFormat.check(connected.answer(), options.owner());
      store = new HBaseStore(new HBaseServices(options, connected.connection()));
      store.client.coprocessor().loadedByTable(TableFormat.hasCoprocessor(connected.answer()));
      store.services.recovery().run();
      return store;
    } catch (IOException | RuntimeException e) {
      if (store == null) {
        Connections.closeQuietly(connected.connection());
      } else {
        store.close();
      }
      throw e instanceof StoreException known
          ? known
          : new StoreException("The store on HBase cannot be opened: " + FailureText.of(e), e);
    }
  }

  @Override
  public OptionalLong roundTrips() {
    return OptionalLong.of(client.roundTrips());
  }

  /** All requests to HBase since the start; one for many rows counts once. */
  public long requests() {
    return client.requests();
  }

  /** Whether its requests go to the coprocessor. */
  CoprocessorUse coprocessor() {
    return client.coprocessor();
  }

  @Override
  public List<StoreMetric> metrics() {
    return List.of(
        StoreMetric.counter(
            "acacia_store_round_trips", "How often a call waited for HBase", client::roundTrips),
        StoreMetric.counter(
            "acacia_store_requests",
            "Requests to HBase; a shared one counts once",
            client::requests));
  }

  @Override
  public long rollLog() {
    throw new UnsupportedOperationException(
        "The log is HBase's: say wal_roll in HBase's shell for each region server");
  }

  /**
   * @throws UnsupportedOperationException when the site names no folder for the files
   */
  @Override
  public BulkLoader bulkLoader() {
    checkOpen();
    String folder = client.options().loadFolder();
    if (folder == null) {
      throw new UnsupportedOperationException(NO_LOAD_FOLDER);
    }
    return HBaseBulkLoader.of(client, folder, new SecureRandom());
  }

  @Override
  public Optional<Snapshots> snapshots() {
    checkOpen();
    return Optional.of(
        new HBaseSnapshots(
            services.commits(),
            this::recover,
            new TableSnapshots(client.admin(), client.options().table())));
  }

  /**
   * Finishes what processes left that ended; as at the opening.
   *
   * @throws StoreException when HBase does not answer
   */
  public void recover() {
    checkOpen();
    services.recovery().run();
  }

  @Override
  public List<String> regions() {
    checkOpen();
    return services.table().regions().regions().stream()
        .map(
            region ->
                Bytes.toStringBinary(region.getRegion().getStartKey())
                    + " "
                    + region.getServerName())
        .toList();
  }

  @Override
  public Optional<StoreCluster> cluster() {
    return Optional.of(cluster);
  }

  @Override
  public Traits traits() {
    checkOpen();
    return TRAITS;
  }

  @Override
  public Placement placement() {
    return PLACEMENT;
  }

  @Override
  public Session session() {
    return session;
  }

  @Override
  public Transaction begin() {
    checkOpen();
    return new HBaseTransaction(transactions);
  }

  @Override
  public Transaction beginNonBlocking() {
    checkOpen();
    return new NonBlockingTransaction(transactions);
  }

  @Override
  public byte @Nullable [] get(Key key) {
    return transactions.unguarded().get(key);
  }

  @Override
  public Scan scan(KeyRange range) {
    return transactions.unguarded().scan(range);
  }

  @Override
  public Scan scan(KeyRange range, int rows) {
    return transactions.unguarded().scan(range, rows);
  }

  private void checkOpen() {
    services.threads().checkOpen();
  }

  @Override
  public void close() {
    services.close();
  }
}
