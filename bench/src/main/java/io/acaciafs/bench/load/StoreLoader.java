package io.acaciafs.bench.load;

import io.acaciafs.blocks.load.LoadedBlocks;
import io.acaciafs.kv.BulkLoader;
import io.acaciafs.kv.Store;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.Transaction;
import io.acaciafs.kv.run.TransactionRunner;
import io.acaciafs.namespace.record.DirectoryInode;
import io.acaciafs.namespace.record.IdKind;
import io.acaciafs.namespace.record.Inode;
import io.acaciafs.namespace.record.Locator;
import io.acaciafs.namespace.record.NamespaceKeys;
import io.acaciafs.namespace.record.RowKeyLayout;
import io.acaciafs.namespace.record.codec.Dictionary;
import io.acaciafs.namespace.record.codec.InodeCodec;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.DoubleConsumer;
import java.util.stream.IntStream;

/**
 * Writes a namespace like JindoFS's set of a billion files into the store of a freshly formatted
 * folder: each table in the order of its keys, in runs that many threads write side by side. The
 * rows of entries become visible last, so nothing is found that is not whole.
 *
 * <p>For one thread; the runs are written by threads {@code load-N}.
 */
public final class StoreLoader {
  /** Rows of a run: some ten megabytes. */
  private static final int FILES_IN_RUN = 1_000_000;

  private static final long TRANSACTION_LIMIT_SECONDS = 60;

  private final Store store;
  private final TransactionRunner runner;
  private final BulkLoader loader;
  private final Dictionary dictionary = new Dictionary();
  private final TreeShape shape;
  private final LoadedReplicas replicas;
  private final int threads;

  /**
   * @param replicas on DataNodes that exist only as rows
   */
  public StoreLoader(
      Store store,
      TransactionRunner runner,
      BulkLoader loader,
      TreeShape shape,
      LoadedReplicas replicas,
      int threads) {
    this.store = store;
    this.runner = runner;
    this.loader = loader;
    this.shape = shape;
    this.replicas = replicas;
    this.threads = threads;
  }

  private record Start(LoadedTree tree, List<Integer> storages) {}

  /**
   * Writes all.
   *
   * @param rootId of the root
   * @param progress is told the share that is done
   * @throws IOException when the store has files already, or fails
   */
  public void run(String owner, String group, long rootId, long nowMs, DoubleConsumer progress)
      throws IOException {
    if (store.get(NamespaceKeys.counters(Locator.spread(rootId), 0)) != null) {
      throw new IOException("The file system is not empty: format it first");
    }
    Start start = begin(owner, group, rootId, nowMs);
    List<Callable<Void>> runs = new ArrayList<>();
    addEntryRuns(runs, start.tree());
    addInodeRuns(runs, start.tree());
    addBlockRuns(runs, start);
    write(runs, progress);
    for (Table table :
        List.of(
            LoadedBlocks.replicas(),
            LoadedBlocks.blocks(),
            NamespaceKeys.INODES,
            NamespaceKeys.ENTRIES)) {
      loader.finish(table);
    }
  }

  /** Takes the ids, and makes the names and the DataNodes known. */
  private Start begin(String owner, String group, long rootId, long nowMs) throws IOException {
    Inode.Attributes ofDirectories = new Inode.Attributes(owner, group, (short) 0755, nowMs, 0);
    Inode.Attributes ofFiles = new Inode.Attributes(owner, group, (short) 0644, nowMs, nowMs);
    Future<Start> begun =
        runner.submit(
            transaction -> {
              DirectoryInode anyInode =
                  new DirectoryInode(rootId, Locator.spread(rootId), ofDirectories);
              InodeCodec.in(transaction, dictionary).encode(anyInode);
              long inodes = shape.directories() - 1 + shape.files();
              long firstId = IdKind.INODE.reserve(transaction, inodes);
              long firstBlock = IdKind.BLOCK.reserve(transaction, shape.files());
              LoadedTree tree =
                  new LoadedTree(
                      shape,
                      RowKeyLayout.of(transaction.unguarded()),
                      new LoadedTree.Ids(
                          rootId, firstId, firstId + shape.directories() - 1, firstBlock),
                      (short) replicas.replication(),
                      ofDirectories,
                      ofFiles);
              return new Start(tree, LoadedBlocks.storages(transaction, replicas.datanodes()));
            });
    return await(begun);
  }

