package io.acaciafs.blocks.record;

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
public final class BlockKeys {
  public static final Table BLOCKS = Table.ofScatteredRows("blocks");
  public static final Table REPLICAS = Table.ofScatteredRows("replicas");
  public static final Table INVALIDATIONS = Table.ofSingleRows("invalidations");
  public static final Table REPAIRS = Table.ofSingleRows("repairs");
  public static final Table PENDING_REPAIRS = Table.ofSingleRows("pending_repairs");
  public static final Table TRANSFERS = Table.ofSingleRows("transfers");
  static final Table BLOCK_COUNTERS = Table.ofSingleRows("block_counters");

  /** Few rows, changed together: one partition. */
  static final Table DATANODES = new Table("datanodes", 1);

  public static final Set<Table> TABLES =
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
  private static final byte ROLLING_UPGRADE = 8;
  private static final byte TRUNCATE_COPY = 9;
  private static final byte ACCESS_KEYS = 10;

  private BlockKeys() {}

  public static Key block(long blockId) {
    return new Key(BLOCKS, ByteBuffer.allocate(Long.BYTES).putLong(ordered(blockId)).array());
  }

  public static long blockIdInBlock(Key key) {
    return ordered(ByteBuffer.wrap(key.bytes()).getLong());
  }

  public static Key replica(int storageIndex, long blockId) {
    return inStorage(REPLICAS, storageIndex, blockId);
  }

  public static KeyRange blocks() {
    return KeyRange.ofTable(BLOCKS);
  }

  public static KeyRange replicasOf(int storageIndex) {
    return KeyRange.ofPrefix(REPLICAS, prefix(storageIndex));
  }

  public static Key invalidation(int storageIndex, long blockId) {
    return inStorage(INVALIDATIONS, storageIndex, blockId);
  }

  public static KeyRange invalidationsOf(int storageIndex) {
    return KeyRange.ofPrefix(INVALIDATIONS, prefix(storageIndex));
  }

  /** Of this storage and those with higher indexes. */
  public static KeyRange invalidationsFrom(int storageIndex) {
    return new KeyRange(INVALIDATIONS, prefix(storageIndex), null);
  }

  public static Key transfer(int storageIndex, long blockId) {
    return inStorage(TRANSFERS, storageIndex, blockId);
  }

  public static KeyRange transfersOf(int storageIndex) {
    return KeyRange.ofPrefix(TRANSFERS, prefix(storageIndex));
  }

  /** Of this storage and those with higher indexes. */
  public static KeyRange transfersFrom(int storageIndex) {
    return new KeyRange(TRANSFERS, prefix(storageIndex), null);
  }

  public static Key repair(RepairQueue queue, long blockId) {
    return new Key(
        REPAIRS,
        ByteBuffer.allocate(1 + Long.BYTES)
            .put((byte) queue.getNumber())
            .putLong(ordered(blockId))
            .array());
  }

  public static KeyRange repairsIn(RepairQueue queue) {
    return KeyRange.ofPrefix(REPAIRS, new byte[] {(byte) queue.getNumber()});
  }

  /** Of all queues. */
  public static KeyRange repairs() {
    return KeyRange.ofTable(REPAIRS);
  }

  public static long blockIdInRepair(Key key) {
    return ordered(ByteBuffer.wrap(key.bytes()).getLong(1));
  }

  /** In the order in which they fall due. */
  public static Key pendingRepair(long dueMs, long blockId) {
    return new Key(
        PENDING_REPAIRS,
        ByteBuffer.allocate(2 * Long.BYTES).putLong(dueMs).putLong(ordered(blockId)).array());
  }

  public static long dueMsIn(Key pendingRepair) {
    return ByteBuffer.wrap(pendingRepair.bytes()).getLong();
  }

  public static long blockIdInPendingRepair(Key key) {
    return ordered(ByteBuffer.wrap(key.bytes()).getLong(Long.BYTES));
  }

  /** One row of counters for the whole cluster, see {@link RedundancyCounters}. */
  public static Key blockCounters() {
    return new Key(BLOCK_COUNTERS, new byte[] {0});
  }

  /** How many blocks wait for their first report, see {@code Adoption}. */
  public static Key adoption() {
    return new Key(BLOCK_COUNTERS, new byte[] {1});
  }

  /** See {@code Adoption}. */
  public static Key adoptedGenerationStamp() {
    return new Key(BLOCK_COUNTERS, new byte[] {2});
  }

  /** See {@link OwnershipEpoch}. */
  static Key ownershipEpoch() {
    return new Key(DATANODES, new byte[] {DATANODES_PARTITION, EPOCH});
  }

  /** See {@link RollingUpgrade}. */
  static Key rollingUpgrade() {
    return new Key(DATANODES, new byte[] {DATANODES_PARTITION, ROLLING_UPGRADE});
  }

