package io.acaciafs.namenode.backup;

import io.acaciafs.blocks.ClusterIdentity;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.Store;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.engine.EngineStore;
import io.acaciafs.kv.engine.SnapshotRestore;
import io.acaciafs.kv.engine.Snapshots;
import io.acaciafs.namenode.members.MemberTable;
import io.acaciafs.namenode.process.ResourceStack;
import io.acaciafs.namenode.process.Transactions;
import io.acaciafs.namenode.settings.Settings;
import io.acaciafs.namenode.store.NameDirectory;
import io.acaciafs.namenode.store.StoreEngine;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.security.SecureRandom;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;

/**
 * Restores a store that several NameNodes serve. The engine makes a copy of the snapshot, this
 * class corrects the copy, and the engine makes the store of what was corrected: what a copy says
 * of DataNodes and NameNodes is of the time of the backup. Stateless.
 *
 * <p>Two processes may restore to one name at once. The one whose copy the other one replaced
 * fails: each {@linkplain RestoreMark marks} its own.
 */
final class SharedRestore implements SnapshotRestore.Correction {
  private static final long PATIENCE_MS = 60_000;

  private final String engine;
  private final long memberLeaseMs;

  private SharedRestore(String engine, long memberLeaseMs) {
    this.engine = engine;
    this.memberLeaseMs = memberLeaseMs;
  }

  /**
   * Makes the store, and the folder of one NameNode; others are bootstrapped.
   *
   * @return where the store is, for people
   * @throws IOException when there is a store, or the folder is in use
   */
  static String run(
      Configuration conf,
      NameDirectory directory,
      StoreEngine engine,
      BackupFolder backup,
      ClusterIdentity identity)
      throws IOException {
    if (!directory.isEmpty()) {
      throw new IOException("The folder " + directory.folder() + " is not empty. Name another one");
    }
    SnapshotRestore restore = engine.snapshotRestore();
    try (ResourceStack resources = new ResourceStack()) {
      resources.add(directory.lock());
      String place =
          restore.restore(
              Objects.requireNonNull(backup.snapshot(), "servers keep the copy"),
              new SharedRestore(engine.title(), Settings.memberLeaseMs(conf)));
      directory.write(identity, engine.name());
      return place;
    } catch (StoreException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  @Override
  public boolean isSameRestore(Reader store, Reader copy) {
    return RestoreMark.isSame(store, copy);
  }

  @Override
  public void correct(EngineStore copy, String snapshot) throws IOException {
    correct(copy, memberLeaseMs, () -> take(copy, snapshot));
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
      RestoredStore.distrust(Transactions.newRunner(store, resources));
      MemberTable.forget(store, patienceMs);
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

  /** A commit over several parts may answer before all its rows are in their final state. */
  private void take(EngineStore copy, String name) throws IOException {
    Snapshots snapshots = copy.snapshots().orElseThrow();
    try {
      if (!snapshots.pause(PATIENCE_MS, MemberTable.table())) {
        throw new IOException(engine + " does not end what was written to it, try again later");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("Interrupted while a snapshot was taken");
    }
    try {
      snapshots.take(name);
    } finally {
      snapshots.resume();
    }
  }
}
