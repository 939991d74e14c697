package io.acaciafs.namenode;

import io.acaciafs.blocks.ClusterIdentity;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.hbase.HBaseOptions;
import io.acaciafs.kv.hbase.HBaseStore;
import io.acaciafs.namenode.members.StoredMembers;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;

/**
 * A table of HBase from the snapshot that a backup names. Stateless.
 *
 * <p>What a clone of the snapshot says of DataNodes is not to be believed, and nothing in it tells
 * it from a table that may be served. So it is made under a name that nobody configures, corrected
 * there, and cloned once more to where NameNodes look: HBase shows a clone when it is whole. What
 * an end in the midst leaves under that name, the next restore removes.
 */
final class SharedRestore {
  private static final String PART = "-restoring";

  private SharedRestore() {}

  /**
   * Makes the table, and the folder of one NameNode; others are bootstrapped.
   *
   * @return a sentence for people
   * @throws IOException when there is a table, the folder is in use, or the engines differ
   */
  static String run(Configuration conf, BackupFolder backup, ClusterIdentity identity)
      throws IOException {
    if (StoreEngine.isRocksDb(conf) || !backup.engine().equals(StoreEngine.HBASE)) {
      throw new IOException(
          "The backup is of the engine "
              + backup.engine()
              + ", and acacia.store.engine names another one");
    }
    NameDirectory directory = NameDirectory.of(conf);
    if (directory.isFormatted() || !directory.isEmpty()) {
      throw new IOException("The folder " + directory.folder() + " is not empty. Name another one");
    }
    HBaseOptions options = StoreEngine.ownedBy(identity, Settings.hbase(conf));
    try (ResourceStack resources = new ResourceStack()) {
      resources.add(directory.lock());
      restoreTable(conf, options, backup.snapshot());
      directory.write(identity, StoreEngine.HBASE);
      return Backup.restored(identity, backup, "table " + options.table());
    } catch (StoreException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  private static void restoreTable(Configuration conf, HBaseOptions options, String snapshot)
      throws IOException {
    if (HBaseStore.isFormatted(options)) {
      throw new IOException(
          "HBase has a table "
              + options.table()
              + " already. Name another one, or drop it in HBase's shell, together with "
              + partOf(options.table())
              + " if that is there");
    }
    HBaseOptions part = options.withTable(partOf(options.table()));
    String corrected = snapshotOf(part.table());
    HBaseStore.drop(part, corrected);
    HBaseStore.restore(part, snapshot);
    correct(conf, part, corrected);
    HBaseStore.restore(options, corrected);
    HBaseStore.drop(part, corrected);
  }

  /** Where a table is made ready that is to have this name. */
  static String partOf(String table) {
    return table + PART;
  }

  /** A snapshot's name has no name space. */
  private static String snapshotOf(String part) {
    return part.replace(':', '-');
  }

  private static void correct(Configuration conf, HBaseOptions part, String snapshot)
      throws IOException {
    try (ResourceStack resources = new ResourceStack()) {
      HBaseStore store = resources.add(HBaseStore.open(part));
      Backup.distrust(NameNode.newRunner(store, resources));
      StoredMembers.forget(store, Settings.memberLeaseMs(conf));
      store.snapshots().take(snapshot);
    }
  }
}
