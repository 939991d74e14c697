package io.acaciafs.kv.hbase.admin;

import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.hbase.client.Connections;
import io.acaciafs.kv.hbase.client.HBaseOptions;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hbase.TableName;

/**
 * Makes, restores and removes the HBase table of a store that is not open. Each method connects to
 * HBase, waits for it as long as the options say, and blocks.
 */
public final class HBaseAdmin {
  private HBaseAdmin() {}

  /**
   * Makes the HBase table of a store.
   *
   * @param regions with how many regions it begins; more spread the load from the start, and cost
   *     transactions that span them more requests
   * @param isForced whether a table that is there is removed first, with all that is in it
   * @throws StoreException when there is one and it is not, or HBase does not answer
   */
  public static void format(
      HBaseOptions options, Set<Table> tables, int regions, boolean isForced) {
    TableName name = TableName.valueOf(options.table());
    var connected =
        Connections.connect(options, connection -> connection.getAdmin().tableExists(name));
    try {
      if (isForced) {
        TableFormat.remove(connected.connection().getAdmin(), options.table());
      }
      TableFormat.create(connected.connection().getAdmin(), options, tables, regions);
    } finally {
      Connections.closeQuietly(connected.connection());
    }
  }

  /** Where a table is cut that is formatted with so many regions; to cut one that is there. */
  public static List<byte[]> splits(Set<Table> tables, int regions) {
    return List.of(TableFormat.splits(tables, regions));
  }

  /** Whether there is a table that a store could be in. */
  public static boolean isFormatted(HBaseOptions options) {
    TableName name = TableName.valueOf(options.table());
    var connected =
        Connections.connect(options, connection -> connection.getAdmin().tableExists(name));
    Connections.closeQuietly(connected.connection());
    return connected.answer();
  }

  /**
   * Makes the table from a snapshot.
   *
   * @throws StoreException when there is a table of this name, or no such snapshot
   */
  public static void restore(HBaseOptions options, String snapshot) {
    TableName name = TableName.valueOf(options.table());
    var connected =
        Connections.connect(options, connection -> connection.getAdmin().tableExists(name));
    try {
      if (connected.answer()) {
        throw new StoreException(
            "HBase has a table "
                + options.table()
                + " already. Name another one, or drop it in HBase's shell");
      }
      new TableSnapshots(connected.connection().getAdmin(), options.table()).cloneTable(snapshot);
    } finally {
      Connections.closeQuietly(connected.connection());
    }
  }

  /**
   * Removes the table, and HBase's snapshot of this name; does nothing where they are not there.
   *
   * @throws StoreException when HBase refuses
   */
  public static void drop(HBaseOptions options, String snapshot) {
    TableName name = TableName.valueOf(options.table());
    var connected =
        Connections.connect(options, connection -> connection.getAdmin().tableExists(name));
    try {
      TableFormat.remove(connected.connection().getAdmin(), options.table());
      new TableSnapshots(connected.connection().getAdmin(), options.table())
          .removeIfThere(snapshot);
    } finally {
      Connections.closeQuietly(connected.connection());
    }
  }
}
