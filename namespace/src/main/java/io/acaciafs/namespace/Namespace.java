package io.acaciafs.namespace;

import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.Scan;
import io.acaciafs.kv.Store;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.WouldBlockException;
import io.acaciafs.kv.run.TransactionRunner;
import io.acaciafs.namespace.context.Caller;
import io.acaciafs.namespace.context.FileBlocks;
import io.acaciafs.namespace.context.NamespaceContext;
import io.acaciafs.namespace.context.OperationContext;
import io.acaciafs.namespace.context.Root;
import io.acaciafs.namespace.directory.SplitCandidates;
import io.acaciafs.namespace.lease.DirectoryChanges;
import io.acaciafs.namespace.lease.DirectoryLeases;
import io.acaciafs.namespace.lease.Leases;
import io.acaciafs.namespace.permission.ProtectedDirectories;
import io.acaciafs.namespace.record.DirectoryInode;
import io.acaciafs.namespace.record.NamespaceKeys;
import io.acaciafs.namespace.record.RowKeyLayout;
import io.acaciafs.namespace.record.codec.Dictionary;
import io.acaciafs.namespace.record.codec.InodeCodec;
import io.acaciafs.namespace.run.LeasedExecution;
import io.acaciafs.namespace.run.NamespaceOperation;
import io.acaciafs.namespace.run.OperationRunner;
import io.acaciafs.namespace.run.ReadOperation;
import io.acaciafs.namespace.run.RetryCache;
import io.acaciafs.namespace.run.Tracked;
import io.acaciafs.namespace.settings.NamespaceSettings;
import io.acaciafs.namespace.summary.SubtreeCounter;
import io.acaciafs.namespace.tree.SharedState;
import java.io.IOException;
import java.time.Clock;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What others see of the namespace. Operations on the tree are linearizable; each is one
 * transaction, run again after a conflict, and {@link OperationRunner} says its life step by step.
 * Safe for use by many threads.
 *
 * <p>The first attempt runs on the caller's thread and its reads wait for the store; with an engine
 * whose reads are local the future of an operation that writes nothing is done when it is returned.
 * That of an operation that writes completes when the writes are durable, on a thread of the store.
 */
public final class Namespace {
  /** The inode id of the root. */
  public static final long ROOT_ID = Root.ID;

  private final TransactionRunner runner;
  private final NamespaceContext context;
  private final SharedState state;
  private final RetryCache retryCache;
  private final OperationRunner operations;

  /**
   * @param clock tells the times that users see
   * @param elapsed measures how long a client has been silent; should not jump when somebody sets
   *     the clock
   */
  public Namespace(
      TransactionRunner runner,
      NamespaceSettings settings,
      FileBlocks blocks,
      Clock clock,
      Clock elapsed) {
    this(runner, settings, blocks, clock, elapsed, null, null);
  }

  /**
   * One of several on a store, which tell each other of changes of directories.
   *
   * @param directoryLeases what operations that only read may rest on
   * @param changes tells of what operations here are about to change
   */
  public Namespace(
      TransactionRunner runner,
      NamespaceSettings settings,
      FileBlocks blocks,
      Clock clock,
      Clock elapsed,
      @Nullable DirectoryLeases directoryLeases,
      @Nullable DirectoryChanges changes) {
    this.runner = runner;
    Store store = runner.store();
    this.context = new NamespaceContext(store, settings, blocks, clock);
    this.state = new SharedState(store, settings, elapsed, directoryLeases);
    this.retryCache = new RetryCache(store, settings, clock, elapsed);
    LeasedExecution shared =
        directoryLeases == null ? null : new LeasedExecution(directoryLeases, changes, store);
    this.operations = new OperationRunner(runner, context, state, retryCache, shared);
  }

  /** Whether a store holds a namespace. */
  public static boolean isFormatted(Reader store) {
    return store.get(Root.KEY) != null;
  }

  /** The tables that an engine is to be opened with. */
  public static Set<Table> tables() {
    return NamespaceKeys.tables();
  }

  /** The protected directories, which no user can delete or rename; initially none. */
  public ProtectedDirectories protectedDirectories() {
    return state.protectedDirectories();
  }

  /**
   * @return the operation's result, or the {@link IOException} or runtime exception that it threw,
   *     or {@link io.acaciafs.kv.ConflictException} when others were always faster, or {@link
   *     io.acaciafs.kv.StoreException}
   */
  public <T> CompletableFuture<T> submit(Caller caller, NamespaceOperation<T> operation) {
    return operations.submit(caller, operation);
  }

