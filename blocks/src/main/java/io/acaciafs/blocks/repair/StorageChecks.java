package io.acaciafs.blocks.repair;

import com.google.protobuf.ByteString;
import io.acaciafs.blocks.datanode.NodeChanges;
import io.acaciafs.blocks.peers.PeerExchange;
import io.acaciafs.blocks.proto.CheckRow;
import io.acaciafs.blocks.record.BlockKeys;
import io.acaciafs.blocks.record.BlockRecord;
import io.acaciafs.blocks.record.BlockRows;
import io.acaciafs.blocks.record.StorageCheckRows;
import io.acaciafs.blocks.redundancy.BlockRecordWriter;
import io.acaciafs.blocks.redundancy.ReplicaUpdates;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.Row;
import io.acaciafs.kv.Scan;
import io.acaciafs.kv.Transaction;
import io.acaciafs.kv.run.InFlight;
import io.acaciafs.kv.run.TransactionRunner;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks again at all blocks of storages whose standing has changed, a slice of the replica index at
 * a time. How far it came is stored, so another process can go on. Run by one thread.
 */
public final class StorageChecks {
  private static final Logger LOG = LoggerFactory.getLogger(StorageChecks.class);
  private static final int ROWS_A_SLICE = 1000;

  private final TransactionRunner runner;
  private final BlockRecordWriter recordWriter;
  private final ReplicaUpdates updates;
  private final PeerExchange exchange;

  /** What all NameNodes must have seen before a check begins. */
  private final Map<Round, Long> changes = new HashMap<>();

  private record Round(int storage, long round) {}

  public StorageChecks(
      TransactionRunner runner,
      BlockRecordWriter recordWriter,
      ReplicaUpdates updates,
      PeerExchange exchange) {
    this.runner = runner;
    this.recordWriter = recordWriter;
    this.updates = updates;
    this.exchange = exchange;
  }

  /**
   * Does the next slices. Waits until they are durable.
   *
   * @return how many slices were done; fewer than the limit where nothing is left to do
   */
  int run(int slices) throws IOException {
    int done = 0;
    List<Row> rows = rows();
    changes.keySet().retainAll(rows.stream().map(StorageChecks::round).toList());
    for (Row row : rows) {
      if (!mayBegin(row)) {
        continue;
      }
      while (done < slices) {
        done++;
        row = slice(row);
        if (row == null) {
          break;
        }
      }
    }
    return done;
  }

  /** A NameNode that has not seen yet why blocks are looked at could undo what follows from it. */
  private boolean mayBegin(Row row) {
    return exchange.allHaveSeen(
        changes.computeIfAbsent(round(row), key -> NodeChanges.read(runner.store())));
  }

  private static Round round(Row row) {
    return new Round(
        BlockKeys.storageIndexInCheck(row.key()), StorageCheckRows.decode(row.value()).getRound());
  }

  private List<Row> rows() {
    List<Row> rows = new ArrayList<>();
    try (Scan scan = runner.store().scan(BlockKeys.checks())) {
      scan.forEachRemaining(rows::add);
    }
    return rows;
  }

  /**
   * @return the row to go on with; null where this one is done, or another began it anew
   */
  private @Nullable Row slice(Row row) throws IOException {
    CheckRow check = StorageCheckRows.decode(row.value());
    int storage = BlockKeys.storageIndexInCheck(row.key());
    KeyRange range = BlockKeys.replicasOf(storage);
    byte[] last = check.getAfter().toByteArray();
    if (last.length > 0) {
      range = range.startingAfter(last);
    }
    List<Key> replicas = new ArrayList<>();
    try (Scan scan = runner.store().scan(range)) {
      while (replicas.size() < ROWS_A_SLICE && scan.hasNext()) {
        replicas.add(scan.next().key());
      }
    }
    Reader blocks =
        BlockRows.prefetch(runner.store(), replicas.stream().mapToLong(BlockKeys::blockIdIn));
    InFlight inFlight = new InFlight(runner);
    for (Key replica : replicas) {
      review(blocks, BlockKeys.blockIdIn(replica), inFlight);
    }
    inFlight.await();
    Row next =
        replicas.size() < ROWS_A_SLICE
            ? null
            : new Row(
                row.key(),
                check.toBuilder()
                    .setAfter(ByteString.copyFrom(replicas.get(replicas.size() - 1).bytes()))
                    .build()
                    .toByteArray());
    InFlight.join(runner.submit(tx -> advance(tx, row, next)));
    if (next == null) {
      LOG.info("All blocks of a storage looked at storageIndex={}", storage);
    }
    return next;
  }

  private void review(Reader blocks, long blockId, InFlight inFlight) throws IOException {
    BlockRecord record = BlockRows.read(blocks, blockId);
    if (record == null || recordWriter.isSettled(record)) {
      return; // a later change of the block sees the present states
    }
    inFlight.submit(
        tx -> {
          updates.review(tx, blockId);
          return null;
        });
  }

  private static Void advance(Transaction tx, Row row, @Nullable Row next) {
    byte[] stored = tx.get(row.key());
    if (stored != null
        && StorageCheckRows.decode(stored).getRound()
            == StorageCheckRows.decode(row.value()).getRound()) {
      if (next == null) {
        tx.delete(row.key());
      } else {
        tx.put(next.key(), next.value());
      }
    }
    return null;
  }
}
