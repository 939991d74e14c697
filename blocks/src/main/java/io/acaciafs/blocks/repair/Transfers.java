package io.acaciafs.blocks.repair;

import com.google.protobuf.InvalidProtocolBufferException;
import io.acaciafs.blocks.datanode.Datanode;
import io.acaciafs.blocks.datanode.DatanodeRegistry;
import io.acaciafs.blocks.datanode.PendingTransfers;
import io.acaciafs.blocks.datanode.Storage;
import io.acaciafs.blocks.proto.TransferRow;
import io.acaciafs.blocks.record.BlockKeys;
import io.acaciafs.blocks.record.BlockRecord;
import io.acaciafs.blocks.record.BlockRows;
import io.acaciafs.blocks.settings.RepairSettings;
import io.acaciafs.kv.Row;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.Transaction;
import io.acaciafs.kv.run.RepeatedFailures;
import io.acaciafs.kv.run.TransactionRunner;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.server.protocol.BlockCommand;
import org.apache.hadoop.hdfs.server.protocol.DatanodeProtocol;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies that DataNodes are to send to others. A row is written in the transaction that makes the
 * targets expected, and given to the source once, with its next heartbeat, if they still are. If
 * nothing comes of it the time of what is expected runs out. Safe for use by many threads.
 */
public final class Transfers {
  private static final Logger LOG = LoggerFactory.getLogger(Transfers.class);

  private record Copy(Block block, List<Storage> targets) {}

  /** A row that no other heartbeat may take. */
  private record Taken(PendingTransfers from, Row row) {
    void giveBack() {
      from.giveBack(row);
    }
  }

  private final RepeatedFailures failures = new RepeatedFailures(LOG);
  private final TransactionRunner runner;
  private final DatanodeRegistry registry;
  private final String blockPoolId;
  private final Clock clock;
  private volatile RepairSettings settings;

  public Transfers(
      TransactionRunner runner,
      DatanodeRegistry registry,
      String blockPoolId,
      Clock clock,
      RepairSettings settings) {
    this.runner = runner;
    this.registry = registry;
    this.blockPoolId = blockPoolId;
    this.clock = clock;
    this.settings = settings;
  }

  /** From now on these hold. */
  public void configure(RepairSettings newSettings) {
    settings = newSettings;
  }

  void put(Transaction tx, int source, long blockId, List<Storage> targets) {
    TransferRow.Builder row = TransferRow.newBuilder();
    targets.forEach(target -> row.addTargets(target.index()));
    tx.put(BlockKeys.transfer(source, blockId), row.build().toByteArray());
  }

  /**
   * What a DataNode is to send now.
   *
   * @return null where there is nothing
   */
  public @Nullable BlockCommand next(Datanode datanode) {
    int limit = limit(datanode) - datanode.transfers();
    List<Taken> taken = new ArrayList<>();
    List<Copy> copies = new ArrayList<>();
    try {
      for (Storage storage : datanode.storages()) {
        PendingTransfers waiting = storage.transfers();
        List<Row> rows =
            waiting.take(runner.store(), storage.index(), limit - copies.size(), clock.millis());
        rows.forEach(row -> taken.add(new Taken(waiting, row)));
        rows.stream().map(this::copy).filter(Objects::nonNull).forEach(copies::add);
      }
    } catch (RuntimeException e) { // the store does not answer, and the DataNode hears of none
      taken.forEach(Taken::giveBack);
      throw e;
    }
    taken.forEach(this::remove);
    return copies.isEmpty() ? null : command(datanode, copies);
  }

  /** HDFS lets nodes send more that are to be emptied. */
  private int limit(Datanode datanode) {
    return datanode.isInService()
        ? settings.copies().maxStreams()
        : settings.copies().maxStreamsHardLimit();
  }

  /** Null where nobody waits for it any more. */
  private @Nullable Copy copy(Row row) {
    long blockId = BlockKeys.blockIdIn(row.key());
    BlockRecord record = BlockRows.read(runner.store(), blockId);
    if (record == null || !record.isCommitted()) {
      return null;
    }
    List<Storage> targets =
        decode(row.value()).getTargetsList().stream()
            .filter(record.expected()::contains)
            .map(registry::storage)
            .filter(Objects::nonNull)
            .toList();
    return targets.isEmpty()
        ? null
        : new Copy(new Block(blockId, record.numBytes(), record.generationStamp()), targets);
  }

  private void remove(Taken taken) {
    Row row = taken.row();
    runner
        .<Void>submit(
            tx -> {
              if (Arrays.equals(tx.get(row.key()), row.value())) { // else it was asked for anew
                tx.delete(row.key());
              }
              return null;
            })
        .whenComplete(
            (nothing, failure) -> {
              taken.giveBack();
              if (failure != null) {
                failures.failed("Transfer row not removed, may be sent again", failure);
              }
            });
  }

  private BlockCommand command(Datanode source, List<Copy> copies) {
    int count = copies.size();
    Block[] blocks = new Block[count];
    DatanodeInfo[][] nodes = new DatanodeInfo[count][];
    StorageType[][] types = new StorageType[count][];
    String[][] ids = new String[count][];
    for (int i = 0; i < count; i++) {
      List<Storage> targets = copies.get(i).targets();
      blocks[i] = copies.get(i).block();
      nodes[i] = targets.stream().map(t -> t.datanode().info()).toArray(DatanodeInfo[]::new);
      types[i] =
          targets.stream()
              .map(t -> source.told(t.description().getStorageType()))
              .toArray(StorageType[]::new);
      ids[i] = targets.stream().map(Storage::uuid).toArray(String[]::new);
    }
    return new BlockCommand(DatanodeProtocol.DNA_TRANSFER, blockPoolId, blocks, nodes, types, ids);
  }

  public static TransferRow decode(byte[] row) {
    try {
      return TransferRow.parseFrom(row);
    } catch (InvalidProtocolBufferException e) {
      throw new StoreException("Not a transfer row", e);
    }
  }
}
