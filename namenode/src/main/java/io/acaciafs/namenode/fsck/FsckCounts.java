package io.acaciafs.namenode.fsck;

/**
 * What fsck has counted so far. Used by one thread; the fields are changed as files are checked.
 */
final class FsckCounts {
  long dirs;
  long symlinks;
  long files;
  long sizeBytes;
  long blocks;
  long openFiles;
  long openSizeBytes;
  long openBlocks;
  long corruptFiles;
  long missingBlocks;
  long missingBytes;
  long corruptBlocks;
  long corruptBytes;
  long minimallyReplicated;
  long underMinReplicated;
  long overReplicated;
  long underReplicated;
  long misReplicated;
  long expectedReplicas;
  long replicas;
  long missingReplicas;
  long decommissioned;
  long decommissioning;
  long enteringMaintenance;
  long inMaintenance;
  long queued;

  /** All inodes met. */
  long inodes() {
    return dirs + symlinks + files;
  }

  /** As HDFS: nothing is lost, however few replicas there are. */
  boolean isHealthy() {
    return missingBlocks == 0 && corruptBlocks == 0;
  }
}
