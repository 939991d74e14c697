package io.acaciafs.blocks.write;

import io.acaciafs.blocks.datanode.Datanode;
import io.acaciafs.blocks.datanode.DatanodeRegistry;
import io.acaciafs.blocks.datanode.DatanodeServices;
import io.acaciafs.blocks.datanode.Liveness;
import io.acaciafs.blocks.datanode.Ownership;
import io.acaciafs.blocks.datanode.Storage;
import io.acaciafs.blocks.peers.PendingRecoveries;
import io.acaciafs.blocks.peers.PendingRecoveries.Hint;
import io.acaciafs.blocks.record.BlockRecord;
import io.acaciafs.blocks.record.BlockRows;
import io.acaciafs.blocks.record.Construction;
import io.acaciafs.blocks.record.Construction.Recovery;
import io.acaciafs.blocks.record.RollingUpgrade;
import io.acaciafs.blocks.record.TruncateCopies;
import io.acaciafs.blocks.redundancy.BlockRecordWriter;
import io.acaciafs.blocks.settings.BlockContext;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.Transaction;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.protocol.BlockRecoveryCommand.RecoveringBlock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings the replicas of a block whose writer is gone to one stamp and length, or all of them to a
 * shorter length. During a rolling upgrade the DataNodes do not cut their replicas, which a
 * rollback needs whole, but copy what is kept to a new block, as in HDFS; each attempt makes
 * another one.
 *
 * <p>One of the DataNodes that may hold it, the primary, is told to do so with its next heartbeat,
 * and says when it is done. An attempt that is not heard of for thirty heartbeats, or that another
 * process began, is given up for one with the next primary; its stamp tells the attempts apart.
 *
 * <p>All that must outlive the process stands in the block's row. Safe for use by many threads.
 */
public final class BlockRecovery {
  private static final Logger LOG = LoggerFactory.getLogger(BlockRecovery.class);

  private final DatanodeRegistry registry;
  private final Liveness liveness;
  private final BlockRecordWriter recordWriter;
  private final BlockOperations operations;
  private final String blockPoolId;
  private final Clock clock;
  private final long timeoutMs;
  private final long startedMs;
  private final PendingRecoveries pending;
  private final Ownership ownership;

  public BlockRecovery(
      BlockContext context,
      DatanodeServices datanodes,
      BlockRecordWriter recordWriter,
      BlockOperations operations,
      PendingRecoveries pending) {
    this.pending = pending;
    this.ownership = datanodes.ownership();
    this.registry = datanodes.registry();
    this.liveness = datanodes.liveness();
    this.recordWriter = recordWriter;
    this.operations = operations;
    this.blockPoolId = context.blockPoolId();
    this.clock = context.clock();
    this.timeoutMs = context.settings().recoveryTimeoutMs();
    this.startedMs = clock.millis();
  }

  /**
   * Begins the recovery of a block, or the next attempt of it when one is due; else does nothing.
   *
   * @param truncateToBytes the length that all replicas are to be cut to, which is more than 0; 0
   *     saves what it can, unless the recovery was begun to cut them
   * @param newBlockId gives the id of a new block
   * @throws IOException when there is no such block
   */
  public void start(Transaction tx, long blockId, long truncateToBytes, LongSupplier newBlockId)
      throws IOException {
    BlockRecord record = BlockRows.get(tx, blockId);
    if (record == null) {
      throw new IOException("Recovery of a block that is not there: " + blockId);
    }
    Recovery last = record.construction().recovery();
    if (last != null && !isDue(last)) {
      return;
    }
    BlockRecord open = record.isCommitted() ? record.reopened(placesOf(record)) : record;
    List<Integer> tried = last == null ? List.of() : last.tried();
    Storage primary = choosePrimary(placesOf(open), tried);
    if (primary == null && !tried.isEmpty()) {
      tried = List.of();
      primary = choosePrimary(placesOf(open), tried);
    }
    if (primary == null && last != null) {
      return; // nobody is there to do it
    }
    operations.giveUpCopy(tx, open);
    long lengthBytes = last == null ? truncateToBytes : last.truncateToBytes();
    long copyId = lengthBytes > 0 && isUpgradeUnderWay(tx) ? newBlockId.getAsLong() : 0;
    long id = open.nextGenerationStamp();
    if (copyId != 0) {
      id++; // see RecoveryRow
      TruncateCopies.put(tx, copyId, blockId);
    }
    List<Integer> newTried = new ArrayList<>(tried);
    if (primary != null) {
      newTried.add(primary.index());
      pending.add(
          primary.datanode().uuid(), new Hint(blockId, id, primary.index(), clock.millis()));
    }
    Recovery next =
        new Recovery(
            id,
            clock.millis(),
            primary == null ? 0 : primary.index(),
            newTried,
            lengthBytes,
            copyId);
    recordWriter.save(tx, blockId, record, open.with(new Construction(id, next)));
    LOG.info(
        "Block recovery begun block={} recoveryId={} primary={} truncateToBytes={} copy={}",
        blockId,
        id,
        primary == null ? null : primary.datanode().id(),
        lengthBytes,
        copyId);
  }

  /** Guarded: a backup for a rollback knows of all blocks that are cut in place. */
  private static boolean isUpgradeUnderWay(Transaction tx) {
    return RollingUpgrade.underWay(RollingUpgrade.guard(tx)) != null;
  }

  private boolean isDue(Recovery last) {
    long passedMs = clock.millis() - last.startedMs();
    if (last.primary() == 0 || passedMs > timeoutMs) {
      return true;
    }
    // Alone: this process knows nothing of it, or somebody set the clock back. Else it may be
    // another NameNode's, whose clock is not quite the same.
    return ownership.isAlone()
        ? last.startedMs() < startedMs || passedMs < 0
        : passedMs < -timeoutMs;
  }

