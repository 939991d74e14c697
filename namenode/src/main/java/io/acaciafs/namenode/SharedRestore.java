package io.acaciafs.namenode;

import io.acaciafs.blocks.ClusterIdentity;
import io.acaciafs.kv.Store;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.hbase.HBaseOptions;
import io.acaciafs.kv.hbase.HBaseStore;
import io.acaciafs.namenode.members.StoredMembers;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.security.SecureRandom;
import org.apache.hadoop.conf.Configuration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A table of HBase from the snapshot that a backup names. Stateless.
 *
 * <p>What a clone of the snapshot says of DataNodes is not to be believed, and nothing in it tells
 * it from a table that may be served. So it is made under a name that nobody configures, corrected
 * there, and cloned once more to where NameNodes look: HBase shows a clone when it is whole. What
 * an end in the midst leaves under that name, the next restore to the same table removes, unless
 * the table is there by then and was made by somebody else: then it may be in use.
 *
 * <p>Nothing keeps two processes from restoring to one name. Whose part was replaced by the other's
 * fails: each {@linkplain RestoreMark marks} its own.
 */
final class SharedRestore {
  private static final Logger LOG = LoggerFactory.getLogger(SharedRestore.class);
  private static final String PART = "-restoring";
  private static final long PATIENCE_MS = 60_000;

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
    if (!directory.isEmpty()) {
      throw new IOException("The folder " + directory.folder() + " is not empty. Name another one");
    }
    HBaseOptions options = StoreEngine.ownedBy(identity, Settings.hbase(conf));
    HBaseOptions part = options.withTable(partOf(options.table()));
    try (ResourceStack resources = new ResourceStack()) {
      resources.add(directory.lock());
      requireNoTable(options, part);
      drop(part);
      HBaseStore.restore(part, backup.snapshot());
      correct(conf, part);
      HBaseStore.restore(options, snapshotOf(part));
      directory.write(identity, StoreEngine.HBASE);
    } catch (StoreException e) {
      throw new IOException(e.getMessage(), e);
    }
    dropIfPossible(part);
    return Backup.restored(identity, backup, "table " + options.table());
  }

  private static void requireNoTable(HBaseOptions options, HBaseOptions part) throws IOException {
    if (!HBaseStore.isFormatted(options)) {
      return;
    }
    boolean isLeftOver = isLeftOver(options, part);
    if (isLeftOver) {
      drop(part);
    }
    throw new IOException(
        "HBase has a table "
            + options.table()
            + " already. Name another one, or drop it in HBase's shell"
            + (isLeftOver
                ? ""
                : ", together with " + part.table() + " and the snapshot of that name")
            + ". If it is of a restore that was cut off, bootstrap this machine");
  }

  /** Whether nobody needs the part any more: the table was made of it, and is whole. */
  private static boolean isLeftOver(HBaseOptions options, HBaseOptions part) {
    if (!HBaseStore.isFormatted(part)) {
      return true; // a snapshot at most
    }
    try (HBaseStore made = HBaseStore.open(options.withOwner(null));
        HBaseStore left = HBaseStore.open(part.withOwner(null))) {
      return RestoreMark.isSame(made, left);
    } catch (StoreException e) {
      LOG.warn("Not known who needs a table of HBase table={}", part.table(), e);
      return false;
    }
  }

  private static void drop(HBaseOptions part) {
    HBaseStore.drop(part, snapshotOf(part));
  }

  /** When all else is done. */
  private static void dropIfPossible(HBaseOptions part) {
    try {
      drop(part);
    } catch (StoreException e) {
      LOG.warn("Table and snapshot not removed, remove them in HBase table={}", part.table(), e);
    }
  }

  /** Where a table is made ready that is to have this name. */
  static String partOf(String table) {
    return table + PART;
  }

  /** A snapshot's name has no name space. */
  private static String snapshotOf(HBaseOptions part) {
    return part.table().replace(':', '-');
  }

  private static void correct(Configuration conf, HBaseOptions part) throws IOException {
    try (ResourceStack resources = new ResourceStack()) {
      HBaseStore store = resources.add(HBaseStore.open(part));
      correct(store, Settings.memberLeaseMs(conf), () -> take(store, snapshotOf(part)));
    }
  }

  /** Takes a snapshot of what was corrected. */
  @FunctionalInterface
  interface Snapshot {
    void take() throws IOException;
  }

  /**
   * Corrects a store that was cloned just now.
   *
   * @throws IOException when what the snapshot was taken of is not what was corrected
   */
  static void correct(Store store, long patienceMs, Snapshot snapshot) throws IOException {
    try (ResourceStack resources = new ResourceStack()) {
      RestoreMark mark = RestoreMark.leave(store, new SecureRandom());
      Backup.distrust(NameNode.newRunner(store, resources));
      StoredMembers.forget(store, patienceMs);
      requireOwn(mark, store);
      snapshot.take();
      requireOwn(mark, store); // no other clone gets it: so this one was there all the while
    }
  }

  private static void requireOwn(RestoreMark mark, Store store) throws IOException {
    if (!mark.isIn(store)) {
      throw new IOException(
          "Another restore to the same table has begun. Let one end before the next begins");
    }
  }

  /** A commit over several regions may answer before all its rows are as they will be. */
  private static void take(HBaseStore store, String snapshot) throws IOException {
    try {
      if (!store.pause(PATIENCE_MS, StoredMembers.table())) {
        throw new IOException("HBase does not end what was written to it, try again later");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("Interrupted while a snapshot was taken");
    }
    try {
      store.recover();
      store.snapshots().take(snapshot);
    } finally {
      store.resume();
    }
  }
}
