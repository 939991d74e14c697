package io.acaciafs.blocks.datanode;

import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.util.VersionUtil;

/**
 * What DataNodes of older releases do not know: a storage type without a name in their protocol is
 * lost on the way, and then the types do not fit the targets, at which the DataNode stops to take
 * in commands. Source: HdfsProtos of Hadoop 2.10, 3.3 and 3.5. Stateless.
 */
final class OldSoftware {
  private static final String FIRST_WITH_PROVIDED = "3.1.0";
  private static final String FIRST_WITH_NVDIMM = "3.4.0";

  private OldSoftware() {}

  /**
   * How a DataNode is told a storage type: one that it does not know is DISK to it.
   *
   * @param version of the DataNode's software
   */
  static StorageType told(StorageType type, String version) {
    return switch (type) {
      case PROVIDED -> since(FIRST_WITH_PROVIDED, type, version);
      case NVDIMM -> since(FIRST_WITH_NVDIMM, type, version);
      case DISK, SSD, ARCHIVE, RAM_DISK -> type;
    };
  }

  private static StorageType since(String first, StorageType type, String version) {
    return VersionUtil.compareVersions(version, first) < 0 ? StorageType.DISK : type;
  }
}
