package io.acaciafs.blocks.repair;

import io.acaciafs.blocks.datanode.DatanodeServices;
import io.acaciafs.blocks.peers.PeerExchange;
import io.acaciafs.blocks.placement.PlacementServices;
import io.acaciafs.blocks.redundancy.RedundancyServices;
import io.acaciafs.blocks.safemode.SafeMode;
import io.acaciafs.blocks.settings.BlockContext;

/**
 * The parts that keep blocks redundant, made for each other. Immutable.
 *
 * @param transfers copies that DataNodes are to make
 */
public record RepairServices(
    AdminStateKeeper adminStates,
    Transfers transfers,
    RepairScheduler scheduler,
    DecommissionMonitor decommissionMonitor,
    RedundancyMonitor monitor) {

  public static RepairServices of(
      BlockContext context,
      DatanodeServices datanodes,
      PlacementServices placement,
      RedundancyServices redundancy,
      PeerExchange exchange,
      SafeMode safeMode) {
    AdminStateKeeper adminStates =
        new AdminStateKeeper(
            context.conf(),
            datanodes.registry(),
            datanodes.liveness(),
            datanodes.watch(),
            context.clock());
    Transfers transfers =
        new Transfers(
            context.runner(),
            datanodes.registry(),
            context.blockPoolId(),
            context.clock(),
            context.repairSettings());
    RepairScheduler scheduler =
        new RepairScheduler(context, datanodes, placement.chooser(), redundancy, transfers);
    DecommissionMonitor decommissionMonitor =
        new DecommissionMonitor(
            context.store(),
            datanodes.registry(),
            redundancy.recordWriter(),
            datanodes.watch(),
            context.clock(),
            context.repairSettings());
    RedundancyMonitor.Work work =
        new RedundancyMonitor.Work(
            adminStates,
            new StorageChecks(
                context.runner(), redundancy.recordWriter(), redundancy.updates(), exchange),
            new ReplicaCounts(
                context.store(), datanodes.registry(), datanodes.ownership(), context.clock()),
            new UnexpectedRows(
                context.store(), datanodes.registry(), datanodes.ownership(), context.clock()),
            new PendingRepairs(context.runner(), redundancy.recordWriter(), context.clock()),
            scheduler,
            new ExcessRedundancy(context, datanodes, redundancy, placement),
            decommissionMonitor);
    return new RepairServices(
        adminStates,
        transfers,
        scheduler,
        decommissionMonitor,
        new RedundancyMonitor(datanodes, placement.chooser(), work, safeMode));
  }
}
