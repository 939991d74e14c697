package io.acaciafs.namenode.store;

import io.acaciafs.blocks.ClusterIdentity;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.engine.CheckpointRestore;
import io.acaciafs.kv.engine.EngineStore;
import io.acaciafs.kv.run.TransactionRunner;
import io.acaciafs.namenode.process.ResourceStack;
import io.acaciafs.namenode.process.Transactions;
import io.acaciafs.namespace.Namespace;
import io.acaciafs.namespace.record.RowKeyLayout;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The empty store of a folder that a tool fills from elsewhere. No NameNode starts on the folder
 * before {@link #finish}; what an end without it leaves behind, the next {@link #create} clears.
 */
public final class NewStore implements AutoCloseable {
  private static final long LAYOUT_SECONDS = 60;

  private final ResourceStack resources;
  private final NameDirectory directory;
  private final StoreEngine engine;
  private final EngineStore store;
  private final TransactionRunner runner;
  private @Nullable ClusterIdentity finishedAs;

  private NewStore(FolderToFill folder, ResourceStack resources, EngineStore store) {
    this.resources = resources;
    this.directory = folder.directory();
    this.engine = folder.engine();
    this.store = store;
    this.runner = Transactions.newRunner(store, resources);
  }

  /**
   * Clears the folder and makes an empty store in it, of the layout that is configured.
   *
   * @param folder stays taken until the caller closes it, after this
   */
  public static NewStore create(FolderToFill folder) throws IOException {
    RowKeyLayout layout = StoreEngine.layout(folder.conf());
    ResourceStack unfinished = new ResourceStack();
    NewStore created = unfinished.add(create(folder, Filling.IMPORTING, () -> {}));
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

  /** The same with the rows of a checkpoint. */
  public static NewStore copyOf(FolderToFill folder, Path checkpoint) throws IOException {
    CheckpointRestore restore = folder.engine().checkpointRestore();
    return create(folder, Filling.RESTORING, () -> restore.restore(checkpoint));
  }

  private interface Content {
    void fill() throws IOException;
  }

  private static NewStore create(FolderToFill folder, Filling filling, Content content)
      throws IOException {
    ResourceStack resources = new ResourceStack();
    try {
      folder.directory().beginFilling(filling);
      content.fill();
      return new NewStore(folder, resources, resources.add(folder.engine().open()));
    } catch (IOException e) {
      throw resources.closeAfter(e);
    } catch (RuntimeException e) {
      throw resources.closeAfter(e);
    }
  }

  /** Where it lies. */
  public Path folder() {
    return directory.folder();
  }

  public EngineStore store() {
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
      directory.write(finishedAs, engine.name());
      directory.endFilling();
    }
  }
}
