package io.acaciafs.namenode;

import io.acaciafs.blocks.ClusterIdentity;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.hbase.HBaseOptions;
import io.acaciafs.kv.hbase.HBaseStore;
import io.acaciafs.namenode.members.StoredMembers;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;

/** A table of HBase from the snapshot that a backup names. Stateless. */
final class SharedRestore {
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
      cloneTable(options, backup);
      makeReady(conf, options);
      directory.write(identity, StoreEngine.HBASE);
      return Backup.restored(identity, backup, "table " + options.table());
    }
  }

  /** Until this is done nobody may serve the table. */
  private static void makeReady(Configuration conf, HBaseOptions options) throws IOException {
    try (ResourceStack resources = new ResourceStack()) {
      HBaseStore store = resources.add(HBaseStore.open(options));
      Backup.distrust(NameNode.newRunner(store, resources));
      StoredMembers.forget(store, Settings.memberLeaseMs(conf));
    } catch (StoreException | IOException e) {
      throw new IOException(
          "The table "
              + options.table()
              + " was made and is not ready: drop it in HBase's shell, and restore again. "
              + e.getMessage(),
          e);
    }
  }

  private static void cloneTable(HBaseOptions options, BackupFolder backup) throws IOException {
    try {
      HBaseStore.restore(options, backup.snapshot());
    } catch (StoreException e) {
      throw new IOException(e.getMessage(), e);
    }
  }
}
