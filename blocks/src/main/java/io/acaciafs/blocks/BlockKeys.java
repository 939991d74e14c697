package io.acaciafs.blocks;

import io.acaciafs.blocks.proto.RepairQueue;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Table;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Set;

/**
 * The keys of all rows of this module; nobody else makes or reads their bytes.
 *
 * <p>A block id is stored with its sign bit flipped, so that rows come in the order of signed ids.
 */
final class BlockKeys {
  static final Table BLOCKS = Table.ofScatteredRows("blocks");
  static final Table REPLICAS = Table.ofScatteredRows("replicas");
  static final Table INVALIDATIONS = Table.ofSingleRows("invalidations");
  static final Table REPAIRS = Table.ofSingleRows("repairs");
  static final Table PENDING_REPAIRS = Table.ofSingleRows("pending_repairs");
  static final Table TRANSFERS = Table.ofSingleRows("transfers");
  static final Table BLOCK_COUNTERS = Table.ofSingleRows("block_counters");

  /** Few rows, changed together: one partition. */
  static final Table DATANODES = new Table("datanodes", 1);

  static final Set<Table> TABLES =
      Set.of(
          BLOCKS,
          REPLICAS,
          INVALIDATIONS,
          REPAIRS,
          PENDING_REPAIRS,
          TRANSFERS,
          BLOCK_COUNTERS,
          DATANODES);

  private static final byte DATANODES_PARTITION = 0;
  private static final byte LAST_INDEX = 0;
  private static final byte DATANODE = 1;
  private static final byte STORAGE = 2;
  private static final byte CHECK = 3;
  private static final byte EPOCH = 4;
  private static final byte OWNER = 5;
  private static final byte BOARD = 6;
  private static final byte CHANGES = 7;

  private BlockKeys() {}

  static Key block(long blockId) {
    return new Key(BLOCKS, ByteBuffer.allocate(Long.BYTES).putLong(ordered(blockId)).array());
  }

  static long blockIdInBlock(Key key) {
    return ordered(ByteBuffer.wrap(key.bytes()).getLong());
  }

  static Key replica(int storageIndex, long blockId) {
    return inStorage(REPLICAS, storageIndex, blockId);
  }

  static KeyRange blocks() {
    return KeyRange.ofTable(BLOCKS);
  }

  static KeyRange replicasOf(int storageIndex) {
    return KeyRange.ofPrefix(REPLICAS, prefix(storageIndex));
  }

  static Key invalidation(int storageIndex, long blockId) {
    return inStorage(INVALIDATIONS, storageIndex, blockId);
  }

  static KeyRange invalidationsOf(int storageIndex) {
    return KeyRange.ofPrefix(INVALIDATIONS, prefix(storageIndex));
  }

  static Key transfer(int storageIndex, long blockId) {
    return inStorage(TRANSFERS, storageIndex, blockId);
  }

  static KeyRange transfersOf(int storageIndex) {
    return KeyRange.ofPrefix(TRANSFERS, prefix(storageIndex));
  }

  static Key repair(RepairQueue queue, long blockId) {
    return new Key(
        REPAIRS,
        ByteBuffer.allocate(1 + Long.BYTES)
            .put((byte) queue.getNumber())
            .putLong(ordered(blockId))
            .array());
  }

  static KeyRange repairsIn(RepairQueue queue) {
    return KeyRange.ofPrefix(REPAIRS, new byte[] {(byte) queue.getNumber()});
  }

  /** Of all queues. */
  static KeyRange repairs() {
    return KeyRange.ofTable(REPAIRS);
  }

  static long blockIdInRepair(Key key) {
    return ordered(ByteBuffer.wrap(key.bytes()).getLong(1));
  }

  /** In the order in which they fall due. */
  static Key pendingRepair(long dueMs, long blockId) {
    return new Key(
        PENDING_REPAIRS,
        ByteBuffer.allocate(2 * Long.BYTES).putLong(dueMs).putLong(ordered(blockId)).array());
  }

  static long dueMsIn(Key pendingRepair) {
    return ByteBuffer.wrap(pendingRepair.bytes()).getLong();
  }

  static long blockIdInPendingRepair(Key key) {
    return ordered(ByteBuffer.wrap(key.bytes()).getLong(Long.BYTES));
  }

  /** One row of counters for the whole cluster, see {@link RedundancyCounters}. */
  static Key blockCounters() {
    return new Key(BLOCK_COUNTERS, new byte[] {0});
  }

  /** How many blocks wait for their first report, see {@link Adoption}. */
  static Key adoption() {
    return new Key(BLOCK_COUNTERS, new byte[] {1});
  }

  /** See {@link Adoption}. */
  static Key adoptedGenerationStamp() {
    return new Key(BLOCK_COUNTERS, new byte[] {2});
  }

  /** See {@link OwnershipEpoch}. */
  static Key ownershipEpoch() {
    return new Key(DATANODES, new byte[] {DATANODES_PARTITION, EPOCH});
  }

