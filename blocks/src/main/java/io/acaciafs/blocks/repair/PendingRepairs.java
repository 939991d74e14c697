package io.acaciafs.blocks.repair;

import io.acaciafs.blocks.record.BlockKeys;
import io.acaciafs.blocks.record.BlockRecord;
import io.acaciafs.blocks.record.BlockRows;
import io.acaciafs.blocks.redundancy.BlockRecordWriter;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Scan;
import io.acaciafs.kv.Transaction;
import io.acaciafs.kv.run.InFlight;
import io.acaciafs.kv.run.TransactionRunner;
import java.io.IOException;
import java.time.Clock;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives up replicas that were expected and did not come in time: those of a copy, or of the
 * writer's pipeline. Their blocks return to the repair queue. But where there is nothing else they
 * are all that is known of a block, and not given up. Run by one thread.
 */
public final class PendingRepairs {
  private static final Logger LOG = LoggerFactory.getLogger(PendingRepairs.class);
  private static final int BLOCKS_A_ROUND = 10_000;

  private final TransactionRunner runner;
  private final BlockRecordWriter recordWriter;
  private final Clock clock;

  public PendingRepairs(TransactionRunner runner, BlockRecordWriter recordWriter, Clock clock) {
    this.runner = runner;
    this.recordWriter = recordWriter;
    this.clock = clock;
  }

  /** One round. Waits until it is durable. */
  void run() throws IOException {
    long nowMs = clock.millis();
    InFlight inFlight = new InFlight(runner);
    int count = 0;
    try (Scan scan = runner.store().scan(KeyRange.ofTable(BlockKeys.PENDING_REPAIRS))) {
      while (count < BLOCKS_A_ROUND && scan.hasNext()) {
        Key key = scan.next().key();
        if (BlockKeys.dueMsIn(key) > nowMs) {
          break;
        }
        count++;
        inFlight.submit(tx -> giveUp(tx, key));
      }
    }
    inFlight.await();
    if (count > 0) {
      LOG.info("Expected replicas did not come in time blocks={}", count);
    }
  }

  private Void giveUp(Transaction tx, Key key) {
    long blockId = BlockKeys.blockIdInPendingRepair(key);
    BlockRecord record = BlockRows.get(tx, blockId);
    if (record == null || record.repairState().expectedUntilMs() != BlockKeys.dueMsIn(key)) {
      tx.delete(key);
    } else if (!record.isComplete() && record.storages().isEmpty()) {
      // its file waits for one of them, or recovery will ask them
      recordWriter.save(
          tx, blockId, record, record.withRepairState(record.repairState().awaitingAnew()));
    } else {
      recordWriter.save(tx, blockId, record, record.withExpected(List.of()));
    }
    return null;
  }
}
