package io.acaciafs.blocks.repair;

import io.acaciafs.blocks.datanode.Datanode;
import io.acaciafs.blocks.datanode.DatanodeRegistry;
import io.acaciafs.blocks.datanode.Ownership;
import io.acaciafs.blocks.datanode.Storage;
import io.acaciafs.blocks.record.BlockKeys;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.Scan;
import java.time.Clock;
import java.util.Collections;
import java.util.Iterator;

/**
 * Counts the replicas on storages, only for reports. It walks over the index of storages that
 * reported since the last count: a few at each look, as there may be thousands behind a start and
 * the thread has other things to do. Used by one thread.
 */
final class ReplicaCounts {
  private final Reader reader;
  private final DatanodeRegistry registry;
  private final Ownership ownership;
  private final ShortLooks looks;
  private Iterator<Datanode> rest = Collections.emptyIterator();

  ReplicaCounts(Reader reader, DatanodeRegistry registry, Ownership ownership, Clock clock) {
    this.reader = reader;
    this.registry = registry;
    this.ownership = ownership;
    this.looks = new ShortLooks(clock);
  }

  /** The owner of a DataNode counts for all. */
  void look() {
    if (!looks.begin()) {
      return;
    }
    if (!rest.hasNext()) {
      rest = registry.view().datanodes().iterator();
    }
    while (rest.hasNext() && looks.goesOn()) {
      Datanode datanode = rest.next();
      if (ownership.isMine(datanode)) {
        datanode.storages().stream().filter(Storage::takeUncounted).forEach(this::count);
      }
    }
    looks.rest();
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
