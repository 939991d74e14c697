package io.acaciafs.blocks.record;

import io.acaciafs.blocks.proto.BlockRow;
import io.acaciafs.blocks.proto.RecoveryRow;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is stored of a block for its writer and its recovery.
 *
 * @param issuedGenerationStamp the highest one ever issued for this block; 0 where that is the one
 *     it has. Kept when the block is complete: a replica with it may lie on a DataNode
 * @param recovery null unless the block is under recovery
 */
public record Construction(long issuedGenerationStamp, @Nullable Recovery recovery) {
  public static final Construction NONE = new Construction(0, null);

  /**
   * How far a recovery has come.
   *
   * @param id of the last attempt: the generation stamp that the block is to have, or its copy
   * @param startedMs when the last attempt was begun, since the epoch
   * @param primary storage whose DataNode leads the last attempt; 0 where none was alive
   * @param tried storages whose DataNodes have led attempts
   * @param truncateToBytes 0: the length is whatever can be saved
   * @param copyId the block that the last attempt makes of so many bytes, while this one stays as
   *     it is; 0 where it cuts the replicas
   */
  public record Recovery(
      long id,
      long startedMs,
      int primary,
      List<Integer> tried,
      long truncateToBytes,
      long copyId) {
    public Recovery {
      tried = List.copyOf(tried);
    }
  }

  public boolean isUnderRecovery() {
    return recovery != null;
  }

  /** See {@link Recovery}; 0 where nothing is copied. */
  public long copyId() {
    return recovery == null ? 0 : recovery.copyId();
  }

  public Construction withIssued(long generationStamp) {
    return new Construction(generationStamp, recovery);
  }

  /** The block has got this stamp. */
  public Construction above(long generationStamp) {
    return issuedGenerationStamp > generationStamp ? this : new Construction(0, recovery);
  }

  void encodeTo(BlockRow.Builder row) {
    row.setIssuedGenerationStamp(issuedGenerationStamp);
    if (recovery != null) {
      row.setRecovery(
          RecoveryRow.newBuilder()
              .setId(recovery.id() - stampsOfCopy(recovery.copyId()))
              .setStartedMs(recovery.startedMs())
              .setPrimary(recovery.primary())
              .addAllTried(recovery.tried())
              .setTruncateToBytes(recovery.truncateToBytes())
              .setCopyId(recovery.copyId()));
    }
  }

  /** See RecoveryRow: how far the stamp of a copy is above the one that is stored. */
  private static int stampsOfCopy(long copyId) {
    return copyId == 0 ? 0 : 1;
  }

  static Construction decode(BlockRow row) {
    if (row.getIssuedGenerationStamp() == 0 && !row.hasRecovery()) {
      return NONE;
    }
    RecoveryRow recovery = row.getRecovery();
    return new Construction(
        row.getIssuedGenerationStamp(),
        row.hasRecovery()
            ? new Recovery(
                recovery.getId() + stampsOfCopy(recovery.getCopyId()),
                recovery.getStartedMs(),
                recovery.getPrimary(),
                recovery.getTriedList(),
                recovery.getTruncateToBytes(),
                recovery.getCopyId())
            : null);
  }
}
