package io.acaciafs.blocks.record;

import io.acaciafs.blocks.datanode.DatanodeRows;
import io.acaciafs.blocks.load.LoadedBlocks;
import io.acaciafs.blocks.peers.PeerStates;
import io.acaciafs.blocks.repair.Transfers;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.Transaction;
import io.acaciafs.kv.memory.MemoryStore;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;

/**
 * Any bytes as a stored row of a block or a DataNode. Target of a coverage-guided fuzzer
 * (docs/fuzzing.md); {@link FuzzedRowTest} replays its corpus.
 *
 * <p>What has to hold: bytes are a row, which can be written and read again as the same, or they
 * are refused by a {@link StoreException}; and both ways to read a block's row read the same.
 *
 * <p>The first byte of an input says which row.
 */
public final class RowFuzzer {
  private static final List<Consumer<byte[]>> ROWS =
      List.of(
          RowFuzzer::block,
          RowFuzzer::owner,
          RowFuzzer::storage,
          row -> DatanodeRows.node("uuid", row),
          BlockRows::generationStampIn,
          LoadedBlocks::isMissing,
          PeerStates::decode,
          StorageCheckRows::decode,
          Transfers::decode);

  private RowFuzzer() {}

  /** Called by the fuzzer. */
  public static void fuzzerTestOneInput(byte[] input) {
    if (input.length > 0) {
      byte[] row = Arrays.copyOfRange(input, 1, input.length);
      try {
        ROWS.get((input[0] & 0xff) % ROWS.size()).accept(row);
      } catch (StoreException e) {
        return; // refused
      }
    }
  }

  private static void block(byte[] row) {
    BlockRecord any;
    try {
      any = BlockRecord.decodeAny(row);
    } catch (StoreException e) {
      require(PlainBlock.read(row) == null, "nothing is plain that is no row");
      throw e;
    }
    BlockRecord record = BlockRecord.decode(row);
    require(record.equals(any), "both ways to read read the same");
    require(again(record).equals(record), "a block is the same when read again");
    LoadedBlocks.isMissing(row);
  }

  private static BlockRecord again(BlockRecord record) {
    try {
      return BlockRecord.decode(record.encode());
    } catch (StoreException e) {
      throw new AssertionError("Broken: what was written can be read", e);
    }
  }

  private static void owner(byte[] row) {
    Owner owner = Owner.decode(row);
    require(Owner.decode(owner.encode()).equals(owner), "an owner is the same when read again");
  }

  /** A storage that describes itself anew. */
  private static void storage(byte[] row) {
    MemoryStore store = new MemoryStore();
    Key key = BlockKeys.storage("node", "storage");
    Transaction before = store.begin();
    before.put(key, row);
    before.put(BlockKeys.datanode("node"), new byte[0]);
    before.commit().join();
    int index = DatanodeRows.storage(row).getIndex();
    StorageTypes.type(DatanodeRows.storage(row).getType());
    StorageTypes.state(DatanodeRows.storage(row).getState());
    Transaction tx = store.begin();
    List<DatanodeStorage> storages = List.of(new DatanodeStorage("storage"));
    require(
        DatanodeRows.describe(tx, "node", storages, () -> 7).keySet().equals(Set.of(index)),
        "a storage keeps its index");
    tx.commit().join();
    require(DatanodeRows.storage(store.get(key)).getIndex() == index, "a storage keeps its index");
  }

  private static void require(boolean condition, String rule) {
    if (!condition) {
      throw new AssertionError("Broken: " + rule);
    }
  }
}
