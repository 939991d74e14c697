package io.acaciafs.blocks.placement;

import io.acaciafs.blocks.datanode.DatanodeServices;
import io.acaciafs.blocks.settings.BlockContext;

/**
 * The parts that choose DataNodes, made for each other. Immutable.
 *
 * @param policy of dfs.block.replicator.classname
 * @param rules of the storage policies
 */
public record PlacementServices(
    RackResolver racks,
    PlacementPolicy policy,
    ClusterLoad.Source loads,
    StoragePolicyRules rules,
    TargetChooser chooser) {

  /**
   * @param policies of files
   */
  public static PlacementServices of(
      BlockContext context, DatanodeServices datanodes, FilePolicies policies) {
    RackResolver racks = new RackResolver(context.conf(), context.executor());
    PlacementPolicy policy = PlacementPolicy.of(context.conf());
    ClusterLoad.Source loads =
        new ClusterLoad.Source(
            context.clock(), datanodes.liveness(), context.settings(), datanodes.version());
    StoragePolicyRules rules = new StoragePolicyRules(context.conf(), policies, context.store());
    return new PlacementServices(
        racks,
        policy,
        loads,
        rules,
        new TargetChooser(context, datanodes, racks, loads, rules, policy));
  }
}
