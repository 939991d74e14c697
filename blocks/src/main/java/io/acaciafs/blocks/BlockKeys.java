package io.acaciafs.blocks;

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
  static final Table BLOCKS = Table.ofSingleRows("blocks");
  static final Table REPLICAS = Table.ofSingleRows("replicas");
  static final Table INVALIDATIONS = Table.ofSingleRows("invalidations");

  /** Few rows, changed together: one partition. */
  static final Table DATANODES = new Table("datanodes", 1);

  static final Set<Table> TABLES = Set.of(BLOCKS, REPLICAS, INVALIDATIONS, DATANODES);

  private static final byte DATANODES_PARTITION = 0;
  private static final byte LAST_INDEX = 0;
  private static final byte DATANODE = 1;
  private static final byte STORAGE = 2;

  private BlockKeys() {}

  static Key block(long blockId) {
    return new Key(BLOCKS, ByteBuffer.allocate(Long.BYTES).putLong(ordered(blockId)).array());
  }

  static Key replica(int storageIndex, long blockId) {
    return inStorage(REPLICAS, storageIndex, blockId);
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

  /** The block id of a key of {@link #replica} or {@link #invalidation}. */
  static long blockIdIn(Key key) {
    return ordered(ByteBuffer.wrap(key.bytes()).getLong(Integer.BYTES));
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
