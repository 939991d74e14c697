package io.acaciafs.blocks.record;

import java.util.List;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;

/**
 * A block and each of its replicas, as a search for damage sees them.
 *
 * @param fileId the file that it belongs to
 * @param wanted how many replicas it should have
 * @param isCommitted whether its length and stamp are final; else the replicas are those that its
 *     writer writes
 * @param replicas that there are, good and corrupt; not those of dead nodes, unless they are in
 *     maintenance
 */
public record BlockReplicas(long fileId, int wanted, boolean isCommitted, List<Replica> replicas) {

  /** What a replica counts for. Source of the states: HDFS 3.5's NumberReplicas. */
  public enum State {
    LIVE,
    DECOMMISSIONING,
    DECOMMISSIONED,
    /** On a node that is alive and soon to be in maintenance. */
    ENTERING_MAINTENANCE,
    /** On a node in maintenance, which need not be alive. */
    IN_MAINTENANCE,
    CORRUPT
  }

  /** Why a replica is corrupt, in HDFS's words. */
  public enum Corruption {
    NONE,
    CORRUPTION_REPORTED,
    SIZE_MISMATCH,
    GENSTAMP_MISMATCH
  }

  /**
   * One replica.
   *
   * @param place shared: copy it before changing it
   * @param corruption NONE unless the state is CORRUPT
   * @param isNodeStale whether its node has not been heard of for a while
   * @param isUnverified whether its node has not yet said that it has it, since it was started
   */
  public record Replica(
      DatanodeInfoWithStorage place,
      State state,
      Corruption corruption,
      boolean isNodeStale,
      boolean isUnverified) {}

  public BlockReplicas {
    replicas = List.copyOf(replicas);
  }

  public int count(State state) {
    return (int) replicas.stream().filter(replica -> replica.state() == state).count();
  }
}
