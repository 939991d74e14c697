package io.acaciafs.blocks.redundancy;

import io.acaciafs.blocks.datanode.DatanodeServices;
import io.acaciafs.blocks.placement.PlacementServices;
import io.acaciafs.blocks.settings.BlockContext;

/**
 * The parts that write the rows of blocks, made for each other. Immutable.
 *
 * @param invalidations replicas that DataNodes are to delete
 */
public record RedundancyServices(
    Invalidations invalidations, BlockRecordWriter recordWriter, ReplicaUpdates updates) {

  public static RedundancyServices of(
      BlockContext context, DatanodeServices datanodes, PlacementServices placement) {
    Invalidations invalidations =
        new Invalidations(
            datanodes.registry(),
            datanodes.replicaStates(),
            datanodes.ownership(),
            context.clock(),
            context.settings());
    BlockRecordWriter recordWriter =
        new BlockRecordWriter(
            datanodes.replicaStates(),
            invalidations,
            context.clock(),
            context.repairSettings(),
            () -> placement.loads().of(datanodes.registry().view()).liveRacks(),
            context.settings().minReplication(),
            placement.policy());
    return new RedundancyServices(
        invalidations,
        recordWriter,
        new ReplicaUpdates(datanodes.registry(), invalidations, recordWriter));
  }
}
