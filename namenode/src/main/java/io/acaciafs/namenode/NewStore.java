package io.acaciafs.namenode;

import io.acaciafs.blocks.ClusterIdentity;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.TransactionRunner;
import io.acaciafs.kv.rocksdb.RocksDbStore;
import io.acaciafs.namespace.Namespace;
import io.acaciafs.namespace.record.RowKeyLayout;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The empty store of a folder that a tool fills from elsewhere. No NameNode starts on the folder
 * before {@link #finish}; what an end without it leaves behind, the next {@link #create} clears.
 */
public final class NewStore implements AutoCloseable {
  private static final long LAYOUT_SECONDS = 60;

  private final ResourceStack resources;
  private final NameDirectory directory;
  private final RocksDbStore store;
  private final TransactionRunner runner;
  private ClusterIdentity finishedAs;

  private NewStore(
      ResourceStack resources,
      NameDirectory directory,
      RocksDbStore store,
      TransactionRunner runner) {
    this.resources = resources;
    this.directory = directory;
    this.store = store;
    this.runner = runner;
  }

  /**
   * Clears the folder and makes an empty store in it, of the layout that is configured.
   *
   * @param folder stays taken until the caller closes it, after this
   */
  public static NewStore create(FolderToFill folder) throws IOException {
    RowKeyLayout layout = Settings.layout(folder.conf());
    ResourceStack unfinished = new ResourceStack();
    NewStore created = unfinished.add(create(folder, Filling.IMPORTING, List.of()));
    try {
      Namespace.place(created.runner, layout).get(LAYOUT_SECONDS, TimeUnit.SECONDS);
      return created;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw unfinished.closeAfter(new InterruptedIOException("Interrupted while filling"));
    } catch (ExecutionException | TimeoutException | StoreException e) {
      throw unfinished.closeAfter(new IOException("Could not write the layout", e));
    }
  }

  /** The same with what a backup holds. */
  static NewStore copyOf(FolderToFill folder, BackupFolder backup) throws IOException {
    return create(folder, Filling.RESTORING, backup.storeFiles());
  }

  private static NewStore create(FolderToFill folder, Filling filling, List<Path> files)
      throws IOException {
    NameDirectory directory = folder.directory();
    ResourceStack resources = new ResourceStack();
    try {
      directory.beginFilling(filling);
      copy(files, directory.storeFolder());
      RocksDbStore store = OfflineStore.openRocksDb(folder.conf(), directory, resources);
      return new NewStore(resources, directory, store, NameNode.newRunner(store, resources));
    } catch (IOException e) {
      throw resources.closeAfter(e);
    } catch (RuntimeException e) {
      throw resources.closeAfter(e);
    }
  }

  private static void copy(List<Path> files, Path target) throws IOException {
    if (files.isEmpty()) {
      return;
    }
    Files.createDirectories(target);
    for (Path file : files) {
      Path copy = target.resolve(file.getFileName());
      if (!isLinked(file, copy)) {
        Files.copy(file, copy);
        try (FileChannel channel = FileChannel.open(copy, StandardOpenOption.WRITE)) {
          channel.force(true);
        }
      }
    }
    IdentityFile.syncFolder(target);
  }

  /** Tables never change once they are written, so they may be shared. */
  private static boolean isLinked(Path file, Path copy) {
    if (!file.toString().endsWith(".sst")) {
      return false;
    }
    try {
      Files.createLink(copy, file);
      return true;
    } catch (IOException | UnsupportedOperationException e) {
      return false; // another disk, or one without links
    }
  }

  /** Where it lies. */
  public Path folder() {
    return directory.folder();
  }

  public RocksDbStore store() {
    return store;
  }

  public TransactionRunner runner() {
    return runner;
  }

  /** It is whole: {@link #close} makes it a folder to start from. */
  public void finish(ClusterIdentity identity) {
    finishedAs = identity;
  }

  /** Closes the store; one that is not finished is removed. */
  @Override
  public void close() throws IOException {
    resources.close();
    if (finishedAs == null) {
      directory.clear();
    } else {
      directory.write(finishedAs, StoreEngine.ROCKSDB);
      directory.endFilling();
    }
  }
}
