/**
 * Whether a block has the replicas that it needs, and the row and queue that follow from it.
 *
 * <p>{@link io.acaciafs.blocks.redundancy.Redundancy} judges, {@link
 * io.acaciafs.blocks.redundancy.BlockRecordWriter} writes the verdict in the transaction that
 * changed the block, {@link io.acaciafs.blocks.redundancy.Invalidations} has replicas deleted.
 *
 * <p>Nothing here runs in the background; that is {@code repair}.
 */
@NullMarked
package io.acaciafs.blocks.redundancy;

import org.jspecify.annotations.NullMarked;
