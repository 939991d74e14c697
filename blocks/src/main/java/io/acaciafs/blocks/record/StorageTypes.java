package io.acaciafs.blocks.record;

import io.acaciafs.blocks.proto.StorageRow;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;

/** Hadoop's enums of storages, and the numbers that are stored for them. */
public final class StorageTypes {
  private StorageTypes() {}

  public static StorageRow.Type stored(StorageType type) {
    return switch (type) {
      case DISK -> StorageRow.Type.DISK;
      case SSD -> StorageRow.Type.SSD;
      case ARCHIVE -> StorageRow.Type.ARCHIVE;
      case RAM_DISK -> StorageRow.Type.RAM_DISK;
      case PROVIDED -> StorageRow.Type.PROVIDED;
      case NVDIMM -> StorageRow.Type.NVDIMM;
    };
  }

  public static StorageType type(StorageRow.Type stored) {
    return switch (stored) {
      case SSD -> StorageType.SSD;
      case ARCHIVE -> StorageType.ARCHIVE;
      case RAM_DISK -> StorageType.RAM_DISK;
      case PROVIDED -> StorageType.PROVIDED;
      case NVDIMM -> StorageType.NVDIMM;
      case DISK, UNRECOGNIZED -> StorageType.DISK;
    };
  }

  public static StorageRow.State stored(DatanodeStorage.State state) {
    return state == DatanodeStorage.State.NORMAL
        ? StorageRow.State.NORMAL
        : StorageRow.State.READ_ONLY_SHARED;
  }

  public static DatanodeStorage.State state(StorageRow.State stored) {
    return stored == StorageRow.State.NORMAL
        ? DatanodeStorage.State.NORMAL
        : DatanodeStorage.State.READ_ONLY_SHARED;
  }
}