  /** See {@link TruncateCopies}. */
  static Key truncateCopy(long blockId) {
    return new Key(
        DATANODES,
        ByteBuffer.allocate(2 + Long.BYTES)
            .put(DATANODES_PARTITION)
            .put(TRUNCATE_COPY)
            .putLong(ordered(blockId))
            .array());
  }

  /** The keys that sign block tokens: secret. */
  public static Key accessKeys() {
    return new Key(DATANODES, new byte[] {DATANODES_PARTITION, ACCESS_KEYS});
  }

  /** See {@link Owner}. */
  public static Key owner(String datanodeUuid) {
    return new Key(DATANODES, withKind(OWNER, datanodeUuid));
  }

  public static KeyRange owners() {
    return KeyRange.ofPrefix(DATANODES, new byte[] {DATANODES_PARTITION, OWNER});
  }

  /** See {@code PeerStates}. */
  public static Key peerState(long nameNode, int part) {
    return new Key(
        DATANODES,
        ByteBuffer.allocate(2 + Long.BYTES + Integer.BYTES)
            .put(DATANODES_PARTITION)
            .put(BOARD)
            .putLong(nameNode)
            .putInt(part)
            .array());
  }

  public static KeyRange peerStates() {
    return KeyRange.ofPrefix(DATANODES, new byte[] {DATANODES_PARTITION, BOARD});
  }

  /** What all NameNodes tell of their DataNodes, and the count of changes. */
  public static KeyRange peerStatesAndChanges() {
    return new KeyRange(
        DATANODES,
        new byte[] {DATANODES_PARTITION, BOARD},
        new byte[] {DATANODES_PARTITION, CHANGES + 1});
  }

  public static boolean isChanges(Key key) {
    return key.bytes()[1] == CHANGES;
  }

  public static long nameNodeInPeerState(Key key) {
    return ByteBuffer.wrap(key.bytes()).getLong(2);
  }

  public static int partInPeerState(Key key) {
    return ByteBuffer.wrap(key.bytes()).getInt(2 + Long.BYTES);
  }

  /** Counts changes of the rows of DataNodes, storages and owners, see {@code NodeChanges}. */
  public static Key datanodeChanges() {
    return new Key(DATANODES, new byte[] {DATANODES_PARTITION, CHANGES});
  }

  public static Key check(int storageIndex) {
    return new Key(
        DATANODES,
        ByteBuffer.allocate(2 + Integer.BYTES)
            .put(DATANODES_PARTITION)
            .put(CHECK)
            .putInt(storageIndex)
            .array());
  }

  public static KeyRange checks() {
    return KeyRange.ofPrefix(DATANODES, new byte[] {DATANODES_PARTITION, CHECK});
  }

  public static int storageIndexInCheck(Key key) {
    return ByteBuffer.wrap(key.bytes()).getInt(2);
  }

  /** The block id of a key of {@link #replica}, {@link #invalidation} or {@link #transfer}. */
  public static long blockIdIn(Key key) {
    return ordered(ByteBuffer.wrap(key.bytes()).getLong(Integer.BYTES));
  }

  /** The storage of a key of {@link #replica}, {@link #invalidation} or {@link #transfer}. */
  public static int storageIndexIn(Key key) {
    return ByteBuffer.wrap(key.bytes()).getInt();
  }

  public static Key lastStorageIndex() {
    return new Key(DATANODES, new byte[] {DATANODES_PARTITION, LAST_INDEX});
  }

  public static Key datanode(String datanodeUuid) {
    return new Key(DATANODES, withKind(DATANODE, datanodeUuid));
  }

  public static KeyRange datanodes() {
    return KeyRange.ofPrefix(DATANODES, new byte[] {DATANODES_PARTITION, DATANODE});
  }

  /** Of a key of {@link #datanode} or {@link #owner}. */
  public static String datanodeUuidIn(Key key) {
    return text(key, 2, key.bytes().length);
  }

  /** Storage uuids need be unique only within their DataNode. */
  public static Key storage(String datanodeUuid, String storageUuid) {
    return new Key(DATANODES, withKind(STORAGE, datanodeUuid + '\0' + storageUuid));
  }

  public static KeyRange storagesOf(String datanodeUuid) {
    return KeyRange.ofPrefix(DATANODES, withKind(STORAGE, datanodeUuid + '\0'));
  }

  public static KeyRange storages() {
    return KeyRange.ofPrefix(DATANODES, new byte[] {DATANODES_PARTITION, STORAGE});
  }

  public static String datanodeUuidInStorage(Key key) {
    return text(key, 2, separator(key));
  }

  public static String storageUuidIn(Key key) {
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
