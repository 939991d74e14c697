package io.acaciafs.blocks.record;

import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.BlockUCState;

/**
 * A block as its file needs to know it.
 *
 * @param fileId the file that it belongs to
 * @param recoveryId of the attempt that may succeed; 0 unless it is under recovery
 * @param truncateToBytes the length that recovery is to leave; 0 where it saves what it can
 * @param copyId the block that recovery makes in place of this one; 0 where it keeps this one
 * @param isPlaced whether any storage may have a replica
 */
public record BlockStatus(
    long fileId,
    BlockUCState state,
    long recoveryId,
    long truncateToBytes,
    long copyId,
    boolean isPlaced) {

  public static BlockStatus of(BlockRecord record) {
    Construction.Recovery recovery = record.construction().recovery();
    return new BlockStatus(
        record.fileId(),
        state(record),
        recovery == null ? 0 : recovery.id(),
        recovery == null ? 0 : recovery.truncateToBytes(),
        record.construction().copyId(),
        !record.expected().isEmpty()
            || !record.storages().isEmpty()
            || !record.reported().isEmpty());
  }

  private static BlockUCState state(BlockRecord record) {
    if (record.construction().isUnderRecovery()) {
      return BlockUCState.UNDER_RECOVERY;
    }
    if (!record.isCommitted()) {
      return BlockUCState.UNDER_CONSTRUCTION;
    }
    return record.isComplete() ? BlockUCState.COMPLETE : BlockUCState.COMMITTED;
  }
}
