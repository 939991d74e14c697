package io.acaciafs.namenode.monitor.problems;

import io.acaciafs.blocks.safemode.SafeMode;
import io.acaciafs.namenode.monitor.StoreFigures;
import java.util.function.Consumer;
import org.apache.hadoop.hdfs.protocol.ReplicatedBlockStats;

/** Whether all blocks have their replicas, and whether the NameNode may change anything. */
public final class BlockChecks implements ProblemCheck {
  private final SafeMode safeMode;
  private final StoreFigures figures;

  public BlockChecks(SafeMode safeMode, StoreFigures figures) {
    this.safeMode = safeMode;
    this.figures = figures;
  }

  @Override
  public void look(Consumer<Problem> found) {
    if (safeMode.isOn()) {
      found.accept(new Problem(ProblemKind.SAFE_MODE, safeMode.tip()));
    }
    ReplicatedBlockStats blocks = figures.recentBlocks();
    tell(
        found,
        ProblemKind.MISSING_BLOCKS,
        blocks.getMissingReplicaBlocks(),
        "no live DataNode has a replica; "
            + blocks.getMissingReplicationOneBlocks()
            + " of them were to have one alone");
    tell(found, ProblemKind.CORRUPT_BLOCKS, blocks.getCorruptBlocks(), "all replicas are damaged");
    tell(
        found,
        ProblemKind.LOW_REDUNDANCY,
        blocks.getLowRedundancyBlocks(),
        "the NameNode has them copied; of "
            + blocks.getHighestPriorityLowRedundancyBlocks()
            + " only one replica is left");
  }

  private static void tell(Consumer<Problem> found, ProblemKind kind, long blocks, String what) {
    if (blocks > 0) {
      found.accept(new Problem(kind, blocks + (blocks == 1 ? " block: " : " blocks: ") + what));
    }
  }
}
