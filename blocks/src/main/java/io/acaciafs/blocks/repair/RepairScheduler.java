package io.acaciafs.blocks.repair;

import io.acaciafs.blocks.datanode.Datanode;
import io.acaciafs.blocks.datanode.DatanodeRegistry;
import io.acaciafs.blocks.datanode.DatanodeServices;
import io.acaciafs.blocks.datanode.Ownership;
import io.acaciafs.blocks.datanode.Storage;
import io.acaciafs.blocks.datanode.StoredReplicaStates;
import io.acaciafs.blocks.placement.TargetChooser;
import io.acaciafs.blocks.proto.RepairQueue;
import io.acaciafs.blocks.record.BlockKeys;
import io.acaciafs.blocks.record.BlockRecord;
import io.acaciafs.blocks.record.BlockRows;
import io.acaciafs.blocks.record.ReportedReplica;
import io.acaciafs.blocks.redundancy.BlockRecordWriter;
import io.acaciafs.blocks.redundancy.Redundancy;
import io.acaciafs.blocks.redundancy.RedundancyServices;
import io.acaciafs.blocks.redundancy.ReplicaUpdates;
import io.acaciafs.blocks.settings.BlockContext;
import io.acaciafs.blocks.settings.RepairSettings;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Scan;
import io.acaciafs.kv.Transaction;
import io.acaciafs.kv.run.InFlight;
import io.acaciafs.kv.run.TransactionRunner;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Takes blocks from the repair queue, those at highest risk first, and has replicas of them copied:
 * chooses a source that is not busy and targets, by the rules of placement, and writes down both. A
 * round asks for so many copies at most; a block that cannot be helped now is passed by, and its
 * turn comes again when all others of its queue had theirs. Run by one thread.
 */
public final class RepairScheduler {
  private static final List<RepairQueue> ORDER =
      List.of(
          RepairQueue.HIGHEST_PRIORITY,
          RepairQueue.VERY_LOW_REDUNDANCY,
          RepairQueue.LOW_REDUNDANCY,
          RepairQueue.BADLY_DISTRIBUTED);

  /** Blocks that a round looks at, for each copy that it may ask for. */
  private static final int LOOKS_A_COPY = 10;

  private final TransactionRunner runner;
  private final DatanodeRegistry registry;
  private final StoredReplicaStates replicaStates;
  private final TargetChooser chooser;
  private final BlockRecordWriter recordWriter;
  private final ReplicaUpdates updates;
  private final Transfers transfers;
  private final Ownership ownership;
  private final Clock clock;
  private volatile RepairSettings settings;
  private final Map<RepairQueue, KeyRange> rest = new EnumMap<>(RepairQueue.class);

  public RepairScheduler(
      BlockContext context,
      DatanodeServices datanodes,
      TargetChooser chooser,
      RedundancyServices redundancy,
      Transfers transfers) {
    this.runner = context.runner();
    this.registry = datanodes.registry();
    this.replicaStates = datanodes.replicaStates();
    this.chooser = chooser;
    this.recordWriter = redundancy.recordWriter();
    this.updates = redundancy.updates();
    this.transfers = transfers;
    this.ownership = datanodes.ownership();
    this.clock = context.clock();
    this.settings = context.repairSettings();
  }

  /** From now on these hold. */
  public void configure(RepairSettings newSettings) {
    settings = newSettings;
  }

  /** Whether any queue has a block: one question, for the many that a round asks. */
  private boolean hasWork() {
    try (Scan scan = runner.store().scan(BlockKeys.repairs(), 1)) {
      return scan.hasNext();
    }
  }

  /** One round. Waits until it is durable. */
  void run() throws IOException {
    countWaiting();
    if (!hasWork()) {
      return;
    }
    int copies = chooser.runningNodes() * settings.copies().workMultiplier();
    InFlight inFlight = new InFlight(runner);
    for (RepairQueue queue : ORDER) {
      List<Key> keys = next(queue, copies * LOOKS_A_COPY);
      for (int i = 0; i < keys.size() && copies > 0; i++) {
        copies -= schedule(queue, BlockKeys.blockIdInRepair(keys.get(i)), inFlight);
        rest.put(queue, BlockKeys.repairsIn(queue).startingAfter(keys.get(i).bytes()));
      }
    }
    inFlight.await();
  }

  /** Where another NameNode hands copies out, only the rows tell how many are left. */
  private void countWaiting() {
    for (Datanode node : registry.view().datanodes()) {
      if (node.waitingTransfers() > 0 && !ownership.isMine(node)) {
        node.storages()
            .forEach(
                storage ->
                    storage
                        .transfers()
                        .recount(
                            runner.store(),
                            storage.index(),
                            settings.copies().maxStreamsHardLimit()));
      }
    }
  }

