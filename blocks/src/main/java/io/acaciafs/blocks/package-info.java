/**
 * The block manager: DataNodes, where replicas are, where new ones go.
 *
 * <p>Outside it is {@link io.acaciafs.blocks.BlockManager}. Its block operations run inside the
 * transactions of the namespace; DataNodes report through transactions of their own. Every replica
 * and every DataNode's address is a stored row, so a restarted NameNode knows them before the first
 * heartbeat. Memory holds DataNodes and their storages, never blocks.
 *
 * <p>Nothing here knows paths, directories or leases of files (but for error texts), or how calls
 * arrive.
 */
package io.acaciafs.blocks;
