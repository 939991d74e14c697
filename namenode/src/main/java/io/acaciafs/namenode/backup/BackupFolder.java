package io.acaciafs.namenode.backup;

import io.acaciafs.blocks.ClusterIdentity;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.engine.CheckpointRestore;
import io.acaciafs.kv.engine.Checkpoints;
import io.acaciafs.kv.engine.EngineStore;
import io.acaciafs.namenode.process.LocalFiles;
import io.acaciafs.namenode.process.RunningWork;
import io.acaciafs.namenode.store.IdentityFile;
import io.acaciafs.namenode.store.StoreEngine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A folder that holds a backup: {@code BACKUP}, which says whose it is and of when, and {@code
 * store}. It is made beside and renamed, so it is whole or not there. No NameNode takes it for a
 * folder of its own: what is stored of DataNodes has to be distrusted first, see {@link Backup}.
 */
public final class BackupFolder {
  private static final String STORE = "store";
  private static final String TIME_KEY = "acaciaBackupTime";

  /** In {@code BACKUP}: the name of the snapshot that servers keep. */
  static final String SNAPSHOT_KEY = "acaciaSnapshot";

  /** Copies a store. */
  @FunctionalInterface
  public interface Copier {
    /**
     * @param part the folder, where it may make files
     * @param more what is to stand in {@code BACKUP} besides
     */
    void copy(Path part, Properties more) throws IOException;

    /** How far it is; called by other threads meanwhile. */
    default RunningWork.Progress progress(Path part) {
      return RunningWork.Progress.of("copying the store");
    }
  }

  /** Copies into a folder, whose size tells how far it is. */
  private record CheckpointCopier(Optional<Checkpoints> copies, Supplier<IOException> otherwise)
      implements Copier {
    @Override
    public void copy(Path part, Properties more) throws IOException {
      copies.orElseThrow(otherwise).make(part.resolve(STORE));
    }

    @Override
    public RunningWork.Progress progress(Path part) {
      long all;
      try {
        all = copies.map(Checkpoints::bytes).orElse(-1L);
      } catch (StoreException e) { // the NameNode ends
        all = -1;
      }
      return new RunningWork.Progress("copying the store", LocalFiles.sizeOf(part), all, "bytes");
    }
  }

  /** Of a store in a folder, which this process has opened. */
  public static Copier copierOf(EngineStore store, StoreEngine engine) {
    return new CheckpointCopier(store.checkpoints(), engine::makesNoCopies);
  }

  /** The same of one that is copied so. */
  public static Copier copierOf(Checkpoints copies) {
    return new CheckpointCopier(
        Optional.of(copies), () -> new IOException("The store makes no copies"));
  }

  private final Path folder;

  BackupFolder(Path folder) {
    this.folder = folder;
  }

  /**
   * Makes it.
   *
   * @param engine of the store
   * @param copier copies the store, which may be in use meanwhile
   * @param avoided must not lie around it
   * @throws IOException with a sentence when it is there already, or cannot be made
   */
  void make(ClusterIdentity identity, String engine, Copier copier, Path avoided, Instant now)
      throws IOException {
    Path parent = check(avoided);
    Path part = part();
    LocalFiles.deleteFolder(part);
    try {
      Files.createDirectory(part, LocalFiles.OWNER_ONLY);
      Properties more = new Properties();
      more.setProperty(TIME_KEY, now.toString());
      copier.copy(part, more);
      new IdentityFile(part.resolve("BACKUP"), folder).write(identity, engine, more);
      Files.move(part, folder, StandardCopyOption.ATOMIC_MOVE);
      IdentityFile.syncFolder(parent);
    } catch (IOException | StoreException e) {
      try {
        LocalFiles.deleteFolder(part);
      } catch (IOException suppressed) {
        e.addSuppressed(suppressed);
      }
      throw e instanceof IOException io ? io : new IOException(e.getMessage(), e);
    }
  }

  /** Where it is while it is made. */
  Path part() {
    return folder.resolveSibling("." + folder.getFileName() + ".part");
  }

  /**
   * Whether it can be made, as far as can be seen beforehand.
   *
   * @param avoided must not lie around it
   * @return the folder around it
   * @throws IOException with a sentence when it is there already, or cannot be made
   */
  Path check(Path avoided) throws IOException {
    Path parent = folder.getParent();
    if (!folder.isAbsolute() || parent == null) {
      throw new IOException(
          "The folder of a backup is on the NameNode's machine, and named from its root: "
              + folder
              + " is not");
    }
    if (Files.exists(folder)) {
      throw new IOException("The folder " + folder + " is there already. A backup makes its own");
    }
    if (!Files.isDirectory(parent)) {
      throw new IOException("There is no folder " + parent + " to make the backup in");
    }
    if (parent.toRealPath().startsWith(avoided.toRealPath())) {
      throw new IOException(
          "The folder " + folder + " lies in that of the NameNode, which is its own alone");
    }
    if (!Files.isWritable(parent)) {
      throw new IOException("This user may not make the folder " + folder);
    }
    return parent;
  }

  /**
   * The cluster that was backed up.
   *
   * @throws IOException with a sentence when there is no backup, or one that this version cannot
   *     take
   */
  ClusterIdentity identity() throws IOException {
    if (!file().exists()) {
      throw new IOException(
          "The folder " + folder + " holds no backup: name one that 'acacia backup' has made");
    }
    return file().identity();
  }

  /**
   * @throws IOException with a sentence when the copy of the store is not there, or not all of it
   */
  void requireStore(CheckpointRestore restore) throws IOException {
    if (!restore.isWhole(store())) {
      throw new IOException("The backup in " + folder + " has lost its store: copy it anew");
    }
  }

  /** Of its store. */
  @Nullable String engine() throws IOException {
    return file().engine();
  }

  /** The snapshot's name, if servers keep the copy; else null. */
  @Nullable String snapshot() throws IOException {
    return file().property(SNAPSHOT_KEY);
  }

  /** When it was made. */
  @Nullable String time() throws IOException {
    return file().property(TIME_KEY);
  }

  Path store() {
    return folder.resolve(STORE);
  }

  /** What its store consists of. */
  List<Path> storeFiles() throws IOException {
    if (!Files.exists(store())) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(store())) {
      return files.filter(Files::isRegularFile).sorted().toList();
    }
  }

  /** How much there is in it, links included. */
  long sizeBytes() throws IOException {
    long sum = 0;
    for (Path file : storeFiles()) {
      sum += Files.size(file);
    }
    return sum;
  }

  private IdentityFile file() {
    return IdentityFile.ofBackup(folder);
  }
}