  /** See {@link Owner}. */
  static Key owner(String datanodeUuid) {
    return new Key(DATANODES, withKind(OWNER, datanodeUuid));
  }

  static KeyRange owners() {
    return KeyRange.ofPrefix(DATANODES, new byte[] {DATANODES_PARTITION, OWNER});
  }

  /** See {@link Boards}. */
  static Key board(long nameNode, int part) {
    return new Key(
        DATANODES,
        ByteBuffer.allocate(2 + Long.BYTES + Integer.BYTES)
            .put(DATANODES_PARTITION)
            .put(BOARD)
            .putLong(nameNode)
            .putInt(part)
            .array());
  }

  static KeyRange boards() {
    return KeyRange.ofPrefix(DATANODES, new byte[] {DATANODES_PARTITION, BOARD});
  }

  /** All boards, and what counts the changes. */
  static KeyRange boardsAndChanges() {
    return new KeyRange(
        DATANODES,
        new byte[] {DATANODES_PARTITION, BOARD},
        new byte[] {DATANODES_PARTITION, CHANGES + 1});
  }

  static boolean isChanges(Key key) {
    return key.bytes()[1] == CHANGES;
  }

  static long nameNodeInBoard(Key key) {
    return ByteBuffer.wrap(key.bytes()).getLong(2);
  }

  static int partInBoard(Key key) {
    return ByteBuffer.wrap(key.bytes()).getInt(2 + Long.BYTES);
  }

  /** Counts changes of the rows of DataNodes, storages and owners, see {@link NodeChanges}. */
  static Key datanodeChanges() {
    return new Key(DATANODES, new byte[] {DATANODES_PARTITION, CHANGES});
  }

  static Key check(int storageIndex) {
    return new Key(
        DATANODES,
        ByteBuffer.allocate(2 + Integer.BYTES)
            .put(DATANODES_PARTITION)
            .put(CHECK)
            .putInt(storageIndex)
            .array());
  }

  static KeyRange checks() {
    return KeyRange.ofPrefix(DATANODES, new byte[] {DATANODES_PARTITION, CHECK});
  }

  static int storageIndexInCheck(Key key) {
    return ByteBuffer.wrap(key.bytes()).getInt(2);
  }

  /** The block id of a key of {@link #replica}, {@link #invalidation} or {@link #transfer}. */
  static long blockIdIn(Key key) {
    return ordered(ByteBuffer.wrap(key.bytes()).getLong(Integer.BYTES));
  }

  /** The storage of a key of {@link #replica}, {@link #invalidation} or {@link #transfer}. */
  static int storageIndexIn(Key key) {
    return ByteBuffer.wrap(key.bytes()).getInt();
  }

  static Key lastStorageIndex() {
    return new Key(DATANODES, new byte[] {DATANODES_PARTITION, LAST_INDEX});
  }

  static Key datanode(String datanodeUuid) {
    return new Key(DATANODES, withKind(DATANODE, datanodeUuid));
  }

  static KeyRange datanodes() {
    return KeyRange.ofPrefix(DATANODES, new byte[] {DATANODES_PARTITION, DATANODE});
  }

  /** Of a key of {@link #datanode} or {@link #owner}. */
  static String datanodeUuidIn(Key key) {
    return text(key, 2, key.bytes().length);
  }

  /** Storage uuids need be unique only within their DataNode. */
  static Key storage(String datanodeUuid, String storageUuid) {
    return new Key(DATANODES, withKind(STORAGE, datanodeUuid + '\0' + storageUuid));
  }

  static KeyRange storages() {
    return KeyRange.ofPrefix(DATANODES, new byte[] {DATANODES_PARTITION, STORAGE});
  }

  static String datanodeUuidInStorage(Key key) {
    return text(key, 2, separator(key));
  }

  static String storageUuidIn(Key key) {
    return text(key, separator(key) + 1, key.bytes().length);
  }

  private static Key inStorage(Table table, int storageIndex, long blockId) {
    return new Key(
        table,
        ByteBuffer.allocate(Integer.BYTES + Long.BYTES)
            .putInt(storageIndex)
            .putLong(ordered(blockId))
            .array());
  }

  private static byte[] prefix(int storageIndex) {
    return ByteBuffer.allocate(Integer.BYTES).putInt(storageIndex).array();
  }

  private static long ordered(long blockId) {
    return blockId ^ Long.MIN_VALUE;
  }

  private static byte[] withKind(byte kind, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocate(2 + bytes.length)
        .put(DATANODES_PARTITION)
        .put(kind)
        .put(bytes)
        .array();
  }

  private static int separator(Key key) {
    byte[] bytes = key.bytes();
    int at = 2;
    while (bytes[at] != 0) {
      at++;
    }
    return at;
  }

  private static String text(Key key, int from, int to) {
    return new String(key.bytes(), from, to - from, StandardCharsets.UTF_8);
  }
}
