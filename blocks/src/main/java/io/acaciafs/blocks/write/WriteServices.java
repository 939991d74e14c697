package io.acaciafs.blocks.write;

import io.acaciafs.blocks.datanode.DatanodeServices;
import io.acaciafs.blocks.peers.PendingRecoveries;
import io.acaciafs.blocks.placement.PlacementServices;
import io.acaciafs.blocks.redundancy.RedundancyServices;
import io.acaciafs.blocks.settings.BlockContext;

/** The parts that clients write and locate blocks by, made for each other. Immutable. */
public record WriteServices(
    BlockLocator locator,
    BlockOperations operations,
    PipelineUpdate pipelines,
    BlockRecovery recovery,
    Gateways gateways) {

  /**
   * @param recoveries that DataNodes of this NameNode are to be told of
   */
  public static WriteServices of(
      BlockContext context,
      DatanodeServices datanodes,
      PlacementServices placement,
      RedundancyServices redundancy,
      PendingRecoveries recoveries) {
    BlockLocator locator =
        new BlockLocator(datanodes.registry(), datanodes.replicaStates(), context.blockPoolId());
    BlockOperations operations =
        new BlockOperations(
            datanodes.registry(),
            placement.chooser(),
            locator,
            redundancy.recordWriter(),
            redundancy.invalidations(),
            context.settings());
    return new WriteServices(
        locator,
        operations,
        new PipelineUpdate(
            datanodes.registry(),
            datanodes.replicaStates(),
            placement.chooser(),
            locator,
            redundancy.recordWriter()),
        new BlockRecovery(context, datanodes, redundancy.recordWriter(), operations, recoveries),
        new Gateways(
            datanodes.registry(), placement.chooser(), datanodes.liveness(), context.random()));
  }
}
