/**
 * The block manager: DataNodes, where replicas are, where new ones go.
 *
 * <p>Outside it is {@link io.acaciafs.blocks.BlockManager}, which builds the parts and hands calls
 * to them. Its block operations run inside the transactions of the namespace; DataNodes report
 * through transactions of their own ({@link io.acaciafs.blocks.DatanodeService}). Every replica and
 * every DataNode's address is a stored row, so a restarted NameNode knows them before the first
 * heartbeat. Memory holds DataNodes and their storages, never blocks.
 *
 * <p>The packages below, from the bottom up; each uses those above it in this list alone:
 *
 * <ul>
 *   <li>{@code settings} - values of the configuration
 *   <li>{@code record} - stored rows and keys
 *   <li>{@code token} - block tokens, the keys that sign them, data encryption keys
 *   <li>{@code datanode} - DataNodes, storages, liveness, ownership
 *   <li>{@code placement} - racks and policies: where replicas go
 *   <li>{@code redundancy} - whether a block has the replicas that it needs
 *   <li>{@code peers} - the exchange between NameNodes of one store
 *   <li>{@code report} - full and incremental block reports
 *   <li>{@code safemode} - safe mode
 *   <li>{@code write} - block operations of clients
 *   <li>{@code repair} - background work on redundancy
 *   <li>{@code check} and {@code load} - the check of all rows, and bulk loading
 * </ul>
 *
 * <p>Nothing here knows paths, directories or leases of files (but for error texts), or how calls
 * arrive.
 */
@NullMarked
package io.acaciafs.blocks;

import org.jspecify.annotations.NullMarked;
