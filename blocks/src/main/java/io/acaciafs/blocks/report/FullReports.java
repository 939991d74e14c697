package io.acaciafs.blocks.report;

import io.acaciafs.blocks.datanode.Datanode;
import io.acaciafs.blocks.datanode.Ownership;
import io.acaciafs.blocks.datanode.Storage;
import io.acaciafs.blocks.datanode.StorageWatch;
import io.acaciafs.blocks.record.BlockKeys;
import io.acaciafs.blocks.record.BlockRecord;
import io.acaciafs.blocks.record.BlockRows;
import io.acaciafs.blocks.record.ReportedReplica;
import io.acaciafs.blocks.redundancy.ReplicaUpdates;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.Scan;
import io.acaciafs.kv.run.InFlight;
import io.acaciafs.kv.run.Operation;
import io.acaciafs.kv.run.TransactionRunner;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.apache.hadoop.hdfs.protocol.BlockListAsLongs;
import org.apache.hadoop.hdfs.protocol.BlockListAsLongs.BlockReportReplica;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.ReplicaState;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares what a storage holds with what is stored of it, and writes the differences. The report,
 * sorted by block id, is merged with the storage's rows in the replica index, a slice of rows at a
 * time; a difference is a transaction on its block, which sees the latest rows and so does nothing
 * where the difference is none (any more). What both sides know costs a read of the block; these
 * reads share a round trip for each slice, where reads take a network.
 *
 * <p>Rests on this: a DataNode that waits for the reply to a report sends no other, so between the
 * making of its report and the reply nothing of it becomes stored. One that gave up waiting does
 * send more; then the rest of the old report is dropped, as it would take what came since for lost.
 * Blocks the caller until all is durable. Fails where another NameNode takes over the DataNode.
 */
public final class FullReports {
  private static final Logger LOG = LoggerFactory.getLogger(FullReports.class);
  private static final int ROWS_A_SLICE = 1000;

  private record Replica(long blockId, ReportedReplica replica, ReplicaState state) {
    boolean isFinalized() {
      return state == ReplicaState.FINALIZED;
    }
  }

  private final TransactionRunner runner;
  private final ReplicaUpdates updates;
  private final ReplicaWaiters waiters;
  private final StorageWatch watch;
  private final Ownership ownership;

  public FullReports(
      TransactionRunner runner,
      ReplicaUpdates updates,
      ReplicaWaiters waiters,
      StorageWatch watch,
      Ownership ownership) {
    this.runner = runner;
    this.updates = updates;
    this.waiters = waiters;
    this.watch = watch;
    this.ownership = ownership;
  }

  /**
   * @param number of this report, by {@link Datanode#beginReport}
   * @throws IOException when a difference could not be written, or a later report came; the report
   *     may be sent again
   */
  public void reconcile(Storage storage, BlockListAsLongs report, long number) throws IOException {
    Replica[] replicas = sorted(storage, report);
    InFlight inFlight = new InFlight(runner);
    int differences = addAndRemove(storage, replicas, number, inFlight);
    int deletions = forgetDeletions(storage, replicas, inFlight);
    inFlight.await();
    if (differences == 0) {
      storage.counted(replicas.length);
    } else {
      storage.replicasChanged();
    }
    checkLatest(storage, number);
    watch.confirmed(storage);
    LOG.info(
        "Full report reconciled storage={} replicas={} differences={} deletionsDone={}",
        storage.uuid(),
        replicas.length,
        differences,
        deletions);
  }

  private int addAndRemove(Storage storage, Replica[] replicas, long number, InFlight inFlight)
      throws IOException {
    int differences = 0;
    int at = 0;
    KeyRange rest = BlockKeys.replicasOf(storage.index());
    while (rest != null) {
      List<Key> rows = slice(rest);
      Reader blocks =
          BlockRows.prefetch(runner.store(), rows.stream().mapToLong(BlockKeys::blockIdIn));
      for (Key row : rows) {
        long blockId = BlockKeys.blockIdIn(row);
        for (; at < replicas.length && replicas[at].blockId() < blockId; at++) {
          add(storage, replicas[at], inFlight);
          differences++;
        }
        if (at < replicas.length && replicas[at].blockId() == blockId) {
          differences += compare(storage, blocks, replicas[at++], inFlight);
        } else {
          submit(
              inFlight,
              storage,
              tx -> {
                updates.missing(tx, storage, blockId);
                checkLatest(storage, number); // behind the guarded read: no later report slips by
                return null;
              });
          differences++;
        }
      }
      rest =
          rows.size() < ROWS_A_SLICE ? null : rest.startingAfter(rows.get(rows.size() - 1).bytes());
    }
    for (; at < replicas.length; at++) {
      add(storage, replicas[at], inFlight);
      differences++;
    }
    return differences;
  }

