package io.acaciafs.namenode.backup;

import io.acaciafs.blocks.ClusterIdentity;
import io.acaciafs.namenode.process.RunningWork;
import io.acaciafs.namenode.store.StoreEngine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

/** Makes backups of the store that this process has open, one at a time. Safe for many threads. */
public final class BackupMaker {
  private final ClusterIdentity identity;
  private final StoreEngine engine;
  private final Supplier<BackupFolder.Copier> copier;
  private final Path nameFolder;
  private final Clock clock;
  private final RunningWork running;
  private final Semaphore one = new Semaphore(1);

  /**
   * @param copier makes one for each backup
   * @param nameFolder dfs.namenode.name.dir
   * @param running shows those that are being made
   */
  public BackupMaker(
      ClusterIdentity identity,
      StoreEngine engine,
      Supplier<BackupFolder.Copier> copier,
      Path nameFolder,
      Clock clock,
      RunningWork running) {
    this.identity = identity;
    this.engine = engine;
    this.copier = copier;
    this.nameFolder = nameFolder;
    this.clock = clock;
    this.running = running;
  }

  /**
   * Makes one.
   *
   * @param folder is made
   * @return a sentence for people
   * @throws IOException with a sentence when it cannot be made, or another one is being made
   */
  public String make(Path folder) throws IOException {
    if (!one.tryAcquire()) {
      throw new IOException("Another backup is being made, try again later");
    }
    RunningWork.Handle handle = running.begin("Backup", "to " + folder);
    try {
      BackupFolder backup = new BackupFolder(folder);
      BackupFolder.Copier copies = copier.get();
      handle.follow(() -> copies.progress(backup.part()));
      backup.make(identity, engine.copyFormat(), copies, nameFolder, clock.instant());
      return sentence(folder, backup);
    } finally {
      handle.close();
      one.release();
    }
  }

  /**
   * Whether the folder holds a backup of this cluster.
   *
   * @throws IOException with a sentence when it holds something else
   */
  boolean hasMade(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return false;
    }
    if (!new BackupFolder(folder).identity().equals(identity)) {
      throw new IOException("The folder " + folder + " holds a backup of another cluster");
    }
    return true;
  }

  /**
   * @throws IOException with a sentence when no backup can be made in this folder
   */
  public void check(Path folder) throws IOException {
    new BackupFolder(folder).check(nameFolder);
  }

  private String sentence(Path folder, BackupFolder backup) throws IOException {
    return "Backed up to "
        + folder
        + ": "
        + (backup.snapshot() == null
            ? backup.storeFiles().size() + " files, " + backup.sizeBytes() + " bytes"
            : engine.title() + " keeps it as the snapshot " + backup.snapshot());
  }
}
