package io.acaciafs.blocks.repair;

import io.acaciafs.blocks.datanode.DatanodeRegistry;
import io.acaciafs.blocks.datanode.Ownership;
import io.acaciafs.blocks.datanode.Storage;
import io.acaciafs.blocks.record.BlockKeys;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.Scan;
import java.time.Clock;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/**
 * Finds deletions and transfers that wait for DataNodes of this NameNode though nobody expects
 * them: the NameNode that wrote them may have died before it could tell. Goes once a minute, for a
 * fiftieth of the time at most, from storage to storage that has any; where none has, it costs two
 * reads. For one thread.
 */
final class UnexpectedRows {
  private static final long INTERVAL_MS = 60_000;
  private static final int SHARE = 50;

  /** No further storage is looked for then. */
  private static final long LOOK_MS = 50;

  private final Reader reader;
  private final DatanodeRegistry registry;
  private final Ownership ownership;
  private final Clock clock;
  private final Walk deletions;
  private final Walk transfers;
  private long restsUntilMs = Long.MIN_VALUE;

  UnexpectedRows(Reader reader, DatanodeRegistry registry, Ownership ownership, Clock clock) {
    this.reader = reader;
    this.registry = registry;
    this.ownership = ownership;
    this.clock = clock;
    deletions = new Walk(BlockKeys::invalidationsFrom, storage -> storage.deletions().wake());
    transfers = new Walk(BlockKeys::transfersFrom, storage -> storage.transfers().wake());
  }

  void look() {
    long beganMs = clock.millis();
    if (beganMs < restsUntilMs) {
      return;
    }
    long limitMs = beganMs + LOOK_MS;
    boolean isAtEnd = deletions.goOn(limitMs) && transfers.goOn(limitMs);
    long endMs = clock.millis();
    restsUntilMs = endMs + (isAtEnd ? INTERVAL_MS : SHARE * (endMs - beganMs));
  }

  /** Over the rows of one table, of which the index of a storage is the first part. */
  private final class Walk {
    private final IntFunction<KeyRange> rowsFrom;
    private final Consumer<Storage> wake;
    private int next;

    Walk(IntFunction<KeyRange> rowsFrom, Consumer<Storage> wake) {
      this.rowsFrom = rowsFrom;
      this.wake = wake;
    }

    /** Returns whether it came to the end; the next call begins anew, or goes on. */
    boolean goOn(long limitMs) {
      while (clock.millis() < limitMs) {
        try (Scan scan = reader.scan(rowsFrom.apply(next), 1)) {
          if (!scan.hasNext()) {
            next = 0;
            return true;
          }
          next = BlockKeys.storageIndexIn(scan.next().key());
        }
        Storage storage = registry.storage(next++);
        if (storage != null && ownership.isMine(storage.datanode())) {
          wake.accept(storage);
        }
      }
      return false;
    }
  }
}
