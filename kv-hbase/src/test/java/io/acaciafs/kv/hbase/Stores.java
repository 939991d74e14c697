package io.acaciafs.kv.hbase;

import io.acaciafs.hbase.protocol.RegionService;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.Peers;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.Transaction;
import io.acaciafs.kv.hbase.admin.HBaseAdmin;
import io.acaciafs.kv.hbase.client.Connections;
import io.acaciafs.kv.hbase.client.HBaseOptions;
import io.acaciafs.kv.hbase.local.LocalHBase;
import io.acaciafs.kv.hbase.schema.Columns;
import io.acaciafs.kv.hbase.schema.RowKeys;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncAdmin;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/** Empty stores in tables that are made once: to make one takes a second. */
public final class Stores {
  private static final AtomicInteger MEMBERS = new AtomicInteger();

  /** There is no other process. */
  public static final Peers ALONE =
      new Peers() {
        @Override
        public CompletableFuture<List<String>> tell(String message) {
          return CompletableFuture.completedFuture(List.of());
        }

        @Override
        public boolean leaseHolds() {
          return true;
        }
      };

  private Stores() {}

  /**
   * What tests of both ways to commit use: stock requests, or with {@code
   * -Dacacia.test.coprocessor=classpath} the coprocessor.
   */
  public static HBaseOptions options(LocalHBase hbase) {
    return HBaseOptions.of(hbase.zooKeeper())
        .withCoprocessor(
            System.getProperty("acacia.test.coprocessor", HBaseOptions.NO_COPROCESSOR));
  }

  public static HBaseStore openEmpty(HBaseOptions options, Set<Table> tables, int regions)
      throws Exception {
    if (HBaseAdmin.isFormatted(options)) {
      empty(options);
    } else {
      HBaseAdmin.format(options, tables, regions, false);
    }
    return HBaseStore.open(options);
  }

  /** The row that a store is bound to; no other is. */
  public static Key bind(HBaseStore store) {
    Key member = new Key(Table.ofSingleRows("members"), Bytes.toBytes(MEMBERS.incrementAndGet()));
    Transaction join = store.begin();
    join.put(member, new byte[] {1});
    join.commit().join();
    store.session().bindTo(member);
    store.session().connect(ALONE);
    store.session().rely();
    return member;
  }

  /** The columns of all cells that HBase still has of a row, removed ones and old ones too. */
  public static List<byte[]> columnsEverWritten(
      AsyncConnection connection, HBaseOptions options, Key key) throws Exception {
    Scan raw = new Scan().setRaw(true).readAllVersions().addFamily(Columns.DATA);
    byte[] row = RowKeys.of(key);
    return connection
        .getTable(TableName.valueOf(options.table()))
        .scanAll(raw.withStartRow(row).withStopRow(row, true))
        .get(30, TimeUnit.SECONDS)
        .stream()
        .flatMap(result -> Stream.of(result.rawCells()))
        .map(CellUtil::cloneQualifier)
        .toList();
  }

  private static void empty(HBaseOptions options) throws Exception {
    try (AsyncConnection connection =
        ConnectionFactory.createAsyncConnection(Connections.configuration(options)).get()) {
      AsyncTable<?> table = connection.getTable(TableName.valueOf(options.table()));
      List<Delete> deletes =
          table.scanAll(new Scan()).get(30, TimeUnit.SECONDS).stream()
              .map(
                  row ->
                      new Delete(row.getRow())
                          .addFamily(Columns.DATA, Columns.ALL_TIMESTAMPS)
                          .addFamily(Columns.RECORDS, Columns.ALL_TIMESTAMPS))
              .toList();
      table.deleteAll(deletes).get(30, TimeUnit.SECONDS);
    }
  }

  /** As an operator does, while stores are open. */
  static void removeCoprocessor(HBaseOptions options) throws Exception {
    try (AsyncConnection connection =
        ConnectionFactory.createAsyncConnection(Connections.configuration(options))
            .get(60, TimeUnit.SECONDS)) {
      AsyncAdmin admin = connection.getAdmin();
      TableDescriptor descriptor =
          admin.getDescriptor(TableName.valueOf(options.table())).get(60, TimeUnit.SECONDS);
      admin
          .modifyTable(
              TableDescriptorBuilder.newBuilder(descriptor)
                  .removeCoprocessor(RegionService.CLASS)
                  .build())
          .get(60, TimeUnit.SECONDS);
    }
  }
}
