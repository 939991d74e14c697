package io.acaciafs.blocks.repair;

import io.acaciafs.blocks.datanode.DatanodeRegistry;
import io.acaciafs.blocks.datanode.Ownership;
import io.acaciafs.blocks.datanode.Storage;
import io.acaciafs.blocks.record.BlockKeys;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.Scan;
import java.time.Clock;
import java.util.Iterator;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Finds deletions and transfers that wait for DataNodes of this NameNode though nobody expects
 * them: the NameNode that wrote them may have died before it could tell. Goes over the rows once a
 * minute, or more seldom where that takes more than a fiftieth of the time, from one storage whose
 * queue sleeps to the next; where no row waits, it costs two reads. For one thread.
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
  private final List<Queue> queues;
  private Iterator<Queue> rest = List.<Queue>of().iterator();
  private @Nullable Walk walk;
  private long restsUntilMs = Long.MIN_VALUE;

  /**
   * What waits for storages, in one table.
   *
   * @param rowsFrom of a storage and those with higher indexes
   */
  private record Queue(
      IntFunction<KeyRange> rowsFrom, Predicate<Storage> isAsleep, Consumer<Storage> wake) {}

  UnexpectedRows(Reader reader, DatanodeRegistry registry, Ownership ownership, Clock clock) {
    this.reader = reader;
    this.registry = registry;
    this.ownership = ownership;
    this.clock = clock;
    queues =
        List.of(
            new Queue(
                BlockKeys::invalidationsFrom,
                storage -> storage.deletions().isAsleep(clock.millis()),
                storage -> storage.deletions().wake()),
            new Queue(
                BlockKeys::transfersFrom,
                storage -> storage.transfers().isAsleep(),
                storage -> storage.transfers().wake()));
  }

  void look() {
    long beganMs = clock.millis();
    if (beganMs < restsUntilMs) {
      return;
    }
    if (walk == null) {
      rest = queues.iterator();
      walk = new Walk(rest.next());
    }
    while (walk != null && clock.millis() - beganMs < LOOK_MS) {
      if (!walk.goOn()) {
        walk = rest.hasNext() ? new Walk(rest.next()) : null;
      }
    }
    long endMs = clock.millis();
    restsUntilMs = endMs + (walk == null ? INTERVAL_MS : SHARE * (endMs - beganMs));
  }

  /** Over the rows of one queue. */
  private final class Walk {
    private final Queue queue;

    /** This NameNode's, by their indexes. */
    private final NavigableMap<Integer, Storage> asleep = new TreeMap<>();

    Walk(Queue queue) {
      this.queue = queue;
      registry.view().datanodes().stream()
          .filter(ownership::isMine)
          .flatMap(datanode -> datanode.storages().stream())
          .filter(queue.isAsleep())
          .forEach(storage -> asleep.put(storage.index(), storage));
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
        Storage storage = asleep.get(index);
        if (storage != null) {
          queue.wake().accept(storage);
        }
        asleep.headMap(index, true).clear();
        return true;
      }
    }
  }
}
