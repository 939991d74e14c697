/**
 * The block manager: DataNodes, where replicas are, where new ones go.
 *
 * <p>Outside it is {@link io.acaciafs.blocks.BlockManager}. Its block operations run inside the
 * transactions of the namespace; DataNodes report through transactions of their own. Every replica
 * and every DataNode's address is a stored row, so a restarted NameNode knows them before the first
 * heartbeat. Memory holds DataNodes and their storages, never blocks.
 *
 * <p>Repair is a set of rows as well. {@link io.acaciafs.blocks.BlockUpkeep} puts a block into a
 * queue in the very transaction that changes it; {@link io.acaciafs.blocks.RedundancyMonitor} works
 * the queues off; what replicas are worth is the matter of {@link io.acaciafs.blocks.Standings},
 * and of {@link io.acaciafs.blocks.StorageChecks} when that changes.
 *
 * <p>{@link io.acaciafs.blocks.PipelineUpdate} is for writers whose pipeline breaks, {@link
 * io.acaciafs.blocks.BlockRecovery} for blocks whose writer is gone; {@link
 * io.acaciafs.blocks.SafeMode} says when nothing may change.
 *
 * <p>Several NameNodes may serve one store ({@link io.acaciafs.blocks.NameNodes}). Each DataNode is
 * then commanded by one of them, its owner ({@link io.acaciafs.blocks.Ownership}); what they tell
 * each other is the matter of {@link io.acaciafs.blocks.NodeExchange}, and what becomes of reports
 * while the owner changes that of {@link io.acaciafs.blocks.ReportStream}.
 *
 * <p>Nothing here knows paths, directories or leases of files (but for error texts), or how calls
 * arrive.
 */
package io.acaciafs.blocks;