  private static <T> T await(Future<T> future) throws IOException {
    try {
      return future.get(TRANSACTION_LIMIT_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while loading");
    } catch (ExecutionException | java.util.concurrent.TimeoutException e) {
      throw new IOException("Could not begin to load", e);
    }
  }

  private interface Rows {
    void writeTo(BulkLoader.Run run) throws Exception;
  }

  private Callable<Void> run(Table table, Rows rows) {
    return () -> {
      try (BulkLoader.Run run = loader.begin(table)) {
        rows.writeTo(run);
      }
      return null;
    };
  }

  /** Directories in the order of their locators, in each its counters, directories and files. */
  private void addEntryRuns(List<Callable<Void>> runs, LoadedTree tree) {
    Locator[] locators =
        IntStream.range(0, shape.directories()).mapToObj(tree::locatorOf).toArray(Locator[]::new);
    int[] ordered =
        IntStream.range(0, shape.directories())
            .boxed()
            .sorted(Comparator.comparing(i -> locators[i]))
            .mapToInt(Integer::intValue)
            .toArray();
    int from = 0;
    long files = 0;
    for (int i = 0; i < ordered.length; i++) {
      files += shape.filesOf(ordered[i]);
      if (files >= FILES_IN_RUN || i == ordered.length - 1) {
        int first = from;
        int end = i + 1;
        runs.add(run(NamespaceKeys.ENTRIES, run -> writeEntries(run, tree, ordered, first, end)));
        from = end;
        files = 0;
      }
    }
  }

  private void writeEntries(
      BulkLoader.Run run, LoadedTree tree, int[] ordered, int first, int end) {
    Transaction unused = store.begin(); // all names of owners are known
    InodeCodec codec = InodeCodec.in(unused, dictionary);
    FileNames names = new FileNames();
    for (int i = first; i < end; i++) {
      int directory = ordered[i];
      Locator locator = tree.locatorOf(directory);
      run.add(tree.countersKey(directory), tree.counters(directory));
      int children = shape.childrenOf(directory);
      for (int child = 0; child < children; child++) {
        int number = shape.child(directory, child);
        run.add(tree.directoryKey(locator, number), tree.directoryRow(codec, number));
      }
      long firstFile = shape.firstFileOf(directory);
      long files = shape.filesOf(directory);
      for (long index = 0; index < files; index++) {
        run.add(
            tree.fileKey(locator, names.name(directory, index)),
            tree.fileRow(codec, firstFile + index));
      }
    }
  }

  private void addInodeRuns(List<Callable<Void>> runs, LoadedTree tree) {
    runs.add(
        run(
            NamespaceKeys.INODES,
            run -> {
              for (int each = 1; each < shape.directories(); each++) {
                run.add(
                    NamespaceKeys.inode(tree.idOfDirectory(each)), tree.directoryLocation(each));
              }
            }));
    int from = 0;
    for (int i = 0; i < shape.directories(); i++) {
      boolean last = i == shape.directories() - 1;
      if (last || shape.firstFileOf(i + 1) - shape.firstFileOf(from) >= FILES_IN_RUN) {
        int first = from;
        int end = i + 1;
        runs.add(run(NamespaceKeys.INODES, run -> writeFileLocations(run, tree, first, end)));
        from = end;
      }
    }
  }

  private void writeFileLocations(BulkLoader.Run run, LoadedTree tree, int first, int end) {
    FileNames names = new FileNames();
    for (int directory = first; directory < end; directory++) {
      Locator locator = tree.locatorOf(directory);
      long firstId = tree.ids().firstFile() + shape.firstFileOf(directory);
      long files = shape.filesOf(directory);
      for (long index = 0; index < files; index++) {
        run.add(
            NamespaceKeys.inode(firstId + index),
            tree.fileLocation(locator, names.name(directory, index)));
      }
    }
  }

  private void addBlockRuns(List<Callable<Void>> runs, Start start) {
    LoadedTree tree = start.tree();
    for (long from = 0; from < shape.files(); from += FILES_IN_RUN) {
      long first = from;
      long end = Math.min(shape.files(), from + FILES_IN_RUN);
      runs.add(
          run(
              LoadedBlocks.blocks(),
              run -> {
                for (long file = first; file < end; file++) {
                  long blockId = tree.blockIdOf(file);
                  if (blockId != 0) {
                    LoadedBlocks.addBlock(
                        run,
                        blockId,
                        tree.ids().firstFile() + file,
                        FileSizes.lengthBytes(file),
                        replicas.of(file, start.storages()));
                  }
                }
              }));
    }
    addReplicaRuns(runs, start);
  }

  /** In the order of storages: some of them in a run, or a part of one. */
  private void addReplicaRuns(List<Callable<Void>> runs, Start start) {
    LoadedTree tree = start.tree();
    List<Integer> storages = start.storages();
    long filesTogether = FILES_IN_RUN * (long) replicas.groups();
    int together = (int) Math.max(1, filesTogether / shape.files());
    for (int from = 0; from < storages.size(); from += together) {
      int first = from;
      int end = Math.min(storages.size(), from + together);
      for (long begin = 0; begin < shape.files(); begin += filesTogether) {
        long firstFile = begin;
        runs.add(
            run(
                LoadedBlocks.replicas(),
                run -> {
                  for (int i = first; i < end; i++) {
                    int storage = storages.get(i);
                    replicas
                        .filesOf(i, firstFile, firstFile + filesTogether)
                        .forEach(
                            file -> LoadedBlocks.addReplica(run, storage, tree.blockIdOf(file)));
                  }
                }));
      }
    }
  }

  private void write(List<Callable<Void>> runs, DoubleConsumer progress) throws IOException {
    AtomicInteger threadNumber = new AtomicInteger();
    ExecutorService pool =
        Executors.newFixedThreadPool(
            threads, task -> new Thread(task, "load-" + threadNumber.incrementAndGet()));
    try {
      List<Future<Void>> written = runs.stream().map(pool::submit).toList();
      for (int i = 0; i < written.size(); i++) {
        written.get(i).get();
        progress.accept((i + 1.0) / written.size());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while loading");
    } catch (ExecutionException e) {
      Throwable cause = Objects.requireNonNullElse(e.getCause(), e);
      throw new IOException("Could not load: " + cause.getMessage(), cause);
    } finally {
      pool.shutdownNow();
    }
  }
}
