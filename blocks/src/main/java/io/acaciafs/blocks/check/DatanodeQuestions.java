package io.acaciafs.blocks.check;

import com.google.protobuf.InvalidProtocolBufferException;
import io.acaciafs.blocks.datanode.StoredStorages;
import io.acaciafs.blocks.proto.StorageIndexRow;
import io.acaciafs.blocks.record.BlockKeys;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.check.Finding;
import io.acaciafs.kv.check.Question;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Whether the rows of DataNodes and storages agree. Stateless. */
final class DatanodeQuestions {
  private DatanodeQuestions() {}

  /**
   * @param storages all that there are
   */
  static Question storage(Key key, Supplier<StoredStorages> storages) {
    return (reader, findings) -> {
      byte[] row = reader.get(key);
      if (row == null) {
        return;
      }
      String uuid = BlockKeys.datanodeUuidInStorage(key);
      String subject = "datanode=" + uuid + " storage-uuid=" + BlockKeys.storageUuidIn(key);
      int index = StoredStorages.indexIn(row);
      if (index == 0) {
        findings.accept(
            Finding.damage("unreadable-storage", subject, "A storage has no index.", null));
        return;
      }
      if (reader.get(BlockKeys.datanode(uuid)) == null) {
        findings.accept(
            Finding.damage(
                "storage-of-no-datanode",
                subject,
                "A storage belongs to a DataNode of which nothing is known.",
                null));
      }
      Key other = storages.get().keys().get(index);
      if (other != null && !other.equals(key)) {
        findings.accept(
            Finding.damage(
                "storage-index-twice",
                subject + " storage=" + index,
                "Two storages have the same index.",
                null));
      }
    };
  }

  /** Of the highest index given out. */
  static Question lastIndex() {
    return (reader, findings) -> {
      int highest = StoredStorages.read(reader).highest();
      byte[] row = reader.get(BlockKeys.lastStorageIndex());
      if (highest > indexIn(row)) {
        findings.accept(
            Finding.damage(
                "id-counter",
                "kind=storage",
                "Indexes of storages are in use up to "
                    + highest
                    + ", and more than "
                    + indexIn(row)
                    + " count as free.",
                tx ->
                    tx.put(
                        BlockKeys.lastStorageIndex(),
                        StorageIndexRow.newBuilder().setLastIndex(highest).build().toByteArray())));
      }
    };
  }

  private static int indexIn(byte @Nullable [] row) {
    try {
      return row == null ? 0 : StorageIndexRow.parseFrom(row).getLastIndex();
    } catch (InvalidProtocolBufferException e) {
      return 0; // as if there were none
    }
  }

  /** Of a storage whose blocks are to be looked at. */
  static Question check(Key key, Supplier<StoredStorages> storages) {
    return (reader, findings) -> {
      int index = BlockKeys.storageIndexInCheck(key);
      if (reader.get(key) != null && !storages.get().indexes().contains(index)) {
        findings.accept(
            Finding.stale(
                "check-of-no-storage",
                "storage=" + index,
                "The blocks of a storage are to be looked at of which nothing is known.",
                tx -> tx.delete(key)));
      }
    };
  }
}
