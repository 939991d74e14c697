package io.acaciafs.blocks.report;

import io.acaciafs.blocks.record.BlockRecord;
import io.acaciafs.blocks.record.BlockRows;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.StoreException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks a few times, with growing pauses, whether a replica that somebody waits for has been stored
 * by another NameNode: its DataNode may not talk to this one. Reads the store on the executor's
 * threads. Safe for use by many threads.
 */
public final class RemoteReplicaPoller {
  private static final Logger LOG = LoggerFactory.getLogger(RemoteReplicaPoller.class);
  private static final long FIRST_PAUSE_MS = 40;

  private final ReplicaWaiters waiters;
  private final Reader reader;
  private final ScheduledExecutorService executor;

  public RemoteReplicaPoller(
      ReplicaWaiters waiters, Reader reader, ScheduledExecutorService executor) {
    this.waiters = waiters;
    this.reader = reader;
    this.executor = executor;
  }

  /**
   * @param wait ends the looking when it ends
   */
  public void watch(long blockId, CompletableFuture<Boolean> wait) {
    look(blockId, wait, FIRST_PAUSE_MS);
  }

  private void look(long blockId, CompletableFuture<Boolean> wait, long pauseMs) {
    try {
      executor.schedule(
          () -> {
            if (!wait.isDone()) {
              if (isComplete(blockId)) {
                waiters.arrived(blockId);
              } else {
                look(blockId, wait, 2 * pauseMs);
              }
            }
          },
          pauseMs,
          TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      wait.complete(false);
    }
  }

  private boolean isComplete(long blockId) {
    try {
      BlockRecord record = BlockRows.read(reader, blockId);
      return record == null || record.isComplete();
    } catch (StoreException e) {
      LOG.debug("A block could not be looked at, will try again block={}", blockId, e);
      return false;
    }
  }
}