  /** The next ones of a queue; behind its end, the first ones again. */
  private List<Key> next(RepairQueue queue, int limit) {
    List<Key> keys = new ArrayList<>();
    if (limit > 0) {
      try (Scan scan = runner.store().scan(rest.getOrDefault(queue, BlockKeys.repairsIn(queue)))) {
        while (keys.size() < limit && scan.hasNext()) {
          keys.add(scan.next().key());
        }
      }
      if (keys.isEmpty() && rest.remove(queue) != null) {
        return next(queue, limit);
      }
    }
    return keys;
  }

  /**
   * @return how many copies were asked for
   */
  private int schedule(RepairQueue queue, long blockId, InFlight inFlight) throws IOException {
    BlockRecord record = BlockRows.read(runner.store(), blockId);
    if (record == null || !recordWriter.isSettled(record)) {
      review(blockId, inFlight);
      return 0;
    }
    Redundancy redundancy = recordWriter.redundancy(record);
    Storage source = source(queue, record);
    if (source == null || redundancy.missing() == 0) {
      return 0;
    }
    List<Storage> targets = targets(record, redundancy, source);
    if (targets.isEmpty()) {
      makeRoom(blockId, record, inFlight);
      return 0;
    }
    source.transfers().reserve(clock.millis());
    inFlight.submit(
        tx -> write(tx, blockId, record, source, targets),
        written -> {
          if (!written) {
            source.transfers().release();
          }
        });
    return targets.size();
  }

  private boolean write(
      Transaction tx, long blockId, BlockRecord record, Storage source, List<Storage> targets) {
    if (!record.equals(BlockRows.get(tx, blockId))) {
      return false; // its turn comes again
    }
    List<Integer> copying = targets.stream().map(Storage::index).toList();
    List<Integer> expected = new ArrayList<>(record.expected());
    expected.addAll(copying);
    BlockRecord copied =
        record.withExpected(expected).withRepairState(record.repairState().withCopying(copying));
    recordWriter.save(tx, blockId, record, copied);
    transfers.put(tx, source.index(), blockId, targets);
    return true;
  }

  /** Nodes that are to be emptied send first: they have nothing else to do. */
  private @Nullable Storage source(RepairQueue queue, BlockRecord record) {
    int limit =
        queue == RepairQueue.HIGHEST_PRIORITY
            ? settings.copies().maxStreamsHardLimit()
            : settings.copies().maxStreams();
    return record.storages().stream()
        .filter(replicaStates::isReadable)
        .map(registry::storage)
        .filter(storage -> storage.datanode().waitingTransfers() < limit)
        .min(
            Comparator.<Storage, Boolean>comparing(storage -> storage.datanode().isInService())
                .thenComparing(storage -> storage.datanode().waitingTransfers())
                .thenComparing(storage -> storage.datanode().transfers()))
        .orElse(null);
  }

  private List<Storage> targets(BlockRecord record, Redundancy redundancy, Storage source) {
    Set<String> excluded = new HashSet<>();
    Stream.of(
            record.storages().stream(),
            record.expected().stream(),
            record.reported().stream().map(ReportedReplica::storage),
            record.repairState().corrupt().stream().map(ReportedReplica::storage))
        .flatMap(stream -> stream)
        .map(replicaStates::datanode)
        .forEach(node -> excluded.add(node == null ? "" : node.uuid()));
    List<Storage> existing =
        Stream.concat(
                Redundancy.liveStorages(record, replicaStates).stream(), record.expected().stream())
            .map(registry::storage)
            .filter(storage -> storage != null && replicaStates.isReadable(storage.index()))
            .toList();
    List<Storage> targets =
        chooser.chooseCopies(redundancy.missing(), source.datanode(), existing, excluded, record);
    if (redundancy.isEnough()) {
      List<Datanode> nodes = existing.stream().map(Storage::datanode).toList();
      return targets.stream()
          .filter(
              target -> recordWriter.isBetterWith(target.datanode(), nodes, record.replication()))
          .toList();
    }
    return targets;
  }

  /** All nodes have a replica of it, and on some it is corrupt: that one makes room for a copy. */
  private void makeRoom(long blockId, BlockRecord record, InFlight inFlight) throws IOException {
    if (updates.canDropOneCorrupt(record)) {
      inFlight.submit(
          tx -> {
            updates.dropOneCorrupt(tx, blockId);
            return null;
          });
    }
  }

  private void review(long blockId, InFlight inFlight) throws IOException {
    inFlight.submit(
        tx -> {
          updates.review(tx, blockId);
          return null;
        });
  }
}
