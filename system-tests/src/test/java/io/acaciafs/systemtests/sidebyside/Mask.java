package io.acaciafs.systemtests.sidebyside;

import java.util.regex.Pattern;

/**
 * What differs between two NameNodes that do the same, and is covered before answers are compared.
 */
enum Mask {
  /** The place where an exception was thrown need not be equal. */
  STACK_TRACE("(?s)\n(\tat |Caused by: ).*", ""),
  /** Inode ids in texts: each NameNode counts its own, and ours more sparingly. */
  INODE_ID("\\(inode \\d{5,8}\\)", "(inode #)"),
  /** The same in paths. */
  INODE_PATH("/\\.reserved/\\.inodes/\\d{5,8}\\b", "/.reserved/.inodes/#"),
  /** Each NameNode counts its own blocks. */
  BLOCK("blk_\\d{10}(?!\\d)", "blk_#"),
  /** Stamps grow with each block at Hadoop's, and per block at ours. */
  STAMP("blk_(#|-?\\d+)_\\d+", "blk_$1_#"),
  /** The block pool is named by a random number and the time of the format. */
  POOL("BP-\\d+-[\\d.]+-\\d+", "BP-#"),
  /** Each cluster has its own ports, on one address. */
  ADDRESS("127\\.0\\.0\\.1:\\d+", "127.0.0.1:#"),
  /** Ids in fields of an answer; HDFS also gives ids to objects that have none. */
  ID_FIELD("\n *(fileId|blockId|generationStamp|genStamp|id|inodeId): \\d+", ""),
  /** A clock inside the NameNode's process that the test cannot read. */
  MONOTONIC_FIELD("\n *last(Update|BlockReport)Monotonic: \\d+", ""),
  /** The root of HDFS may have snapshots; of Acacia nothing may yet. */
  SNAPSHOT_FLAG("\n *flags: 8(?=\n)|\"snapshotEnabled\":true,", ""),
  /** When something happened, as fields of an answer. */
  TIME_FIELD(
      "(modification_time|access_time|lastUpdate\\w*|lastBlockReport\\w*|startTime|endTime): \\d+",
      "$1: #"),
  /** When the clusters were formatted. */
  CLUSTER_FIELD("(namespceID|cTime|clusterID|ctime|namespaceID): \\S+", "$1: #"),
  /** The same in a DataNode's registration as text. */
  REGISTRATION("cid=[^;]*;nsid=-?\\d+;c=-?\\d+", "cid=#;nsid=#;c=#"),
  /** Ids of blocks in a text without their prefix. */
  EXPECTED_BLOCK("expected id = \\d{10}", "expected id = #"),
  /** The same of inodes. */
  FILE_ID("fileId=\\d{5,8}", "fileId=#"),
  /** What the JVM says of a null, in terms of the program. */
  NULL("java\\.lang\\.NullPointerException: .*", "java.lang.NullPointerException");

  private final Pattern pattern;
  private final String replacement;

  Mask(String pattern, String replacement) {
    this.pattern = Pattern.compile(pattern);
    this.replacement = replacement;
  }

  static String all(String text) {
    String masked = text;
    for (Mask mask : values()) {
      masked = mask.pattern.matcher(masked).replaceAll(mask.replacement);
    }
    return masked;
  }
}