  /** What is not there needs no deletion: the DataNode may have lost the word that it did it. */
  private int forgetDeletions(Storage storage, Replica[] replicas, InFlight inFlight)
      throws IOException {
    int forgotten = 0;
    int at = 0;
    KeyRange rest = BlockKeys.invalidationsOf(storage.index());
    while (rest != null) {
      List<Key> rows = slice(rest);
      for (Key row : rows) {
        long blockId = BlockKeys.blockIdIn(row);
        while (at < replicas.length && replicas[at].blockId() < blockId) {
          at++;
        }
        if (at == replicas.length || replicas[at].blockId() != blockId) {
          storage.deletions().confirmed(blockId);
          submit(
              inFlight,
              storage,
              tx -> {
                BlockRows.forgetInvalidation(tx, storage.index(), blockId);
                return null;
              });
          forgotten++;
        }
      }
      rest =
          rows.size() < ROWS_A_SLICE ? null : rest.startingAfter(rows.get(rows.size() - 1).bytes());
    }
    return forgotten;
  }

  private void add(Storage storage, Replica reported, InFlight inFlight) throws IOException {
    long blockId = reported.blockId();
    if (reported.isFinalized()) {
      inFlight.add(
          () ->
              ownership
                  .submit(
                      storage.datanode(),
                      tx -> updates.finalized(tx, storage, blockId, reported.replica()))
                  .thenAccept(
                      added -> {
                        if (added) {
                          waiters.arrived(blockId);
                        }
                      }));
    } else {
      boolean isAbandoned = reported.state() == ReplicaState.RWR;
      submit(
          inFlight,
          storage,
          tx -> {
            updates.unfinished(tx, storage, blockId, reported.replica(), isAbandoned);
            return null;
          });
    }
  }

  private void submit(InFlight inFlight, Storage storage, Operation<Void, ?> difference)
      throws IOException {
    inFlight.add(() -> ownership.submit(storage.datanode(), difference));
  }

  /** Both sides know it: length and stamp may differ all the same. */
  private int compare(Storage storage, Reader blocks, Replica reported, InFlight inFlight)
      throws IOException {
    BlockRecord record = BlockRows.read(blocks, reported.blockId());
    boolean asStored =
        record != null
            && reported.isFinalized()
            && (record.reported().contains(reported.replica())
                || record.repairState().isCorrupt(reported.replica())
                || record.storages().contains(storage.index())
                    && record.isGood(reported.replica()));
    if (asStored) {
      return 0;
    }
    add(storage, reported, inFlight);
    return 1;
  }

  private static void checkLatest(Storage storage, long number) throws IOException {
    if (!storage.datanode().isLatestReport(number)) {
      throw new IOException("A later report of this DataNode has come: " + storage.uuid());
    }
  }

  private List<Key> slice(KeyRange range) {
    List<Key> keys = new ArrayList<>();
    try (Scan scan = runner.store().scan(range)) {
      while (keys.size() < ROWS_A_SLICE && scan.hasNext()) {
        keys.add(scan.next().key());
      }
    }
    return keys;
  }

  private static Replica[] sorted(Storage storage, BlockListAsLongs report) {
    Replica[] replicas = new Replica[report.getNumberOfBlocks()];
    int count = 0;
    for (BlockReportReplica replica : report) {
      replicas[count++] =
          new Replica(
              replica.getBlockId(),
              new ReportedReplica(
                  storage.index(), replica.getNumBytes(), replica.getGenerationStamp()),
              replica.getState());
    }
    Arrays.sort(replicas, Comparator.comparingLong(Replica::blockId));
    return replicas;
  }
}
