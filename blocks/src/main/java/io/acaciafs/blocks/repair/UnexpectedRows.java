package io.acaciafs.blocks.repair;

import io.acaciafs.blocks.datanode.DatanodeRegistry;
import io.acaciafs.blocks.datanode.ExpectedRows;
import io.acaciafs.blocks.datanode.Ownership;
import io.acaciafs.blocks.datanode.Storage;
import io.acaciafs.blocks.record.BlockKeys;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.Scan;
import java.time.Clock;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Finds deletions and transfers that wait for DataNodes of this NameNode though nobody expects
 * them: the NameNode that wrote them may have died before it could tell. Goes over the rows once a
 * minute, or more seldom where that takes more than a fiftieth of the time, from one storage whose
 * queue sleeps to the next; where no row waits, it costs two reads. For one thread.
 */
final class UnexpectedRows {
  private static final long INTERVAL_MS = 60_000;
  private static final List<Queue> QUEUES =
      List.of(
          new Queue(BlockKeys::invalidationsFrom, storage -> storage.deletions().rows()),
          new Queue(BlockKeys::transfersFrom, storage -> storage.transfers().rows()));

  private final Reader reader;
  private final DatanodeRegistry registry;
  private final Ownership ownership;
  private final Clock clock;
  private final ShortLooks looks;
  private Iterator<Queue> rest = Collections.emptyIterator();
  private @Nullable Walk walk;

  /**
   * What waits for storages, in one table.
   *
   * @param rowsFrom of a storage and those with higher indexes
   * @param expected of one storage
   */
  private record Queue(IntFunction<KeyRange> rowsFrom, Function<Storage, ExpectedRows> expected) {}

  UnexpectedRows(Reader reader, DatanodeRegistry registry, Ownership ownership, Clock clock) {
    this.reader = reader;
    this.registry = registry;
    this.ownership = ownership;
    this.clock = clock;
    this.looks = new ShortLooks(clock);
  }

  void look() {
    if (!looks.begin()) {
      return;
    }
    if (walk == null) {
      rest = QUEUES.iterator();
      walk = new Walk(rest.next());
    }
    while (walk != null && looks.goesOn()) {
      if (!walk.goOn()) {
        walk = rest.hasNext() ? new Walk(rest.next()) : null;
      }
    }
    if (walk == null) {
      looks.restFor(INTERVAL_MS);
    } else {
      looks.rest();
    }
  }

  /** Over the rows of one queue. */
  private final class Walk {
    private final Queue queue;

    /** Of this NameNode's storages, by their indexes. */
    private final NavigableMap<Integer, ExpectedRows> asleep = new TreeMap<>();

    Walk(Queue queue) {
      this.queue = queue;
      registry.view().datanodes().stream()
          .filter(ownership::isMine)
          .flatMap(datanode -> datanode.storages().stream())
          .forEach(this::add);
    }

    private void add(Storage storage) {
      ExpectedRows rows = queue.expected().apply(storage);
      if (rows.isAsleep(clock.millis())) {
        asleep.put(storage.index(), rows);
      }
    }

    /** Looks for rows of one more storage; false: there are no more. */
    boolean goOn() {
      if (asleep.isEmpty()) {
        return false;
      }
      try (Scan scan = reader.scan(queue.rowsFrom().apply(asleep.firstKey()), 1)) {
        if (!scan.hasNext()) {
          return false;
        }
        int index = BlockKeys.storageIndexIn(scan.next().key());
        ExpectedRows rows = asleep.get(index);
        if (rows != null) {
          rows.wake();
        }
        asleep.headMap(index, true).clear();
        return true;
      }
    }
  }
}
