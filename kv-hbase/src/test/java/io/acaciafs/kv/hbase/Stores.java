package io.acaciafs.kv.hbase;

import io.acaciafs.kv.Table;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Scan;

/** Empty stores in tables that are made once: to make one takes a second. */
final class Stores {
  private Stores() {}

  static HBaseStore openEmpty(HBaseOptions options, Set<Table> tables, int regions)
      throws Exception {
    if (HBaseStore.isFormatted(options)) {
      empty(options);
    } else {
      HBaseStore.format(options, tables, regions, false);
    }
    return HBaseStore.open(options);
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
}