  /** As HDFS chooses: a DataNode that is alive, was not tried, and was heard of last. */
  private @Nullable Storage choosePrimary(List<Integer> places, List<Integer> tried) {
    return places.stream()
        .filter(index -> !tried.contains(index))
        .map(registry::storage)
        .filter(storage -> storage != null && !liveness.isDead(storage.datanode()))
        .max(Comparator.comparingLong(storage -> storage.datanode().lastHeardMs()))
        .orElse(null);
  }

  /** One storage of each DataNode that may have a replica. */
  private List<Integer> placesOf(BlockRecord record) {
    List<Integer> places = new ArrayList<>();
    record.storages().forEach(index -> addPlace(places, index));
    record.reported().stream()
        .filter(replica -> replica.generationStamp() >= record.generationStamp())
        .forEach(replica -> addPlace(places, replica.storage()));
    record.written().forEach(index -> addPlace(places, index));
    return places;
  }

  private void addPlace(List<Integer> places, int index) {
    if (places.stream().noneMatch(place -> registry.sameNode(place, index))) {
      places.add(index);
    }
  }

  /** What a DataNode is to recover; each is said once, and none when the store fails. */
  public List<RecoveringBlock> next(Reader reader, Datanode datanode) {
    List<RecoveringBlock> blocks = new ArrayList<>();
    List<Hint> done = new ArrayList<>();
    for (Hint hint : pending.of(datanode.uuid(), clock.millis())) {
      BlockRecord record = BlockRows.read(reader, hint.blockId());
      Recovery recovery = record == null ? null : record.construction().recovery();
      boolean isOvertaken = record == null || record.nextGenerationStamp() > hint.recoveryId() + 1;
      if (record != null && recovery != null && recovery.id() == hint.recoveryId()) {
        blocks.add(recoveringBlock(hint.blockId(), record, recovery));
        done.add(hint);
      } else if (isOvertaken) {
        done.add(hint);
      } // else the transaction that begins the recovery is still under way
    }
    done.forEach(hint -> pending.forget(datanode.uuid(), hint));
    return blocks;
  }

  private RecoveringBlock recoveringBlock(long blockId, BlockRecord record, Recovery recovery) {
    ExtendedBlock block =
        new ExtendedBlock(
            blockPoolId, new Block(blockId, record.numBytes(), record.generationStamp()));
    DatanodeInfo[] places = participants(record);
    if (recovery.truncateToBytes() == 0) {
      return new RecoveringBlock(block, places, recovery.id());
    }
    long newId = recovery.copyId() == 0 ? blockId : recovery.copyId();
    return new RecoveringBlock(
        block, places, new Block(newId, recovery.truncateToBytes(), recovery.id()));
  }

  /** As in HDFS: stale DataNodes only slow it down, unless hardly any other is left. */
  private DatanodeInfo[] participants(BlockRecord record) {
    List<Datanode> all =
        placesOf(record).stream()
            .map(registry::storage)
            .filter(storage -> storage != null)
            .map(Storage::datanode)
            .toList();
    List<Datanode> live = filtered(all, node -> liveness.of(node) == Liveness.State.LIVE);
    List<Datanode> chosen = live.size() > 1 ? live : filtered(all, node -> !liveness.isDead(node));
    return chosen.stream().map(Datanode::info).toArray(DatanodeInfo[]::new);
  }

  private static List<Datanode> filtered(List<Datanode> nodes, Predicate<Datanode> wanted) {
    return nodes.stream().filter(wanted).toList();
  }

  /**
   * The primary has done it: the block is committed with this stamp and length, on these DataNodes.
   * Replicas that did not take part are deleted. Where a copy was to be made, it takes the place of
   * the block, which is removed.
   *
   * @param blockId the block that was to be recovered
   * @param recovered the same, or its copy
   * @return whether the block is complete, or the copy
   * @throws IOException when there is no such block, or it has no such copy on any known DataNode
   */
  public boolean finish(
      Transaction tx,
      long blockId,
      Block recovered,
      List<? extends DatanodeID> nodes,
      List<String> storageIds)
      throws IOException {
    BlockRecord record = BlockRows.get(tx, blockId);
    if (record == null) {
      throw new IOException("Recovery of a block that is not there: " + blockId);
    }
    List<Integer> storages = registry.storages(nodes, storageIds);
    long newId = recovered.getBlockId();
    BlockRecord before = newId == blockId ? record : replace(tx, blockId, record, newId, storages);
    BlockRecord changed =
        before.recovered(
            recovered.getGenerationStamp(), recovered.getNumBytes(), storages, registry::sameNode);
    for (int storage : storages) {
      BlockRows.addToIndex(tx, storage, newId);
      BlockRows.forgetInvalidation(tx, storage, newId);
    }
    return recordWriter.save(tx, newId, before, changed).isComplete();
  }

  /**
   * Removes a block whose copy is made.
   *
   * @param storages with the copy
   * @return the copy as if it were to be written
   */
  private BlockRecord replace(
      Transaction tx, long blockId, BlockRecord record, long copyId, List<Integer> storages)
      throws IOException {
    if (record.construction().copyId() != copyId || storages.isEmpty()) {
      throw new IOException("Block " + copyId + " is no copy of block " + blockId);
    }
    TruncateCopies.forget(tx, copyId);
    operations.remove(tx, blockId, record);
    return BlockRecord.allocated(
        record.fileId(), record.generationStamp(), record.replication(), List.of());
  }
}
