/**
 * What the NameNode knows of DataNodes: registrations, heartbeats, liveness, storages, and which
 * NameNode commands which DataNode.
 *
 * <p>{@link io.acaciafs.blocks.datanode.DatanodeRegistry} holds them all; {@link
 * io.acaciafs.blocks.datanode.Ownership} is for stores that several NameNodes share; {@link
 * io.acaciafs.blocks.datanode.NodeVersion} counts the changes that replies depend on.
 *
 * <p>Nothing here changes a block's row.
 */
@NullMarked
package io.acaciafs.blocks.datanode;

import org.jspecify.annotations.NullMarked;