  /**
   * As {@link #submit}, with a read set, by which one can tell later whether the result would still
   * be the same. The rights of the caller are part of the result, and not of the read set.
   *
   * @param use what to make of the result; it runs at each attempt
   */
  public <T, R> CompletableFuture<R> readTracked(
      Caller caller, ReadOperation<T> operation, Function<Tracked<T>, R> use) {
    return submit(caller, Tracked.of(operation, use));
  }

  /**
   * As {@link #readTracked} on a thread that must not wait.
   *
   * @param use must not wait either
   * @param here goes on when something has come that was missing, and must not wait either
   * @return fails with {@link WouldBlockException} where the operation has to be run by {@link
   *     #readTracked}, on a thread that may wait
   */
  public <T, R> CompletableFuture<R> readTrackedNonBlocking(
      Caller caller, ReadOperation<T> operation, Function<Tracked<T>, R> use, Executor here) {
    return operations.readNonBlocking(caller, Tracked.of(operation, use), here);
  }

  /**
   * Says where the directories of a store will lie that is filled by other means than operations.
   *
   * @return completes when that is durable; fails with a {@link StoreException} when there are
   *     directories already
   */
  public static CompletableFuture<Void> place(TransactionRunner runner, RowKeyLayout layout) {
    return runner.submit(
        transaction -> {
          if (transaction.get(Root.KEY) != null) {
            throw new StoreException("The layout of a namespace cannot be changed");
          }
          transaction.put(NamespaceKeys.layout(), layout.encode());
          return null;
        });
  }

  /**
   * Writes the root of a new namespace; does nothing where there is one.
   *
   * @return completes when the root is durable
   */
  public static CompletableFuture<Void> format(
      TransactionRunner runner, NamespaceSettings settings, Clock clock) {
    return format(runner, settings, RowKeyLayout.SPREAD, clock);
  }

  /**
   * Writes the root of a new namespace; does nothing where there is one.
   *
   * @param layout of the directories that will be in it
   * @return completes when the root is durable
   */
  public static CompletableFuture<Void> format(
      TransactionRunner runner, NamespaceSettings settings, RowKeyLayout layout, Clock clock) {
    return runner.submit(
        transaction -> {
          if (transaction.get(Root.KEY) == null) {
            transaction.put(NamespaceKeys.layout(), layout.encode());
            DirectoryInode root = Root.create(settings, clock.millis());
            transaction.put(Root.KEY, InodeCodec.in(transaction, new Dictionary()).encode(root));
          }
          return null;
        });
  }

  /**
   * @param executor runs short tasks, up to {@code parallelism} of one count at a time, and has
   *     room for {@link SubtreeCounter#tasks} of them
   * @param maxWalks how many counts may be under way
   */
  public SubtreeCounter subtreeCounter(Executor executor, int parallelism, int maxWalks) {
    return new SubtreeCounter(
        caller -> new OperationContext(context.begin(), caller, context),
        state.summaryCache(),
        executor,
        parallelism,
        maxWalks);
  }

  /**
   * Notes for how long this process has run, as answers to calls are forgotten by that: to be
   * called at least every 30 s.
   *
   * @return completes when that is durable
   */
  public CompletableFuture<Void> keepRunningTime() {
    return retryCache.keepTime(runner);
  }

  /** Answers to calls before this running time are not kept any more. */
  public long oldestRetryMs() {
    return retryCache.oldestMs();
  }

  /** Buckets that may have grown too large. */
  public SplitCandidates splitCandidates() {
    return state.splitCandidates();
  }

  public Leases leases() {
    return state.leases();
  }

  public NamespaceSettings settings() {
    return context.settings();
  }

  /**
   * Changes how many entries a directory may have. Any thread.
   *
   * @param maxDirectoryItems 0 is no limit
   */
  public void limitDirectoryItems(int maxDirectoryItems) {
    context.limitDirectoryItems(maxDirectoryItems);
  }

  /** The store as it is now, without an operation. */
  public Reader reader() {
    return runner.store();
  }

  /** Runs transactions of background work that are no operations on the tree. */
  public TransactionRunner runner() {
    return runner;
  }

  /** Rows of the namespace's own tables, for background work. The caller closes it. */
  public Scan scan(KeyRange range) {
    return runner.store().scan(range);
  }
}
