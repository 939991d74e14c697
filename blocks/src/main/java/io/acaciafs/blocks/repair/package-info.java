/**
 * The background work that brings blocks to the redundancy that they need: re-replication, excess
 * replicas, decommissioning, maintenance, failed storages.
 *
 * <p>{@link io.acaciafs.blocks.repair.RedundancyMonitor} is the thread that works the queues off.
 *
 * <p>Nothing here is called by clients.
 */
@NullMarked
package io.acaciafs.blocks.repair;

import org.jspecify.annotations.NullMarked;
