package io.acaciafs.namenode.store;

import io.acaciafs.blocks.ClusterIdentity;
import io.acaciafs.kv.StoreException;
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
  private final ClusterIdentity identity;
  private boolean isFinished;

  private NewStore(
      FolderToFill folder,
      ClusterIdentity identity,
      ResourceStack resources,
      StoreEngine engine,
      EngineStore store) {
    this.resources = resources;
    this.directory = folder.directory();
    this.identity = identity;
    this.engine = engine;
    this.store = store;
    this.runner = Transactions.newRunner(store, resources);
  }

  /**
   * Clears the folder and makes an empty store in it, of the layout that is configured.
   *
   * @param folder stays taken until the caller closes it, after this
   * @param identity of the cluster that the store is for
   */
  public static NewStore create(FolderToFill folder, ClusterIdentity identity) throws IOException {
    RowKeyLayout layout = StoreEngine.layout(folder.conf());
    ResourceStack unfinished = new ResourceStack();
    NewStore created = unfinished.add(create(folder, identity, Filling.IMPORTING, engine -> {}));
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
  public static NewStore copyOf(FolderToFill folder, ClusterIdentity identity, Path checkpoint)
      throws IOException {
    return create(
        folder,
        identity,
        Filling.RESTORING,
        engine -> engine.checkpointRestore().restore(checkpoint));
  }

  private interface Content {
    void fill(StoreEngine engine) throws IOException;
  }

  private static NewStore create(
      FolderToFill folder, ClusterIdentity identity, Filling filling, Content content)
      throws IOException {
    ResourceStack resources = new ResourceStack();
    try {
      StoreEngine engine = folder.engine(identity); // first, as it is what may fail
      folder.directory().beginFilling(filling);
      content.fill(engine);
      EngineStore store = resources.add(engine.open());
      return new NewStore(folder, identity, resources, engine, store);
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
  public void finish() throws IOException {
    engine.introduce(store);
    isFinished = true;
  }

  /** Closes the store; one that is not finished is removed, by the next command where shared. */
  @Override
  public void close() throws IOException {
    resources.close();
    if (isFinished) {
      directory.write(identity, engine.name());
      directory.endFilling();
    } else if (!engine.isShared()) {
      directory.clear();
    }
  }
}
