/**
 * Hadoop RPC as a server: wire format version 9, protobuf engine 2, SIMPLE authentication or SASL,
 * on Netty.
 *
 * <p>{@link io.acaciafs.rpc.RpcServer} serves protocols ({@link
 * io.acaciafs.rpc.protocol.RpcProtocol}). A method runs on a network thread, completes by future,
 * or runs on a bounded pool of workers.
 *
 * <p>The packages below, from the bottom up; each uses those above it in this list alone:
 *
 * <ul>
 *   <li>{@code codec} - messages as bytes
 *   <li>{@code sasl} - who a client is, where it has to prove that
 *   <li>{@code options} - the options of a server
 *   <li>{@code protocol} - protocols, and what their methods get and return
 *   <li>{@code limit} - memory budget, costs of users
 *   <li>{@code metrics} - counters and logs
 *   <li>{@code method} - the methods of one server, and how they are found
 *   <li>{@code call} - runs calls; the reply cache
 *   <li>{@code connection} - requests in, replies out, flow control
 * </ul>
 *
 * <p>The way of a call: {@code Inbound} takes bytes, {@code RequestReader} makes a frame of them,
 * {@code CallDispatcher} finds and runs the method, {@code Outbound} sends the reply.
 *
 * <p>Nothing here knows what a file is. The only protocol here is the one that tells clients which
 * versions there are.
 */
@NullMarked
package io.acaciafs.rpc;

import org.jspecify.annotations.NullMarked;
