/**
 * What NameNodes of one store tell each other about DataNodes that they command.
 *
 * <p>{@link io.acaciafs.blocks.peers.PeerExchange} writes a row for each NameNode and reads those
 * of the others, once a round.
 *
 * <p>Nothing here knows single replicas.
 */
@NullMarked
package io.acaciafs.blocks.peers;

import org.jspecify.annotations.NullMarked;
