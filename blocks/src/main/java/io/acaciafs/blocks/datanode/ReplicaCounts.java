package io.acaciafs.blocks.datanode;

import io.acaciafs.blocks.record.BlockKeys;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.Scan;
import java.time.Clock;
import java.util.Collections;
import java.util.Iterator;

/**
 * Counts the replicas on storages, only for reports. It walks over the index of storages that
 * reported since the last count: a few at each look, as there may be thousands behind a start and
 * the thread has other things to do, and with rests, so that counting takes at most one part in
 * {@link #SHARE} of a processor. Used by one thread.
 */
public final class ReplicaCounts {
  private static final int SHARE = 50;

  /** No further storage is begun then. */
  private static final long LOOK_MS = 50;

  private final Reader reader;
  private final DatanodeRegistry registry;
  private final Ownership ownership;
  private final Clock clock;
  private Iterator<Datanode> rest = Collections.emptyIterator();
  private long restsUntilMs = Long.MIN_VALUE;

  public ReplicaCounts(Reader reader, DatanodeRegistry registry, Ownership ownership, Clock clock) {
    this.reader = reader;
    this.registry = registry;
    this.ownership = ownership;
    this.clock = clock;
  }

  /** The owner of a DataNode counts for all. */
  public void look() {
    long beganMs = clock.millis();
    if (beganMs < restsUntilMs) {
      return;
    }
    if (!rest.hasNext()) {
      rest = registry.view().datanodes().iterator();
    }
    long endMs = beganMs;
    while (rest.hasNext() && endMs - beganMs < LOOK_MS) {
      Datanode datanode = rest.next();
      if (ownership.isMine(datanode)) {
        datanode.storages().stream().filter(Storage::takeUncounted).forEach(this::count);
      }
      endMs = clock.millis();
    }
    restsUntilMs = endMs + SHARE * (endMs - beganMs);
  }

  private void count(Storage storage) {
    int count = 0;
    try (Scan scan = reader.scan(BlockKeys.replicasOf(storage.index()))) {
      for (; scan.hasNext() && !Thread.currentThread().isInterrupted(); scan.next()) {
        count++;
      }
    }
    storage.updateNumBlocks(count);
  }
}
