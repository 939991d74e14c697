package io.acaciafs.fsimage;

import io.acaciafs.blocks.load.LoadedBlocks;
import io.acaciafs.fsimage.format.ImageFile;
import io.acaciafs.fsimage.format.ImageProgress;
import io.acaciafs.fsimage.sort.RowMerge;
import io.acaciafs.fsimage.sort.RowSorter;
import io.acaciafs.fsimage.sort.RowSorters;
import io.acaciafs.kv.BulkLoader;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.Table;
import io.acaciafs.namespace.record.NamespaceKeys;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Writes the sorted rows into the store: threads {@code fsimage-table-N}, each with one table at a
 * time. They become visible at the end, entries last. For one thread, once.
 */
final class TableLoad {
  private static final int ROWS_IN_RUN = 1_000_000;
  private static final int ROWS_BETWEEN_REPORTS = 8192;
  private static final byte[] NOTHING = {};

  private final ImageFile image;
  private final BulkLoader loader;
  private final ImageProgress progress;
  private final long allRows;
  private final long inodes;
  private long written;

  /**
   * @param allRows how many rows there will be, for the progress
   * @param inodes what they amount to
   */
  TableLoad(ImageFile image, BulkLoader loader, ImageProgress progress, long allRows, long inodes) {
    this.image = image;
    this.loader = loader;
    this.progress = progress;
    this.allRows = allRows;
    this.inodes = inodes;
  }

  void run(RowSorters rows, int threads) throws IOException {
    progress.begin("write tables");
    List<Callable<Void>> tables = new ArrayList<>();
    tables.add(() -> load(NamespaceKeys.ENTRIES, rows.entries()));
    tables.add(() -> load(LoadedBlocks.blocks(), rows.blocks()));
    tables.add(() -> load(NamespaceKeys.INODES, rows.inodes()));
    tables.add(() -> load(NamespaceKeys.OPEN_FILES, rows.openFiles()));
    inParallel(tables, threads);
    for (Table table :
        List.of(
            LoadedBlocks.repairs(),
            LoadedBlocks.blocks(),
            NamespaceKeys.OPEN_FILES,
            NamespaceKeys.INODES,
            NamespaceKeys.ENTRIES)) {
      loader.finish(table);
    }
    progress.advance(inodes, 1);
  }

  private static void inParallel(List<Callable<Void>> tables, int threads) throws IOException {
    int[] number = {0};
    ExecutorService pool =
        Executors.newFixedThreadPool(
            threads, task -> new Thread(task, "fsimage-table-" + ++number[0]));
    try {
      List<Future<Void>> futures = new ArrayList<>();
      tables.forEach(table -> futures.add(pool.submit(table)));
      for (Future<Void> future : futures) {
        future.get();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted");
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException failure
          ? failure
          : new IOException("The store could not be written: " + e.getCause(), e.getCause());
    } finally {
      pool.shutdownNow();
      awaitEnd(pool);
    }
  }

  private static void awaitEnd(ExecutorService pool) throws IOException {
    try {
      if (!pool.awaitTermination(1, TimeUnit.MINUTES)) {
        throw new IOException("A thread that writes a table does not end");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Blocks that nobody has reported yet stand in the queue of missing ones as well. */
  private Void load(Table table, RowSorter sorter) throws IOException {
    boolean isBlocks = table.equals(LoadedBlocks.blocks());
    try (RowMerge merge = sorter.merge()) {
      byte[] last = null;
      boolean hasMore = merge.next();
      while (hasMore) {
        try (BulkLoader.Run run = loader.begin(table);
            BulkLoader.Run repairs = isBlocks ? loader.begin(LoadedBlocks.repairs()) : null) {
          int rows = 0;
          for (; hasMore && rows < ROWS_IN_RUN; hasMore = merge.next(), rows++) {
            byte[] key = merge.key();
            if (last != null && Arrays.equals(last, key)) {
              throw image.damaged(twice(table, key));
            }
            last = key;
            byte[] value = merge.value();
            run.add(new Key(table, key), value);
            if (repairs != null && LoadedBlocks.isMissing(value)) {
              repairs.add(LoadedBlocks.repairOf(key), NOTHING);
            }
            if ((rows + 1) % ROWS_BETWEEN_REPORTS == 0) {
              report();
            }
          }
        }
        if (Thread.currentThread().isInterrupted()) {
          throw new InterruptedIOException("interrupted");
        }
      }
    }
    return null;
  }

  private static String twice(Table table, byte[] key) {
    Key row = new Key(table, key);
    if (table.equals(NamespaceKeys.ENTRIES)) {
      return "directory "
          + NamespaceKeys.directoryOf(row).directoryId()
          + " has two entries of one name";
    }
    return table.equals(LoadedBlocks.blocks())
        ? "block " + LoadedBlocks.idOf(row) + " is in two places"
        : "there are two inodes " + NamespaceKeys.idOf(row);
  }

  private synchronized void report() {
    written += ROWS_BETWEEN_REPORTS;
    double share = Math.min(1, (double) written / Math.max(1, allRows));
    progress.advance((long) (share * inodes), share);
  }
}
