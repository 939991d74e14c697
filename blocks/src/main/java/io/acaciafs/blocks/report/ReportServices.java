package io.acaciafs.blocks.report;

import io.acaciafs.blocks.datanode.DatanodeServices;
import io.acaciafs.blocks.redundancy.RedundancyServices;
import io.acaciafs.blocks.settings.BlockContext;
import org.jspecify.annotations.Nullable;

/**
 * The parts that take in what DataNodes and clients report of replicas, made for each other.
 * Immutable.
 *
 * @param waiters calls that wait for a replica
 * @param poller null if no other NameNode serves the store
 * @param leases of full reports
 */
public record ReportServices(
    ReplicaWaiters waiters,
    @Nullable RemoteReplicaPoller poller,
    SharedReports incremental,
    FullReports full,
    BadBlocks badBlocks,
    BlockReportLeases leases) {

  public static ReportServices of(
      BlockContext context, DatanodeServices datanodes, RedundancyServices redundancy) {
    ReplicaWaiters waiters =
        new ReplicaWaiters(context.executor(), context.settings().reports().maxWaiters());
    RemoteReplicaPoller poller =
        datanodes.ownership().isAlone()
            ? null
            : new RemoteReplicaPoller(waiters, context.store(), context.executor());
    IncrementalReports incremental =
        new IncrementalReports(
            context.runner(),
            datanodes.registry(),
            redundancy.updates(),
            waiters,
            datanodes.ownership(),
            context.executor());
    return new ReportServices(
        waiters,
        poller,
        new SharedReports(
            datanodes.registry(), incremental, datanodes.ownership(), context.clock()),
        new FullReports(
            context.runner(),
            redundancy.updates(),
            waiters,
            datanodes.watch(),
            datanodes.ownership()),
        new BadBlocks(context.runner(), datanodes.registry(), redundancy.updates()),
        new BlockReportLeases(context.clock(), context.random(), context.settings()));
  }
}
