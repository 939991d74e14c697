package io.acaciafs.blocks;

import io.acaciafs.blocks.datanode.Liveness;
import io.acaciafs.blocks.placement.TargetChooser;
import io.acaciafs.blocks.redundancy.BlockRecordWriter;
import io.acaciafs.blocks.redundancy.Invalidations;
import io.acaciafs.blocks.repair.RepairScheduler;
import io.acaciafs.blocks.repair.Transfers;
import io.acaciafs.blocks.settings.BlockSettings;
import io.acaciafs.blocks.settings.RepairSettings;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;

/**
 * Settings that may change while a NameNode serves. Safe for use by many threads.
 *
 * <p>Source of what may: HDFS 3.5's NameNode, of what is read here.
 */
public final class Reconfiguration {
  private static final Set<String> PROPERTIES =
      Set.of(
          DFSConfigKeys.DFS_HEARTBEAT_INTERVAL_KEY,
          DFSConfigKeys.DFS_NAMENODE_HEARTBEAT_RECHECK_INTERVAL_KEY,
          DFSConfigKeys.DFS_BLOCK_INVALIDATE_LIMIT_KEY,
          DFSConfigKeys.DFS_NAMENODE_REPLICATION_MAX_STREAMS_KEY,
          DFSConfigKeys.DFS_NAMENODE_REPLICATION_STREAMS_HARD_LIMIT_KEY,
          DFSConfigKeys.DFS_NAMENODE_REPLICATION_WORK_MULTIPLIER_PER_ITERATION,
          DFSConfigKeys.DFS_NAMENODE_RECONSTRUCTION_PENDING_TIMEOUT_SEC_KEY,
          DFSConfigKeys.DFS_NAMENODE_BLOCKPLACEMENTPOLICY_MIN_BLOCKS_FOR_WRITE_KEY);

  private final Liveness liveness;
  private final Invalidations invalidations;
  private final Transfers transfers;
  private final RepairScheduler scheduler;
  private final BlockRecordWriter recordWriter;
  private final TargetChooser chooser;

  Reconfiguration(BlockServices services) {
    this.liveness = services.datanodes().liveness();
    this.invalidations = services.redundancy().invalidations();
    this.transfers = services.repair().transfers();
    this.scheduler = services.repair().scheduler();
    this.recordWriter = services.redundancy().recordWriter();
    this.chooser = services.placement().chooser();
  }

  /** The properties that are followed. */
  public static Set<String> properties() {
    return PROPERTIES;
  }

  /**
   * From now on these hold.
   *
   * @throws IllegalArgumentException when one makes no sense; then nothing has changed
   */
  public void apply(Configuration conf) {
    BlockSettings blocks = BlockSettings.of(conf);
    RepairSettings repair = RepairSettings.of(conf);
    requirePositive(
        DFSConfigKeys.DFS_NAMENODE_REPLICATION_MAX_STREAMS_KEY, repair.copies().maxStreams());
    requirePositive(
        DFSConfigKeys.DFS_NAMENODE_REPLICATION_STREAMS_HARD_LIMIT_KEY,
        repair.copies().maxStreamsHardLimit());
    requirePositive(
        DFSConfigKeys.DFS_NAMENODE_REPLICATION_WORK_MULTIPLIER_PER_ITERATION,
        repair.copies().workMultiplier());
    requirePositive(
        DFSConfigKeys.DFS_NAMENODE_RECONSTRUCTION_PENDING_TIMEOUT_SEC_KEY,
        TimeUnit.MILLISECONDS.toSeconds(repair.copies().pendingTimeoutMs()));
    requirePositive(
        DFSConfigKeys.DFS_NAMENODE_BLOCKPLACEMENTPOLICY_MIN_BLOCKS_FOR_WRITE_KEY,
        blocks.placement().minBlocks());
    liveness.configure(blocks);
    invalidations.configure(blocks);
    transfers.configure(repair);
    scheduler.configure(repair);
    recordWriter.configure(repair);
    chooser.configure(blocks);
  }

  private static void requirePositive(String property, long value) {
    if (value <= 0) {
      throw new IllegalArgumentException(
          property
              + " = '"
              + value
              + "' is invalid. It should be a positive, non-zero integer value.");
    }
  }
}
