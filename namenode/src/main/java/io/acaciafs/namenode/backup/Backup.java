package io.acaciafs.namenode.backup;

import io.acaciafs.blocks.ClusterIdentity;
import io.acaciafs.namenode.process.NamedNameNodes;
import io.acaciafs.namenode.process.RunningWork;
import io.acaciafs.namenode.process.ServingNameNode;
import io.acaciafs.namenode.settings.NameNodeConfigKeys;
import io.acaciafs.namenode.store.CheckedSettings;
import io.acaciafs.namenode.store.Engines;
import io.acaciafs.namenode.store.FolderToFill;
import io.acaciafs.namenode.store.NameDirectory;
import io.acaciafs.namenode.store.NewStore;
import io.acaciafs.namenode.store.OfflineStore;
import io.acaciafs.namenode.store.StoreEngine;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Path;
import java.time.Clock;
import org.apache.hadoop.conf.Configuration;

/** Makes copies of the file system while it is served, and restores them. Stateless; for tools. */
public final class Backup {
  /** By which a NameNode that serves is asked for a backup; the argument is its folder. */
  public static final String REQUEST = "acacia.backup";

  private Backup() {}

  /**
   * Makes a backup: by the NameNode, while it serves, else from its folder.
   *
   * <p>Of several of which one leads, one that stands by makes it if it can, else the one that
   * leads.
   *
   * @param folder on the machine of the NameNode that makes it, not there yet
   * @return a sentence for people
   * @throws IOException with a sentence when it cannot be made
   */
  public static String make(Configuration all, Path folder) throws IOException {
    if (Engines.chosen(all).isReplicated()) { // by any of them, so before this one is looked for
      return NamedNameNodes.of(all).askStandbyFirst(REQUEST, folder.toString());
    }
    Configuration conf = CheckedSettings.of(all);
    NameDirectory directory = NameDirectory.of(conf);
    boolean isHere = !Engines.chosen(conf).isShared() && directory.isOurs();
    if (!isHere) {
      return ask(all, folder, "its folder is not here");
    }
    try {
      if (directory.isInUse()) {
        return ask(all, folder, "its folder is in use by another process");
      }
    } catch (AccessDeniedException e) {
      return ask(all, folder, "this user may not write " + e.getFile());
    }
    return makeStopped(conf, directory, folder);
  }

  /**
   * Has a certain one of several NameNodes make a backup.
   *
   * @param name of the NameNode, as the settings name it
   * @param folder on its machine, not there yet
   * @return a sentence for people
   * @throws IOException with a sentence when it cannot be made
   */
  public static String make(Configuration all, Path folder, String name) throws IOException {
    return NamedNameNodes.of(all).ask(name, REQUEST, folder.toString());
  }

  private static String ask(Configuration all, Path folder, String otherwise) throws IOException {
    return ServingNameNode.ask(all, otherwise, REQUEST, folder.toString());
  }

  private static String makeStopped(Configuration conf, NameDirectory directory, Path folder)
      throws IOException {
    try (OfflineStore store = OfflineStore.open(conf)) {
      StoreEngine engine = store.engine();
      return new BackupMaker(
              store.identity(),
              engine,
              () -> BackupFolder.copierOf(store.store(), engine),
              directory.folder(),
              Clock.systemUTC(),
              new RunningWork(Clock.systemUTC()))
          .make(folder);
    }
  }

  /**
   * Fills dfs.namenode.name.dir from a backup.
   *
   * @return a sentence for people
   * @throws IOException with a sentence when there is no backup, or the folder is in use or not
   *     empty; then it is as it was
   */
  public static String restore(Configuration all, Path folder) throws IOException {
    Configuration conf = CheckedSettings.of(all);
    BackupFolder backup = new BackupFolder(folder);
    ClusterIdentity identity = backup.identity();
    NameDirectory directory = NameDirectory.of(conf);
    StoreEngine engine = StoreEngine.of(conf, directory, identity);
    if (!engine.copyFormat().equals(backup.engine())) {
      throw new IOException(
          "The backup is of the engine "
              + backup.engine()
              + ", and "
              + NameNodeConfigKeys.STORE_ENGINE
              + " names another one");
    }
    if (engine.isShared()) {
      engine.loginTool();
      return restored(
          identity, backup, SharedRestore.run(conf, directory, engine, backup, identity));
    }
    backup.requireStore(engine.checkpointRestore());
    try (FolderToFill target = FolderToFill.take(conf)) {
      try (NewStore store = NewStore.copyOf(target, identity, backup.store())) {
        RestoredStore.distrust(store.runner());
        store.finish();
      }
      return restored(identity, backup, target.directory().folder().toString());
    }
  }

  private static String restored(ClusterIdentity identity, BackupFolder backup, String place)
      throws IOException {
    return "Restored cluster "
        + identity.clusterId()
        + " as it was at "
        + backup.time()
        + " in "
        + place;
  }
}
