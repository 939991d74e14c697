/**
 * The stored rows of blocks and their keys: how a block, its replicas, its construction and its
 * place in a repair queue are written and read.
 *
 * <p>{@link io.acaciafs.blocks.record.BlockKeys} is the list of all tables and keys, {@link
 * io.acaciafs.blocks.record.BlockRecord} the row of a block, {@link
 * io.acaciafs.blocks.record.BlockRows} reads and writes it in a transaction.
 *
 * <p>Nothing here knows DataNodes in memory or decides anything.
 */
@NullMarked
package io.acaciafs.blocks.record;

import org.jspecify.annotations.NullMarked;
