package io.acaciafs.namenode.backup;

import io.acaciafs.blocks.load.RestoredBlocks;
import io.acaciafs.kv.run.TransactionRunner;
import io.acaciafs.namespace.record.IdKind;
import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * What a restored store must not believe. It is of the time of the backup, and DataNodes have gone
 * on since. So until a DataNode has reported, nothing is deleted because of what the store says of
 * it; and ids go on far beyond those that were given out after the backup, as DataNodes may still
 * hold blocks with them. Stateless.
 */
final class RestoredStore {
  /** More than are given out between a backup and its restoring. */
  private static final long SKIPPED_IDS = 1L << 32;

  private static final long PATIENCE_S = 60;

  private RestoredStore() {}

  /** The store has gone back in time, and those who use it have not. */
  static void distrust(TransactionRunner runner) throws IOException {
    RestoredBlocks.distrust(runner);
    try {
      runner
          .submit(
              tx -> {
                for (IdKind kind : IdKind.values()) {
                  kind.reserve(tx, SKIPPED_IDS);
                }
                return null;
              })
          .get(PATIENCE_S, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new IOException("The restored store could not be written", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted while the restored store was written", e);
    }
  }
}
