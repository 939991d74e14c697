/**
 * Connections on Netty channels: how requests come in, how replies go out, and when a connection
 * has to wait, move or close.
 *
 * <p>{@link io.acaciafs.rpc.connection.RpcConnection} passes events to the parts of a connection,
 * which all belong to its network thread. Two states are explicit: {@code Phase} (of the protocol)
 * and the state of {@code Migration} (between network threads). {@link
 * io.acaciafs.rpc.connection.ConnectionHost} has what all connections share.
 *
 * <p>Netty's stock handlers do not fit: {@code LengthFieldBasedFrameDecoder} collects a frame
 * without a memory budget, {@code IdleStateHandler} needs a timer for each connection, {@code
 * FlowControlHandler} holds decoded messages, and here bytes wait before they are decoded.
 *
 * <p>Nothing here knows how a method runs.
 */
@NullMarked
package io.acaciafs.rpc.connection;

import org.jspecify.annotations.NullMarked;
