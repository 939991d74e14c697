package io.acaciafs.blocks;

import io.acaciafs.blocks.datanode.DatanodeServices;
import io.acaciafs.blocks.datanode.NameNodes;
import io.acaciafs.blocks.peers.BalancerBandwidth;
import io.acaciafs.blocks.peers.PeerExchange;
import io.acaciafs.blocks.peers.PendingRecoveries;
import io.acaciafs.blocks.placement.FilePolicies;
import io.acaciafs.blocks.placement.PlacementServices;
import io.acaciafs.blocks.redundancy.RedundancyServices;
import io.acaciafs.blocks.repair.RepairServices;
import io.acaciafs.blocks.report.ReportServices;
import io.acaciafs.blocks.safemode.SafeMode;
import io.acaciafs.blocks.settings.BlockContext;
import io.acaciafs.blocks.settings.SafeModeSettings;
import io.acaciafs.blocks.token.BlockTokens;
import io.acaciafs.blocks.write.WriteServices;

/** All parts of the block manager, put together: the packages from the bottom up. Immutable. */
final class BlockServices {
  private final BlockContext context;
  private final BlockTokens tokens;
  private final DatanodeServices datanodes;
  private final PlacementServices placement;
  private final RedundancyServices redundancy;
  private final BalancerBandwidth bandwidth;
  private final PeerExchange exchange;
  private final SafeMode safeMode;
  private final RepairServices repair;
  private final ReportServices reports;
  private final WriteServices writes;

  /**
   * @param policies of files, for repair
   * @param nameNodes all that serve the store
   */
  BlockServices(BlockContext context, FilePolicies policies, NameNodes nameNodes) {
    this.context = context;
    tokens = new BlockTokens(context, useOfKeys(nameNodes));
    datanodes = DatanodeServices.of(context, nameNodes);
    placement = PlacementServices.of(context, datanodes, policies);
    redundancy = RedundancyServices.of(context, datanodes, placement);
    bandwidth =
        new BalancerBandwidth(
            bytesPerSecond ->
                datanodes
                    .registry()
                    .view()
                    .datanodes()
                    .forEach(datanode -> datanode.balancerBandwidth(bytesPerSecond)));
    PendingRecoveries recoveries = new PendingRecoveries();
    exchange = new PeerExchange(context, nameNodes, datanodes, recoveries, bandwidth);
    safeMode =
        new SafeMode(
            SafeModeSettings.of(context.conf()),
            datanodes.registry(),
            datanodes.liveness(),
            context.runner(),
            context.clock());
    repair = RepairServices.of(context, datanodes, placement, redundancy, exchange, safeMode);
    reports = ReportServices.of(context, datanodes, redundancy);
    writes = WriteServices.of(context, datanodes, placement, redundancy, recoveries);
  }

  private static BlockTokens.Keys useOfKeys(NameNodes nameNodes) {
    if (nameNodes.onlyReads()) {
      return BlockTokens.Keys.READS;
    }
    return nameNodes.isAlone() ? BlockTokens.Keys.OWNS : BlockTokens.Keys.SHARES;
  }

  BlockContext context() {
    return context;
  }

  BlockTokens tokens() {
    return tokens;
  }

  DatanodeServices datanodes() {
    return datanodes;
  }

  PlacementServices placement() {
    return placement;
  }

  RedundancyServices redundancy() {
    return redundancy;
  }

  BalancerBandwidth bandwidth() {
    return bandwidth;
  }

  PeerExchange exchange() {
    return exchange;
  }

  SafeMode safeMode() {
    return safeMode;
  }

  RepairServices repair() {
    return repair;
  }

  ReportServices reports() {
    return reports;
  }

  WriteServices writes() {
    return writes;
  }
}
