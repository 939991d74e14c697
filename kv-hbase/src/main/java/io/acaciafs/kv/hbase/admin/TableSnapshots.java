package io.acaciafs.kv.hbase.admin;

import io.acaciafs.kv.StoreException;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncAdmin;
import org.apache.hadoop.hbase.client.SnapshotDescription;
import org.apache.hadoop.hbase.client.SnapshotType;

/**
 * HBase's snapshots of a store's table. HBase takes one region after the other, so it is of one
 * moment only if nothing commits meanwhile, see {@code CommitRunner}. Blocks.
 */
public final class TableSnapshots {
  private final AsyncAdmin admin;
  private final String table;

  public TableSnapshots(AsyncAdmin admin, String table) {
    this.admin = admin;
    this.table = table;
  }

  /** Has all regions write out what they hold in memory, so that a snapshot takes less time. */
  public void flush() {
    TableFormat.await(table, admin.flush(TableName.valueOf(table)));
  }

  /**
   * Takes one.
   *
   * @throws StoreException when there is one of this name, or HBase does not take it
   */
  public void take(String name) {
    TableFormat.await(
        table,
        admin.snapshot(
            new SnapshotDescription(name, TableName.valueOf(table), SnapshotType.FLUSH)));
  }

  /** Removes one. */
  public void remove(String name) {
    TableFormat.await(table, admin.deleteSnapshot(name));
  }

  /** The same of one that may be there. */
  void removeIfThere(String name) {
    TableFormat.await(table, admin.deleteSnapshots(Pattern.compile(Pattern.quote(name))));
  }

  /** Makes the table, which is not there, from one. */
  void cloneTable(String name) {
    TableFormat.await(table, admin.cloneSnapshot(name, TableName.valueOf(table)));
  }
}
